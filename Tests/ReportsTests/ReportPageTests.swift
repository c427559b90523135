import Experiments
import Foundation
import Reports
import Testing

/// The order of the page, what is folded, and what its figures are about.
@Suite struct ReportPageTests {
  /// The part of a text between two others.
  private func part(_ text: String, from start: String, to end: String) -> String {
    text.components(separatedBy: start).dropFirst().first?.components(separatedBy: end).first ?? ""
  }

  private func figure(_ title: String, _ text: String) -> String { part(text, from: title, to: "</figure>") }

  @Test func `the headline comes first, its waste beside it, and the verdict is the second column`() {
    let text = HTMLReport(DemoResult.usual.result).text

    let body = part(text, from: "<body>", to: "</body>")
    let keys = part(body, from: "class=\"keys\"", to: "</header>")
    #expect(body.hasPrefix("<header><div class=\"top\"><div class=\"words\"><h1>"))
    #expect(
      keys.contains("<dt>stall of ") && keys.contains("<dt>waste of ")
        && keys.contains("</b> items a session"))
    let heads = part(body, from: "<thead>", to: "</thead>").components(separatedBy: "</th>")
    #expect(heads[0].hasSuffix(">policy") && heads[1].hasSuffix(">verdict") && heads[2].hasSuffix(">stall s"))
  }

  @Test func `rows are sorted by the metric that decides, oracles last`() {
    let text = HTMLReport(SmallResult.result([("a", 3), ("c", 1), ("b", 2)])).text

    let rows = part(text, from: "<tbody>", to: "</tbody>").components(separatedBy: "<tr>").dropFirst()
    #expect(rows.map { $0.components(separatedBy: "</svg>")[1].prefix(1) } == ["c", "b", "a"])
  }

  @Test func `of a large sweep what matters is open, the others and the dropped ones are folded`() {
    var demo = DemoResult.sweep
    (demo.sessions, demo.timelines) = (12, 0)
    var result = demo.result
    for place in [3, 7] { (result.rows[place].isDropped, result.rows[place].isOnFront) = (true, false) }
    let dropped = result.rows[3].setting.policyTitle

    let text = HTMLReport(result).text

    let summary = part(text, from: "<table class=\"data summary cards\">", to: "</table>")
    #expect(summary.components(separatedBy: "<tr>").count - 2 < 15)
    #expect(!summary.contains("\(dropped)<") && summary.contains("\(result.baseline) (baseline)"))
    #expect(text.contains("<details class=\"settings\"><summary>All 19 settings, by stall</summary>"))
    #expect(text.contains("<details class=\"settings\"><summary>2 settings dropped by the race: "))
    #expect(!text.contains("<details open"))
    // Its means are of other sessions.
    #expect(!figure("<h3>Stall against waste", text).contains("\(dropped)<"))
    #expect(!figure("<h3>Distribution over", text).contains("\(dropped)<"))
    #expect(figure("<h3>Difference in stall", text).contains("\(dropped)<"))
  }

  @Test func `with a holdout, figures and headline show the sessions kept back`() {
    var result = SmallResult.result([("base", 0.5), ("other", 0.3)])
    for part in [LabRow.Part.train, .holdout] {
      for var row in result.rows where row.part == .all {
        row.part = part
        if part == .holdout, row.comparisons[.stall] != nil {
          row.comparisons[.stall] = PairedComparison(
            mean: -0.111, low: -0.2, high: -0.05, pairs: 40, verdict: .better)
        }
        result.rows.append(row)
      }
    }

    let text = HTMLReport(result).text

    #expect(figure("<h3>Difference in stall", text).contains("<b>−0.111 (−0.200…−0.050)</b> better"))
    #expect(text.contains("The figures show the sessions kept back, as the headline does."))
  }

  @Test(arguments: [[0.40, 0.41, 0.42, 50], [0, 0.4, 0.9, 40], [5.0, 5.1, 5.2, 53.8], [0.1, 0.2, 0.3]])
  func `one policy far away does not hide that the others differ`(stalls: [Double]) throws {
    let names = stalls.indices.map { "p\($0)" }
    let result = SmallResult.result(Array(zip(names, stalls)))

    let chart = figure("<h3>Stall against waste", HTMLReport(result).text)

    let heights = try names.map { name in
      let mark = try #require(
        chart.components(separatedBy: "<title>\(name): ").first?.components(separatedBy: "d=\"M").last)
      return try #require(Double(mark.split(separator: " ")[1].prefix { $0 != "a" && $0 != "L" }))
    }
    for (lower, upper) in zip(heights, heights.dropFirst()) { #expect(lower - upper > 25, "\(heights)") }
  }

  @Test func `the timeline opens on the longest stall of the headline's policy`() {
    var result = SmallResult.result([("base", 0.5), ("other", 0.3)])
    for (name, session, stall) in [("base", 0, 9.0), ("other", 0, 1.0), ("other", 7, 3.0)] {
      let setting = LabSetting(source: "s", policy: name, workload: "w", network: "n")
      var timeline = SessionTimeline(setting: setting, session: session)
      (timeline.duration, timeline.seen) = (300, 50)
      timeline.viewport = (0..<300).map { .init(time: Double($0), first: $0 / 6, last: $0 / 6 + 6) }
      timeline.loaded = [
        .init(time: 1, items: 20), .init(time: 100 + stall, items: 60), .init(time: 200, items: 80),
      ]
      timeline.stalls = [.init(start: 0, end: 1, item: 0), .init(start: 100, end: 100 + stall, item: 22)]
      timeline.fetches = [
        .init(start: 0, end: 1, items: 0..<20, outcome: .used, reason: ""),
        .init(start: 150, end: 200, items: 60..<80, outcome: .used, reason: ""),
      ]
      result.timelines.append(timeline)
    }

    let text = HTMLReport(result).text

    let chart = part(text, from: "id=\"timeline\"", to: "</figure>")
    #expect(part(text, from: "id=\"pick-session\"", to: "</select>").contains("value=\"7\" selected"))
    #expect(part(text, from: "id=\"pick-policy\"", to: "</select>").contains("selected=\"selected\">other<"))
    // 15 s around the middle of the stall: 94 to 109.
    #expect(chart.contains(">94</text>") && chart.contains(">108</text>") && !chart.contains(">0</text>"))
    #expect(chart.contains("waited 3.000 s for item 22, from 100.000 s"))
    #expect(chart.contains("2 fetches, 1 of them wasted"), "a page that no one saw was wasted")
  }
}
