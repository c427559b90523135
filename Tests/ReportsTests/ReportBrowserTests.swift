import Experiments
import Foundation
import Reports
import Testing

/// A report in a real browser: what a person can do there, without an error in the console.
@Suite struct ReportBrowserTests {
  private static let script = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Browser/report_test.py")
    .path

  /// What does not hold, and what was written besides; empty where all holds.
  private func failures(_ result: LabResult) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "lookahead-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("report.html")
    try Data(HTMLReport(result).text.utf8).write(to: file)
    let output = folder.appendingPathComponent("output.txt")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", Self.script, file.path]
    let handle = try FileHandle(forWritingTo: output)
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    let wrong = lines.filter { !$0.hasPrefix("ok: ") }
    return process.terminationStatus == 0 && lines.count > 10
      ? wrong : wrong + ["it ended with \(process.terminationStatus)"]
  }

  @Test func `a usual report works in a browser`() throws {
    let found = try failures(DemoResult.usual.result)

    #expect(found == [])
  }

  @Test func `two parameters and one session make a report that works`() throws {
    var demo = DemoResult.sweep
    (demo.sessions, demo.hasOracle) = (1, false)

    let found = try failures(demo.result)

    #expect(found == [])
  }

  @Test func `a sweep with a holdout, dropped and failed settings and long names works`() throws {
    var demo = DemoResult()
    demo.policies = (1...20).map { ("distance", [LabParameter("items", Double($0))], $0 * 3) }
    demo.policies.append((String(repeating: "very long ", count: 12), [], 9))
    demo.policies.append((String(repeating: "unbroken", count: 12), [], 11))
    (demo.sessions, demo.timelines) = (12, 1)
    var result = demo.result
    for place in [4, 5, 6] { (result.rows[place].isDropped, result.rows[place].isOnFront) = (true, false) }
    result.rows[8].failure = .policy(
      session: 0, message: "a.lua:1: \u{1B}[31m" + String(repeating: "x", count: 90))
    for part in [LabRow.Part.train, .holdout] {
      for var row in result.rows where row.part == .all {
        row.part = part
        result.rows.append(row)
      }
    }

    let found = try failures(result)

    #expect(found == [])
  }

  @Test func `a report without timelines, all numbers zero, works`() throws {
    let result = SmallResult.result([("one", 0), ("other", 0)], verdict: .notResolved)

    let found = try failures(result)

    #expect(found == [])
  }

  @Test func `names that look like markup are only names`() throws {
    var demo = DemoResult()
    demo.title = "<script>alert(1)</script>"
    demo.policies = [
      ("</script><b>", [], 14), ("a & \"b\" 'c'", [], 0), ("ひらがな 🙂", [LabParameter("<p>", 1)], 7),
      ("ひらがな 🙂", [LabParameter("<p>", 2)], 30),
    ]
    (demo.workloads, demo.networks) = (["<i>", "w,\n2"], ["n&amp;"])
    (demo.sessions, demo.timelines) = (12, 2)

    let found = try failures(demo.result)

    #expect(found == [])
  }
}
