import Experiments

/// The part of the document about individual sessions: the pickers, the picture, and all timelines as a table.
struct TimelineSection {
  private let contents: ReportContents
  private let set: TimelineSet
  private let first: TimelineData

  /// Nil if no timelines were kept.
  init?(_ contents: ReportContents, _ set: TimelineSet) {
    // The longest stall: of the policy of the headline, or else of the one that it is compared with, or of any.
    let titles = TimelineSet.important(contents)
    func longest(_ timeline: TimelineData) -> (Int, Int, Int) {
      let stall = timeline.longestStall.map { $0.end - $0.start } ?? 0
      let rank = titles.firstIndex(of: contents.policies[timeline.policy]) ?? titles.count
      return (stall > 0 ? -rank : .min, stall, timeline.waited)
    }
    guard
      let first = set.timelines.reduce(
        nil,
        { best, timeline -> TimelineData? in
          guard let best else { return timeline }
          return longest(timeline) > longest(best) ? timeline : best
        })
    else { return nil }
    self.contents = contents
    self.set = set
    self.first = first
  }

  func write(_ markup: inout Markup) {
    markup.within("section", ["id": "sessions"]) { section in
      section.element("h2", [:], "One session over its time")
      section.element(
        "p", ["class": "aid"],
        "Where the band of visible items would pass the loaded edge, the reader waits. The picture opens on the longest stall "
          + "after the start. The first sessions of every policy have a picture, and its worst one.")
      section.element(
        "p", ["class": "aid needs-script"],
        "Pick a policy and a session, or press the arrow keys on the picture: up and down for the policy, left and right for "
          + "the session; Enter changes between the stall and the whole session.")
      pickers(&section)
      section.within(
        "figure",
        [
          "class": "wide", "id": "timeline-figure", "tabindex": "0", "role": "group",
          "aria-label": "Timeline",
        ]
      ) { figure in
        figure.within("div", ["class": "picture"]) {
          TimelineChart(first, duration: set.duration(first)).draw(&$0)
        }
        legend(&figure)
        figure.within("figcaption") { caption in
          caption.element("p", ["id": "timeline-words", "aria-live": "polite"], title(first) + first.words)
          caption.element("p", ["id": "timeline-here", "class": "aid"], "")
        }
        figure.within("details") { details in
          details.element("summary", [:], "All sessions that have a timeline")
          table.write(&details)
        }
      }
      if set.leftOut > 0 {
        section.element(
          "p", ["class": "aid"], "\(set.leftOut) more timelines were left out to keep this file small.")
      }
    }
  }

  private func title(_ timeline: TimelineData) -> String {
    "\(contents.policies[timeline.policy]), session \(timeline.session): "
  }

  private func pickers(_ markup: inout Markup) {
    let blocks = unique(set.timelines.map(\.block)).map { ($0, contents.blocks[$0].title) }
    let policies = unique(set.timelines.map(\.policy)).map { ($0, contents.policies[$0]) }
    let sessions = unique(set.timelines.map(\.session)).map { ($0, "\($0)") }
    markup.within("form", ["class": "pickers", "id": "pickers"]) { form in
      picker("block", "World", blocks, chosen: first.block, &form)
      picker("policy", "Policy", policies, chosen: first.policy, &form)
      picker("session", "Session", sessions, chosen: first.session, &form)
      form.element("button", ["type": "button", "id": "zoom", "aria-pressed": "true"], "Longest stall")
    }
  }

  private func unique(_ values: [Int]) -> [Int] { Set(values).sorted() }

  private func picker(
    _ name: String, _ label: String, _ options: [(Int, String)], chosen: Int, _ markup: inout Markup
  ) {
    let attributes: Markup.Attributes = options.count > 1 ? [:] : ["hidden": "hidden"]
    markup.within("label", attributes) { field in
      field.element("span", [:], label)
      field.within("select", ["id": "pick-\(name)", "name": name]) { select in
        for (value, text) in options {
          if value == chosen {
            select.element("option", ["value": "\(value)", "selected": "selected"], text)
          } else {
            select.element("option", ["value": "\(value)"], text)
          }
        }
      }
    }
  }

  private func legend(_ markup: inout Markup) {
    let entries = [
      ("band c0", "visible"), ("edge", "loaded edge"), ("stall", "stall"), ("waste", "loaded, never seen"),
      ("fetch f0", "fetch"), ("fetch f1", "wasted"), ("fetch f2", "failed"), ("fetch f3", "cancelled"),
      ("fetch f4", "unfinished"),
    ]
    markup.within("ul", ["class": "legend"]) { list in
      for (look, text) in entries {
        list.within("li") { item in
          item.within("svg", ["class": "swatch", "viewBox": "0 0 16 16", "aria-hidden": "true"]) {
            if look == "edge" {
              $0.element("path", ["class": look, "d": "M1 12H8V5H15"])
            } else {
              $0.element("rect", ["class": look, "x": "1", "y": "4", "width": "14", "height": "9"])
            }
          }
          item.write(text)
        }
      }
    }
  }

  private var table: DataTable {
    DataTable(
      caption: "Sessions with a timeline",
      titles: [
        "policy", "world", "session", "stall s", "stalls", "fetches", "wasted", "loaded", "seen",
        "duration s",
      ],
      rows: set.timelines.map { timeline in
        return [
          .init(
            contents.policies[timeline.policy],
            mark: SeriesMark(contents.policies[timeline.policy], in: contents)
          ),
          .init(contents.blocks[timeline.block].title), .number(Double(timeline.session), 0),
          .number(Double(timeline.waited) / 1000, 3), .number(Double(timeline.stallCount), 0),
          .number(Double(timeline.fetchCount), 0),
          .number(Double(timeline.wastedCount), 0),
          .number(Double(timeline.loaded.last?.items ?? 0), 0), .number(Double(timeline.seen), 0),
          .number(Double(timeline.duration) / 1000, 3),
        ]
      })
  }
}
