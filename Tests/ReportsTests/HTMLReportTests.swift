import Experiments
import Foundation
import Paging
import Reports
import Testing

@Suite struct HTMLReportTests {
  @Test func `equal results give equal bytes`() {
    let texts = (0..<3).map { _ in HTMLReport(DemoResult.usual.result).text }

    #expect(Set(texts).count == 1)
  }

  @Test func `eight policies with 200 sessions and 24 timelines stay below 300 kB`() {
    let result = DemoResult.usual.result

    let size = HTMLReport(result).text.utf8.count

    #expect(
      result.rows.count == 8 && result.rows.allSatisfy { $0.scores.count == 200 }
        && result.timelines.count == 24)
    #expect(size < 300_000)
  }

  @Test func `long and dense sessions are thinned until the report is small`() {
    var result = DemoResult.usual.result
    for place in result.timelines.indices {
      var random = RandomStream(seed: UInt64(place))
      var timeline = SessionTimeline(setting: result.timelines[place].setting, session: place % 3)
      timeline.duration = 9000
      for step in 0..<20_000 {
        let first = Int(random.unit() * 100_000)
        timeline.viewport.append(.init(time: Double(step) * 0.45, first: first, last: first + 7))
      }
      for step in 0..<3000 {
        let (start, first) = (Double(step) * 3, step * 20)
        let end = start + 0.1 + 5 * random.unit()
        timeline.loaded.append(.init(time: end, items: first + 20))
        timeline.fetches.append(
          .init(
            start: start, end: end, items: first..<first + 20, outcome: .wasted,
            reason: "reason \(random.unit())"))
        timeline.stalls.append(.init(start: start, end: end, item: first))
      }
      timeline.seen = 50_000
      result.timelines[place] = timeline
    }

    let text = HTMLReport(result).text

    #expect(text.utf8.count < 300_000)
    #expect(!text.contains("timelines were left out"))
    #expect(text.contains("3000 fetches (the "))
    #expect(text.contains("3000 of them wasted"))
  }

  @Test func `the script that every report has is below 12 kB`() {
    let text = HTMLReport(LabResult()).text

    let script = text.components(separatedBy: "<script>").last ?? ""

    #expect(script.contains("use strict"))
    #expect(script.utf8.count < 12_288)
  }

  @Test func `a report asks nothing of a network`() {
    let text = HTMLReport(DemoResult.usual.result).text

    for word in ["http:", "https:", " src=", "@import", "url(\"", "fetch(", "XMLHttpRequest", "WebSocket"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test(arguments: 0..<150)
  func `whatever the names and numbers, it is well-formed and draws no nonsense`(seed: Int) throws {
    var random = RandomResult(seed: UInt64(seed))
    let result = random.result()

    let text = HTMLReport(result).text

    #expect(MarkupCheck.fault(text) == nil, "seed \(seed)")
    let data =
      text.components(separatedBy: "id=\"data\">").last?.components(separatedBy: "</script>").first ?? ""
    #expect(throws: Never.self, "seed \(seed)") { try JSONSerialization.jsonObject(with: Data(data.utf8)) }
    for attribute in [" d=\"", " x=\"", " y=\"", " width=\"", " height=\""] {
      for part in text.components(separatedBy: attribute).dropFirst() {
        let value = part.prefix { $0 != "\"" }
        #expect(
          !value.contains("–") && !value.contains("n") && !value.contains("e"), "seed \(seed): \(value)")
      }
    }
  }

  @Test func `the check of markup finds faults`() {
    let faulty = [
      "<a>", "<a></b>", "<a b=c></a>", "<a b=\"<\"></a>", "a & b", "<a b=\"1\" b=\"2\"/>", "1 < 2",
      "<a/>\u{1}",
    ]

    #expect(faulty.allSatisfy { MarkupCheck.fault($0) != nil })
    #expect(MarkupCheck.fault("<a b=\"&lt;\">1 &amp; 2<c/></a>") == nil)
  }

  @Test func `forty policies keep their own rows in every figure`() {
    var demo = DemoResult()
    demo.policies = (0..<40).map { ("policy\($0)", [], $0 * 3) }
    (demo.sessions, demo.timelines) = (5, 1)

    let text = HTMLReport(demo.result).text

    let forest =
      text.components(separatedBy: "Difference in stall").last?.components(separatedBy: "</figure>").first
      ?? ""
    #expect(text.utf8.count < 300_000)
    #expect(forest.components(separatedBy: "class=\"interval\"").count - 1 == 40)
    #expect(MarkupCheck.fault(text) == nil)
    let marks = Set(
      (0..<40).map { number -> String in
        let row = text.components(separatedBy: "</svg>policy\(number)<").first ?? ""
        return String(row.components(separatedBy: "<path ").last ?? "")
      })
    #expect(marks.count == 40)
  }

  @Test func `figures of a small result are as recorded`() throws {
    let text = HTMLReport(SmallResult.result).text

    let pictures = text.components(separatedBy: "<svg ").dropFirst().map {
      "<svg " + $0.components(separatedBy: "</svg>")[0] + "</svg>"
    }
    let lines = pictures.filter { $0.contains("role=\"img\"") }.map {
      $0.replacingOccurrences(of: "><", with: ">\n<")
    }

    #expect(lines.count == 3)
    #expect(try Golden("figures.txt").difference(from: lines.joined(separator: "\n\n") + "\n") == nil)
  }

  @Test func `figures of a sweep are as recorded`() throws {
    var demo = DemoResult.sweep
    demo.policies = demo.policies.filter {
      ($0.parameters.first?.value ?? 0) <= 2 && ($0.parameters.last?.value ?? 0) <= 5
    }
    (demo.sessions, demo.timelines) = (6, 0)
    let text = HTMLReport(demo.result).text

    let pictures = text.components(separatedBy: "<svg ").dropFirst().map {
      "<svg " + $0.components(separatedBy: "</svg>")[0] + "</svg>"
    }
    let lines = pictures.filter { $0.contains(" along ") || $0.contains(" over screens") }

    #expect(lines.count == 5)
    #expect(
      try Golden("sweep.txt").difference(
        from: lines.map { $0.replacingOccurrences(of: "><", with: ">\n<") }.joined(separator: "\n\n") + "\n")
        == nil)
  }

  @Test func `a result of nothing is a report that says so`() {
    let text = HTMLReport(LabResult()).text

    #expect(text.contains("<h1>Nothing was run</h1>"))
    #expect(MarkupCheck.fault(text) == nil)
  }
}
