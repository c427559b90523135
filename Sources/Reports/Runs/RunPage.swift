import JSON
import Text

/// The page of a run as one HTML document that loads nothing from elsewhere: live, where it is told the data by the server
/// that served it, or with the data in it, as a file that opens from disk.
public struct RunPage {
  private let data: String?
  private let title: String

  /// A live page of the run of that script.
  public init(live script: String) {
    data = nil
    title = script
  }

  /// A page of a run that is over; `json` is its telemetry's.
  public init(_ json: String, of script: String) {
    data = json
    title = script
  }

  /// The document, UTF-8; style and script carry the nonce.
  public func html(nonce: String) -> String {
    var html = Markup()
    html.raw("<!DOCTYPE html>\n")
    html.within("html", ["lang": "en"]) { html in
      html.within("head") { head(&$0, nonce) }
      html.line()
      html.within("body", ["class": "run", "data-live": data == nil ? "yes" : "no"]) { body in
        header(&body)
        body.within("main") { sections(&$0) }
        hatch(&body)
        if let data { body.within("script", ["type": "application/json", "id": "data"]) { $0.raw(data) } }
        body.line()
        body.within("script", ["nonce": nonce]) { $0.raw(ReportResource.runScript) }
      }
    }
    html.line()
    return html.text
  }

