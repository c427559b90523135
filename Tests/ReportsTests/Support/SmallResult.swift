import Experiments
import Foundation

/// A result of two policies, an oracle and four sessions, small enough to read what is made of it.
enum SmallResult {
  static let result: LabResult = {
    var demo = DemoResult()
    demo.title = "Small"
    demo.policies = [("near", [], 7), ("far", [], 40)]
    demo.sessions = 4
    demo.timelines = 1
    return demo.result
  }()

  /// One row for each stall; the first is the baseline, and the verdict of the others is as given.
  static func result(
    _ stalls: [(name: String, stall: Double)], verdict: PairedComparison.Verdict = .better
  ) -> LabResult {
    var result = LabResult()
    result.title = "Stalls"
    result.sessions = 1
    result.baseline = stalls.first?.name ?? ""
    for (name, stall) in stalls {
      var row = LabRow(setting: LabSetting(source: "s", policy: name, workload: "w", network: "n"))
      row.scores = [SessionScore(session: 0)]
      row.scores[0].stall = stall
      row = DemoStatistics.summed(row)
      if name != result.baseline, let base = stalls.first?.stall {
        row.comparisons[.stall] = PairedComparison(
          mean: stall - base, low: stall - base - 0.04, high: stall - base + 0.04, pairs: 40, verdict: verdict
        )
      }
      result.rows.append(row)
    }
    return result
  }
}

/// A file of expected text. With `LOOKAHEAD_RECORD` in the environment it is written instead, to be looked at.
struct Golden {
  private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Cases")
  private let url: URL

  init(_ name: String) { url = Self.folder.appendingPathComponent(name) }

  /// The first line that differs, as expected and as it is; nil where all is as expected.
  func difference(from text: String) throws -> String? {
    if ProcessInfo.processInfo.environment["LOOKAHEAD_RECORD"] != nil {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    guard expected != text else { return nil }
    let lines = (
      expected.split(separator: "\n", omittingEmptySubsequences: false),
      text.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let place = zip(lines.0, lines.1).enumerated().first { $0.element.0 != $0.element.1 }
    return place.map { "line \($0.offset + 1): expected \($0.element.0), got \($0.element.1)" }
      ?? "\(lines.0.count) lines expected, \(lines.1.count) came"
  }
}
