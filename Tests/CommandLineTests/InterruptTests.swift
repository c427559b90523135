import Foundation
import Testing

@Suite struct InterruptTests {
  /// A run that is interrupted when something has come out.
  private func interrupted(_ arguments: [String], by signal: Int32 = SIGINT) throws -> CommandResult {
    var command = Command.lookahead(
      ["run", "feed.lua", "--param", "count=1000000", "--param", "wait=0.02"] + arguments)
    command.isToBeInterrupted = { $0.lines.count >= 100 }
    command.signals = [signal]
    return try command.within(Scratch(script: Scripts.numbers)).run()
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `what was written before an interrupt is kept`(signal: Int32) throws {
    let result = try interrupted([], by: signal)

    let numbers = try #require(Items(lines: result.output)).numbers
    #expect(result.exitCode == 130)
    #expect(numbers.count >= 100 && numbers == Array(1...numbers.count))
    #expect(result.error == "error: interrupted; what was written is kept")
    #expect(result.summary != nil)
  }

  @Test func `a list of JSON is closed by an interrupt`() throws {
    let result = try interrupted(["--format", "json"])

    #expect(result.exitCode == 130)
    #expect((json(result.output) as? [Any])?.count ?? 0 >= 100)
  }

  @Test func `a script that computes is interrupted`() throws {
    var command = Command.lookahead(["run", "feed.lua"])
    command.isToBeInterrupted = { $0.errors.contains("busy") }

    let result = try command.within(Scratch(script: "print(\"busy\")\nwhile true do end")).run()

    #expect(result.exitCode == 130)
    #expect(result.error == "error: interrupted; what was written is kept")
  }

  @Test func `a wait of hours is interrupted`() throws {
    let base = Server.faults.base(run: "hours", "every_429=2/retry_after=200")
    var command = Command.lookahead(["run", "feed.lua", "--param", "base=\(base)", "--allow-net"])
    command.isToBeInterrupted = { $0.errors.contains("asked to wait") }

    let result = try command.within(Scratch(script: Scripts.pages)).run()

    #expect(result.exitCode == 130)
  }

  @Test func `a second signal ends what the first cannot reach`() throws {
    var command = Command.lookahead(["run", "feed.lua"])
    command.isToBeInterrupted = { $0.errors.contains("busy") }
    command.signals = [SIGINT, SIGTERM]
    let script = "print(\"busy\")\nreturn (\"a\"):rep(40):find((\"a?\"):rep(40) .. (\"a\"):rep(40))"

    let result = try command.within(Scratch(script: script)).run()

    #expect([130, 143].contains(result.exitCode))
    #expect(result.errors == "busy\n")
  }

  @Test func `a reader who takes nothing is not waited for`() throws {
    let scratch = try Scratch(
      script: """
        for id = 1, 100000 do
          lookahead.emit { id = id, text = ("x"):rep(50) }
          if id == 20000 then print("the pipe is full") end
        end
        """)

    let result = try scratch.shell(
      "mkfifo p; exec 3<>p; \(Repository.binary) run feed.lua >p 2>errors & pid=$!; "
        + "until grep -q full errors; do :; done; kill -INT $pid; wait $pid; echo $?; cat errors")

    #expect(result.output.hasPrefix("130\n"), "\(result.output)")
    #expect(result.output.contains("error: interrupted; what was written is kept"))
  }
}