  private func head(_ head: inout Markup, _ nonce: String) {
    head.element("meta", ["charset": "utf-8"])
    if data != nil {
      head.element(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content":
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; form-action 'none'",
        ])
    }
    head.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    head.element("meta", ["name": "color-scheme", "content": "light dark"])
    head.element("link", ["rel": "icon", "href": "data:,"])
    head.element("title", [:], "\(title): lookahead run")
    head.within("style", ["nonce": nonce]) { $0.raw(ReportResource.style + ReportResource.runStyle) }
  }

  private func header(_ body: inout Markup) {
    body.within("header") { header in
      header.within("div", ["class": "top"]) { top in
        top.within("div", ["class": "words"]) { words in
          words.element(
            "p", ["class": "state tone-busy", "id": "state", "role": "status"],
            data == nil ? "beginning" : "over")
          words.element("h1", ["id": "headline"], data == nil ? "Waiting for the run" : title)
          words.element("p", ["class": "lede", "id": "health"], "")
          words.within("p", ["class": "facts"]) {
            $0.element("span", ["class": "kicker", "id": "script"], title)
            $0.element("span", ["id": "facts"], "")
          }
        }
        top.element(
          "div", ["class": "keys", "id": "keys", "role": "group", "aria-label": "The run in numbers"], "")
      }
      header.within("noscript") {
        $0.element(
          "p", ["class": "notice"], "This page draws itself, with a script of its own that loads nothing.")
      }
      header.within("p", [("class", "notice"), ("id", "notice"), ("role", "status"), ("hidden", "")]) { _ in }
      header.within(
        "div",
        [
          ("class", "way"), ("id", "way"), ("role", "progressbar"), ("aria-label", "Items that are there"),
          ("aria-valuemin", "0"), ("aria-valuemax", "100"), ("hidden", ""),
        ]
      ) { $0.element("span", [:], "") }
      header.within("div", [("id", "waits-head"), ("hidden", "")]) { waits in
        waits.element("h2", [:], "What waits for what")
        waits.element("ul", ["class": "waits", "id": "waits"], "")
      }
      header.within("nav", ["aria-label": "Parts of this page"]) { nav in
        for (id, title) in Self.parts { nav.element("a", ["href": "#\(id)"], title) }
      }
    }
    body.line()
  }

  private static let parts: KeyValuePairs = [
    "speed": "over time", "pages": "pages", "workers": "workers", "hosts": "hosts", "decisions": "decisions",
    "streams": "rows",
    "partitions": "partitions", "faults": "errors", "log": "log",
  ]

  private func sections(_ main: inout Markup) {
    section(&main, "speed", "Over time") { section in
      section.element(
        "p", ["class": "aid"],
        "They share the time: point at one, or press the arrow keys on it, to read what was at a moment.")
      section.within("div", ["class": "figures"]) { figures in
        chart(&figures, "items", "Items a second")
        chart(&figures, "requests", "Requests")
        chart(&figures, "latency", "Time to an answer")
        chart(&figures, "memory", "Memory")
      }
    }
    section(&main, "pages", "Pages") { pages(&$0) }
    section(&main, "workers", "Workers") { section in
      section.element("p", ["class": "aid", "id": "workers-aid"], "")
      table(&section, "workers-table", "Workers")
      section.within("div", ["id": "gates"]) { gates in
        gates.element("h3", [:], "The gate that all of them ask")
        table(&gates, "gates-table", "Gates")
      }
    }
    section(&main, "hosts", "Hosts and their gate") { table(&$0, "hosts-table", "Hosts") }
    section(&main, "decisions", "Decisions and their reasons") { section in
      table(&section, "reasons-table", "Reasons")
      section.within("details") { details in
        details.element("summary", [:], "The last ones, one by one")
        details.element("p", ["class": "aid", "id": "decisions-aid"], "")
        table(&details, "decisions-table", "Last decisions")
      }
    }
    section(&main, "streams", "The latest rows") { $0.element("div", ["id": "streams-list"], "") }
    section(&main, "partitions", "Partitions") { partitions(&$0) }
    section(&main, "faults", "What went wrong, by line of the script") { section in
      table(&section, "faults-table", "Errors by line")
      section.within("details", ["id": "bad-requests"]) { details in
        details.element("summary", [:], "Requests that went wrong")
        table(&details, "bad-table", "Requests that went wrong")
      }
    }
    section(&main, "log", "Log") { section in
      section.element("p", ["class": "aid", "id": "log-aid"], "")
      section.element(
        "ol", ["class": "log", "id": "log-lines", "tabindex": "0", "aria-label": "Log lines"], "")
    }
  }

  private func pages(_ section: inout Markup) {
    section.element("p", ["class": "aid", "id": "pages-aid"], "")
    section.within(
      "div", ["class": "choices", "id": "extent", "role": "group", "aria-label": "How much of the time"]
    ) {
      choices in
      for (value, title) in [
        ("Infinity", "The whole run"), ("60", "The last minute"), ("10", "The last 10 s"),
      ] {
        choices.element("button", ["type": "button", "value": value, "aria-pressed": "false"], title)
      }
    }
    section.within(
      "figure",
      [
        "class": "wide", "id": "timeline-pages", "tabindex": "0", "role": "group",
        "aria-label": "Pages over time",
      ]
    ) { figure in
      figure.element("div", ["class": "picture"], "")
      figure.within("ul", ["class": "legend"]) { legend in
        for (look, title) in [
          ("append", "next page"), ("prepend", "page before"), ("refresh", "first page"),
          ("append open", "under way"),
          ("append again", "second try or later"), ("bad", "failed"), ("gone", "cancelled or thrown away"),
        ] {
          legend.within("li") { item in
            item.within("svg", ["viewBox": "0 0 20 12", "aria-hidden": "true"]) {
              $0.element(
                "rect",
                ["class": "page \(look)", "x": "1", "y": "1", "width": "18", "height": "10", "rx": "1.5"])
            }
            item.write(title)
          }
        }
      }
      figure.element("p", ["class": "aid here", "id": "page-here", "aria-live": "polite"], "")
    }
  }

  private func partitions(_ section: inout Markup) {
    section.element("p", ["class": "aid", "id": "partitions-aid"], "")
    section.within(
      "figure",
      [
        "class": "wide", "id": "grid", "tabindex": "0", "role": "group",
        "aria-label": "Partitions, in their order",
      ]
    ) { figure in
      figure.element("div", ["class": "picture"], "")
      figure.within("ul", ["class": "legend"]) { legend in
        for (letter, title) in [
          ("d", "done"), ("r", "being read"), ("w", "waiting"), ("f", "failed"),
        ] {
          legend.within("li") { item in
            item.within("svg", ["viewBox": "0 0 20 12", "aria-hidden": "true"]) {
              $0.element(
                "rect", ["class": "cell-\(letter)", "x": "4", "y": "0", "width": "12", "height": "12"])
            }
            item.write(title)
          }
        }
      }
      figure.element("p", ["class": "aid here", "id": "partition-here", "aria-live": "polite"], "")
    }
    section.element("p", ["class": "aid", "id": "failed-partitions"], "")
  }

  private func section(_ main: inout Markup, _ id: String, _ title: String, _ inner: (inout Markup) -> Void) {
    main.within("section", ["id": id]) { section in
      section.element("h2", [:], title)
      inner(&section)
    }
    main.line()
  }

  private func chart(_ figures: inout Markup, _ name: String, _ title: String) {
    figures.within(
      "figure",
      ["class": "half", "id": "chart-\(name)", "tabindex": "0", "role": "group", "aria-label": title]
    ) {
      figure in
      figure.within("figcaption") {
        $0.element("h3", [:], title)
        $0.element("p", ["class": "aid", "aria-live": "polite"], "")
      }
      figure.element("div", ["class": "picture"], "")
    }
  }

  private func table(_ section: inout Markup, _ id: String, _ title: String) {
    section.element("div", ["id": id, "data-title": title], "")
  }

  /// The fill pattern of what was for nothing.
  private func hatch(_ body: inout Markup) {
    body.within("svg", ["width": "0", "height": "0", "aria-hidden": "true", "class": "hidden"]) { svg in
      svg.within("defs") { defs in
        defs.within(
          "pattern",
          [
            "id": "hatch", "width": "6", "height": "6", "patternUnits": "userSpaceOnUse",
            "patternTransform": "rotate(45)",
          ]
        ) { $0.element("rect", ["class": "hatch", "width": "2", "height": "6"]) }
      }
    }
  }
}
