import Foundation
import Testing

@Suite(.waiting) struct InterruptTests {
  /// A run that is interrupted when something has come out.
  private func interrupted(_ arguments: [String], by signals: Int32...) throws -> CommandResult {
    var command = Command.lookahead(
      ["run", "feed.lua", "--param", "count=1000000", "--param", "wait=0.02"] + arguments)
    command.isToBeInterrupted = { $0.lines.count >= 100 }
    command.signals = signals.isEmpty ? [SIGINT] : signals
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

  /// So `timeout` does it: to its child, and then to the group in which that is.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal that comes twice at once is one request`(signal: Int32) throws {
    let result = try interrupted([], by: signal, signal, signal)

    #expect(result.exitCode == 130, "\(result.errors)")
    #expect(result.error == "error: interrupted; what was written is kept")
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

  @Test(arguments: ["1", "2"])
  func `what a handler has left behind is interrupted, on every thread`(jobs: String) throws {
    let script = """
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context)
        lookahead.spawn(function()
          lookahead.sleep(0.2)
          print("still here")
          while true do lookahead.sleep(0.05) end
        end)
        return { items = { { id = context.parameters.n } } }
      end
      return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
      """
    var command = Command.lookahead(["run", "feed.lua", "--jobs", jobs])
    command.isToBeInterrupted = { $0.errors.components(separatedBy: "still here").count == 3 }

    let result = try command.within(Scratch(script: script)).run()

    #expect(result.exitCode == 130, "\(result.errors)")
    #expect(result.lines.count == 2, "\(result.output)")
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
    // What SIGCONT says is nothing, so the search has begun when SIGINT comes.
    (command.signals, command.pause) = ([SIGCONT, SIGINT, SIGTERM], .milliseconds(600))
    let script = "print(\"busy\")\nreturn (\"a\"):rep(40):find((\"a?\"):rep(40) .. (\"a\"):rep(40))"

    let result = try command.within(Scratch(script: script)).run()

    #expect([130, 143].contains(result.exitCode))
    #expect(result.errors == "busy\n")
  }

  /// The summary waits for a pipe that is full, when everything else is over.
  @Test(arguments: ["TERM", "HUP"])
  func `what is over is over: a signal that comes behind it changes nothing`(signal: String) throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "items", id = "id" }
        function s.fetch() return { items = { { id = 1 }, { id = 2 } } } end
        return s
        """)
    let run = "\(Repository.binary) run feed.lua -o a.db --append"

    let result = try scratch.shell(
      """
      mkfifo p; exec 3<>p; head -c 65536 /dev/zero >&3
      \(run) --summary p 2>errors & pid=$!
      until [ "$(sqlite3 -readonly a.db "select value from _lookahead_state where name = 'isOpen'" 2>/dev/null)" = 0 ]; do :; done
      kill -\(signal) $pid; cat <&3 >/dev/null & wait $pid; echo $?; kill $!
      \(run) -q; echo $?; sqlite3 a.db "select _reading, count(*) from items group by 1"; cat errors >&2
      """)

    #expect(result.output == "0\n0\n1|2\n2|2\n", "\(result.output)\(result.errors)")
  }

  @Test func `a second signal ends what hangs behind the end of a run`() throws {
    let scratch = try Scratch(script: "lookahead.emit({ id = 1 }, \"items\")")

    let result = try scratch.shell(
      """
      mkfifo p; exec 3<>p; head -c 65536 /dev/zero >&3
      \(Repository.binary) run feed.lua -o a.db --no-state 2>&3 & pid=$!
      until sqlite3 -readonly a.db "select 1 from items" >/dev/null 2>&1; do :; done
      kill -INT $pid; sleep 0.4; kill -TERM $pid; wait $pid; echo $?
      """)

    #expect(["130\n", "143\n"].contains(result.output), "\(result.output)\(result.errors)")
  }

  @Test func `a run whose output is not taken is no whole one when it is interrupted at its end`() throws {
    let scratch = try Scratch(
      script: "for id = 1, 5000 do lookahead.emit { id = id, text = (\"x\"):rep(50) } end print(\"all\")")

    let result = try scratch.shell(
      "mkfifo p; exec 3<>p; \(Repository.binary) run feed.lua >p 2>errors & pid=$!; "
        + "until grep -q all errors; do :; done; kill -INT $pid; wait $pid; echo $?; cat errors")

    #expect(result.output.hasPrefix("130\n"), "\(result.output)")
    #expect(result.output.contains("error: interrupted; what was written is kept"))
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
