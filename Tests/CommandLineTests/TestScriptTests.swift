import Foundation
import Testing

/// `scripts/test.sh` itself, with a `swift` that only pretends.
@Suite(.waiting) struct TestScriptTests {
  /// A checkout in which `swift` leaves a process behind that has left its session, and then does what it is told.
  private static func checkout(_ swift: String) throws -> Scratch {
    let scratch = try Scratch()
    for folder in ["scripts", "Tests", "bin"] { _ = try scratch.shell("mkdir \(folder)") }
    for file in ["scripts/test.sh", "Tests/suite_summary.py"] {
      try scratch.write(file, try Repository.text(file))
    }
    try scratch.write("scripts/bootstrap.sh", "#!/bin/sh\n")
    try scratch.write(
      "bin/swift", "#!/bin/bash\necho \"$@\" > given\nsetsid sleep 300 &\necho $! > left\n\(swift)\n")
    try scratch.makePrograms("scripts/*.sh", "bin/swift")
    return scratch
  }

  private static func command(_ scratch: Scratch, _ arguments: String = "") -> Command {
    Command("/bin/bash", ["-c", "PATH=$PWD/bin:$PATH exec scripts/test.sh \(arguments)"]).within(scratch)
  }

  /// Whether the process that was left is there; one that nobody has waited for yet is none.
  private static func isLeft(_ scratch: Scratch) throws -> Bool {
    let identifier = try scratch.text("left").trimmingCharacters(in: .newlines)
    return (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(identifier)/cmdline")))?.isEmpty == false
  }

  /// An event of the stream that `swift test` writes.
  private static func event(_ kind: String, _ test: String, at instant: Double) -> String {
    let payload = "{\"kind\":\"\(kind)\",\"testID\":\"\(test)\",\"instant\":{\"absolute\":\(instant)}}"
    return "{\"kind\":\"event\",\"payload\":\(payload)}"
  }

  @Test func `what the tests leave behind is ended, and the exit code is theirs`() throws {
    let scratch = try Self.checkout("exit 3")

    let result = try Self.command(scratch, "--filter 'A B'").run()

    #expect(result.exitCode == 3, "\(result.errors)")
    #expect(try scratch.text("given").hasSuffix(" --filter A B\n"))
    #expect(result.errors.contains("ended what the tests left behind: "))
    #expect(try !Self.isLeft(scratch))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `an interrupt ends the tests and what they started`(signal: Int32) throws {
    let scratch = try Self.checkout("echo begun\nsleep 300")
    var command = Self.command(scratch)
    command.isToBeInterrupted = { $0.output.contains("begun") }
    command.signals = [signal]

    let result = try command.run()

    #expect(result.exitCode == 128 + signal, "\(result.errors)")
    #expect(try !Self.isLeft(scratch))
  }

  @Test func `the slowest suites are told at the end`() throws {
    let lines = [
      Self.event("testStarted", "A.QuickTests/one/One.swift:1", at: 10),
      Self.event("testEnded", "A.QuickTests/one/One.swift:1", at: 10.5),
      Self.event("testStarted", "A.SlowTests/two/Two.swift:1", at: 11),
      Self.event("testEnded", "A.SlowTests/two/Two.swift:1", at: 17.25),
    ]
    let scratch = try Self.checkout("cp events \"$7\"")
    try scratch.write("events", lines.joined(separator: "\n") + "\n{\"cut")

    let result = try Self.command(scratch, "--no-parallel").run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.output == """

        tests took 7 s; the slowest suites:
             6.2 s  A.SlowTests
             0.5 s  A.QuickTests

        """)
  }

  /// The rest of the output may be megabytes; who has the end of it has the reason.
  @Test func `what failed is told last`() throws {
    let test = "A.OddTests/one/One.swift:1"
    let issue = #"{"isKnown":false,"sourceLocation":{"fileID":"A/One.swift","line":12}}"#
    let payload =
      "{\"kind\":\"issueRecorded\",\"testID\":\"\(test)\",\"instant\":{\"absolute\":3},"
      + "\"issue\":\(issue),\"messages\":[{\"text\":\"Expectation failed\"},{\"text\":\"1 == 2\"}]}"
    let scratch = try Self.checkout("cp events \"$7\"; exit 1")
    try scratch.write("events", "{\"kind\":\"event\",\"payload\":\(payload)}\n")

    let result = try Self.command(scratch).run()

    #expect(result.exitCode == 1, "\(result.errors)")
    #expect(
      result.output.hasSuffix("\n1 failed:\n\(test) (A/One.swift:12): Expectation failed 1 == 2\n"),
      "\(result.output)")
  }
}
