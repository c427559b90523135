public import Experiments

/// The result as one HTML file that opens from disk: it loads nothing, and is fully readable without its script.
///
/// Equal results give equal bytes. With eight policies, 200 sessions and 24 timelines it stays below 300 kB.
public struct HTMLReport {
  /// Target size of figures and data, in bytes.
  private static let size = 236_000
  private let contents: ReportContents

  public init(_ result: LabResult) { contents = ReportContents(result) }

  /// The whole file, UTF-8.
  public var text: String {
    var blocks = Markup()
    for block in contents.blocks { BlockSection(block, contents).write(&blocks) }
    // The remaining size is shared by the timelines and the sessions' numbers.
    let room = max(40_000, Self.size - blocks.text.utf8.count - 600 * contents.result.timelines.count)
    let share = min(75_000, room * 2 / 5)
    let timelines = TimelineSet(contents, budget: min(150_000, room - share))
    let data = ReportData(contents, timelines, budget: share)
    var html = Markup()
    html.raw("<!DOCTYPE html>\n")
    html.within("html", ["lang": "en"]) { html in
      html.within("head") { head(&$0) }
      html.line()
      html.within("body") { body in
        header(&body)
        body.within("main") { main in
          overview(&main)
          main.raw(blocks.text)
          TimelineSection(contents, timelines)?.write(&main)
          inputs(&main, data)
        }
        hatches(&body)
        body.within("script", ["type": "application/json", "id": "data"]) { $0.raw(data.json) }
        body.line()
        body.within("script") { $0.raw(ReportResource.script) }
      }
    }
    html.line()
    return html.text
  }

  private func head(_ head: inout Markup) {
    head.element("meta", ["charset": "utf-8"])
    head.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    head.element("meta", ["name": "color-scheme", "content": "light dark"])
    head.element("link", ["rel": "icon", "href": "data:,"])
    head.element("title", [:], "\(contents.result.title): lookahead lab")
    head.within("style") { $0.raw(ReportResource.style) }
  }

  private func header(_ body: inout Markup) {
    let result = contents.result
    let finding = Finding(contents)
    let facts = [
      count(contents.policies.count, "policy", "policies"),
      contents.blocks.count > 1 ? "\(contents.blocks.count) worlds" : "",
      count(result.sessions, "session", "sessions") + (contents.policies.count > 1 ? " each" : ""),
      "seed \(result.seed)", result.baseline.isEmpty ? "" : "baseline \(result.baseline)",
    ]
    body.within("header") { header in
      header.within("div", ["class": "top"]) { top in
        top.within("div", ["class": "words"]) { words in
          words.element("h1", [:], finding.headline)
          if !finding.detail.isEmpty { words.element("p", ["class": "lede"], finding.detail) }
          words.within("p", ["class": "facts"]) {
            $0.element("span", ["class": "kicker"], result.title)
            $0.write(" · " + facts.filter { !$0.isEmpty }.joined(separator: " · "))
          }
        }
        KeyFigures(finding, contents)?.write(&top)
      }
      header.within("nav", ["aria-label": "Parts of this report"]) { nav in
        for block in contents.blocks { nav.element("a", ["href": "#world-\(block.number)"], block.title) }
        if !result.timelines.isEmpty { nav.element("a", ["href": "#sessions"], "one session") }
        nav.element("a", ["href": "#inputs"], "what was run")
      }
    }
    body.line()
  }

  private func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  private func overview(_ main: inout Markup) {
    guard contents.blocks.count > 1 else { return }
    main.within("section", ["id": "overview"]) { section in
      section.element("h2", [:], "All worlds")
      OverviewTable(contents).table.write(&section)
    }
  }

  private func inputs(_ main: inout Markup, _ data: ReportData) {
    let result = contents.result
    let costs = result.costs
    main.within("section", ["id": "inputs"]) { section in
      section.element("h2", [:], "What was run")
      section.element(
        "p", ["class": "aid"],
        "Every policy met the same readers and the same network. Intervals are 95 %; \(result.events) events were handled. "
          + "Equal inputs and seed give this file again, byte by byte.")
      let prices = [
        ("a second of stall", costs.stall), ("a stall", costs.event), ("a request", costs.request),
        ("a wasted item", costs.waste), ("an item held for a second", costs.memory),
        ("a megabyte", costs.bytes), ("a joule", costs.energy), ("a reader who leaves", costs.left),
      ]
      let rows =
        result.inputs.map { [DataTable.Cell($0.name), DataTable.Cell($0.description)] }
        + prices.map { [DataTable.Cell("cost of \($0.0)"), DataTable.Cell(ReportNumber.short($0.1, 6))] }
      DataTable(caption: "Inputs", titles: ["name", "what it is"], rows: rows).write(&section)
      let extent = data.isComplete ? "all sessions" : "the first \(data.sessions) sessions of every policy"
      section.within("p", ["class": "needs-script"]) {
        $0.element("button", ["type": "button", "id": "export"], "Save the sessions as CSV")
        $0.write(" In long form, \(extent).")
      }
    }
  }

  /// The fill pattern of waste.
  private func hatches(_ body: inout Markup) {
    body.within("svg", ["width": "0", "height": "0", "aria-hidden": "true", "class": "hidden"]) { svg in
      svg.within("defs") { defs in
        TimelineChart.clips(&defs)
        defs.within(
          "pattern",
          [
            "id": "hatch", "width": "6", "height": "6", "patternUnits": "userSpaceOnUse",
            "patternTransform": "rotate(45)",
          ]
        ) { $0.element("rect", ["class": "hatch", "width": "2", "height": "6"]) }
      }
    }
    body.line()
  }
}
