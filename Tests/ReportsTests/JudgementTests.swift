import Experiments
import Foundation
import Reports
import Testing

/// What a comparison with the baseline is said to show, in every report.
@Suite struct JudgementTests {
  private func result(_ change: (inout PairedComparison) -> Void) -> LabResult {
    var result = SmallResult.result([("base", 0.5), ("other", 0.4)], verdict: .notResolved)
    if var comparison = result.rows[1].comparisons[.stall] {
      change(&comparison)
      result.rows[1].comparisons[.stall] = comparison
    }
    return result
  }

  @Test func `where few sessions differ, every report says so`() {
    let result = result { $0.differing = 3 }

    let words = "only 3 of 40 sessions differ"
    #expect(TableReport(result).text.contains("−0.100 (−0.140…−0.060) not resolved: \(words)"))
    #expect(HTMLReport(result).text.contains("◇ not resolved: \(words)<"))
    #expect(JSONReport(result).text.contains("\"reason\":\"\(words)\""))
    #expect(TableReport(result).text.contains("(95 % 0.060…0.140); \(words)\n"))
  }

  @Test func `a verdict that does not hold for all rows at once is given nowhere`() {
    let result = result {
      ($0.verdict, $0.adjustedVerdict) = (.better, .notResolved)
      ($0.adjustedLow, $0.adjustedHigh) = (-0.21, 0.01)
    }

    let (table, page) = (TableReport(result).text, HTMLReport(result).text)
    #expect(table.contains("−0.100 (−0.210…+0.010) not resolved"))
    #expect(page.contains("<b>−0.100 (−0.210…+0.010)</b> not resolved</div>"))
    #expect(!table.contains("better") && !page.contains("● better<"))
  }

  @Test func `what is equal in the headline is equal in the table`() {
    let result = result {
      ($0.mean, $0.adjustedLow, $0.adjustedHigh) = (-0.001, -0.004, 0.002)
    }

    let table = TableReport(result).text

    #expect(table.contains("−0.001 (−0.004…+0.002) equal within 0.01"))
    #expect(table.contains("other and base are equal within 0.01 s a session (95 % −0.002…0.004)"))
    #expect(HTMLReport(result).text.contains("= equal within 0.01<"))
  }

  @Test(arguments: [1, 2])
  func `one or two sessions have no interval`(sessions: Int) {
    var demo = DemoResult()
    demo.policies = [("near", [], 7), ("far", [], 40)]
    (demo.sessions, demo.timelines) = (sessions, 0)

    let table = TableReport(demo.result).text

    #expect(!table.contains("±") && !table.contains("…"))
    #expect(table.contains("not resolved: only \(sessions) session"))
    #expect(table.contains("no intervals: "))
    #expect(!HTMLReport(demo.result).text.contains(/\d…\d/))
    #expect(JSONReport(demo.result).text.contains("\"low\":null"))
  }

  /// Stalls are skewed, and the interval of their mean reaches farther to one side.
  @Test func `the interval that is shown is the one that was computed, in every report`() {
    var result = SmallResult.result
    result.rows[0].summaries[.stall]?.interval = 0.151...0.602

    let (page, lines) = (HTMLReport(result).text, Array(CSVReport(result)))

    #expect(TableReport(result).text.contains("near      0.275 (0.151…0.602)  "))
    #expect(page.contains(">0.275 (0.151…0.602)</td>") && page.contains(">0.151…0.602</td>"))
    #expect(page.contains("<title>near: stall 0.275 (0.151…0.602) s, "))
    #expect(lines.contains("1,pages of 20,fling,lognormal,near,all,,stall.low,0.151\n"))
    #expect(lines.contains("1,pages of 20,fling,lognormal,near,all,,stall.high,0.602\n"))
    #expect(JSONReport(result).text.contains("\"low\":0.151,\"high\":0.602,"))
  }

  @Test func `one policy alone is told with its interval`() {
    var demo = DemoResult()
    (demo.policies, demo.hasOracle, demo.sessions, demo.timelines) = ([("near", [], 7)], false, 4, 0)

    #expect(TableReport(demo.result).text.hasSuffix("near waits 0.275 s a session (95 % 0.212…0.338)\n"))
  }

  @Test func `what scripts say can't control a terminal or a file's lines`() {
    var result = SmallResult.result([("base", 0.5), ("bad\u{1B}[31m\u{9B}2J", 0.4)])
    result.title = "title\u{7}"
    result.rows[1].failure = .policy(session: 0, message: "bad\u{1B}[31m bell\u{7}\nnext\rline \u{202E}rtl")

    let texts = [
      TableReport(result).text, CSVReport(result).joined(), HTMLReport(result).text, JSONReport(result).text,
    ]

    for text in texts {
      let hazards = text.unicodeScalars.filter {
        $0 != "\n" && ($0.value < 32 || 127...159 ~= $0.value || $0 == "\u{202E}")
      }
      #expect(hazards.isEmpty)
    }
    #expect(texts[0].contains("bell\\u{7}\\u{a}next\\u{d}line"))
  }
}
