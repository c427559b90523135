import Foundation
import Testing

@Suite(.waiting) struct OddOutputTests {
  @Test(arguments: [
    "run feed.lua", "run ask.lua --allow-net --dry-run", "run feed.lua --preview", "manual", "--help",
    "--version",
    "check feed.lua", "run feed.lua -o x.ndjson --summary -",
  ])
  func `a closed standard output is told of`(line: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("ask.lua", Self.asking)

    let result = try scratch.shell("lookahead \(line) >&-")

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.errors.contains("can't write standard output: it is closed"), "\(result.errors)")
  }

  @Test func `closed standard streams are not taken by files and pipes`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      "lookahead run feed.lua --limit 2 -o out.ndjson <&- >&- 2>&-; echo $?; wc -l < out.ndjson")

    #expect(result.lines == ["0", "2"])
  }

  private static let asking = "lookahead.http.get('http://127.0.0.1:1/x')"

  @Test(arguments: [
    "run feed.lua --limit 2 -o x.ndjson --trace /dev/full",
    "run feed.lua --limit 2 -o x.ndjson --record /dev/full",
    "run feed.lua --limit 2 -o x.ndjson --summary /dev/full", "run feed.lua --preview > /dev/full",
    "run ask.lua --allow-net --dry-run > /dev/full", "run feed.lua --help-script > /dev/full",
    "check feed.lua > /dev/full",
    "check --format json feed.lua > /dev/full", "types --print stubs > /dev/full", "manual > /dev/full",
    "--help > /dev/full",
    "run --help > /dev/full", "--version > /dev/full", "--generate-completion-script bash > /dev/full",
    "new source other > /dev/full", "lab --sessions 2 --quiet > /dev/full",
    "lab --sessions 2 --quiet --report /dev/full",
    "get \(Server.faults.base(run: "full", "items=20"))/list --as-script > /dev/full",
    "browse feed.lua --script settle > /dev/full",
    "browse feed.lua --script q --summary /dev/full", "repl --no-init > /dev/full <<< 1+1",
  ])
  func `a full disk ends with 73`(line: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("ask.lua", Self.asking)

    let result = try scratch.shell("lookahead \(line)")

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.errors.contains("no space left on device"), "\(result.errors)")
  }

  @Test(arguments: ["manual", "--help", "run feed.lua", "run feed.lua --preview"])
  func `a reader who goes is no failure`(line: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      "set -o pipefail; lookahead \(line) | head -n 1 > /dev/null; echo ${PIPESTATUS[0]}")

    #expect(["0", "141"].contains(result.lines.last ?? ""))
    #expect(!result.errors.contains("error"), "\(result.errors)")
  }

  @Test func `a reader who goes has not got all, and the summary says so`() throws {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { pageSize = 100 }
        function source.fetch(context)
          local first, items = context.key or 0, {}
          for id = first, first + 99 do items[#items + 1] = { id = id, text = ("x"):rep(1000) } end
          return { items = items, nextKey = first < 9900 and first + 100 or nil }
        end
        return source
        """)

    let result = try scratch.shell("lookahead run feed.lua --summary sum.json | head -n 3; cat sum.json")

    #expect(result.output.contains(#""complete":false,"exitCode":0"#), "\(result.output)\(result.errors)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a pipe that nobody reads does not keep the first signal waiting`(signal: Int32) throws {
    let scratch = try Scratch(script: "print('ready') " + Scripts.numbers)
    #expect(mkfifo("\(scratch.path)/out", 0o600) == 0)
    var command = Command.lookahead(["run", "feed.lua", "-o", "out"]).within(scratch)
    command.isToBeInterrupted = { $0.errors.contains("ready") }
    command.signals = [signal]

    let result = try command.run()

    #expect(result.exitCode == 130, "\(result.errors)")
  }

  @Test func `a hang-up saves what is there, as an interruption does`() throws {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { name = "slow", keys = "page", pageSize = 1 }
        function source.fetch(context)
          print("page " .. context.key)
          lookahead.sleep(0.05)
          return { items = { { id = context.key } } }
        end
        return source
        """)
    var command = Command.lookahead(["run", "feed.lua", "-o", "out.ndjson", "--record", "r.jsonl"]).within(
      scratch)
    command.isToBeInterrupted = { $0.errors.contains("page 40") }
    command.signals = [SIGHUP]

    let result = try command.run()

    #expect(result.exitCode == 130, "\(result.errors)")
    #expect(try scratch.text("out.ndjson").split(separator: "\n").count >= 3)
    #expect(try scratch.text("r.jsonl").contains("\"ended\":"))
  }

  @Test func `no output takes the place of the script or of a database`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    _ = try scratch.shell("sqlite3 in.db 'create table t (a); insert into t values (1)'")

    let script = try scratch.lookahead("run", "feed.lua", "-o", "./feed.lua")
    let trace = try scratch.lookahead("run", "feed.lua", "--trace", "feed.lua")
    let database = try scratch.lookahead("run", "feed.lua", "-o", "in.db", "--format", "ndjson")

    #expect([script.exitCode, trace.exitCode, database.exitCode] == [64, 64, 73])
    #expect(script.errors == "error: -o ./feed.lua: that is the script itself, and would be written over\n")
    #expect(database.errors.contains("in.db is a database"), "\(database.errors)")
    #expect(try scratch.text("feed.lua") == Scripts.numbers)
    #expect(try scratch.shell("sqlite3 in.db 'select a from t'").output == "1\n")
  }

  @Test(arguments: ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"])
  func `other names of standard output do not empty the file that it is`(path: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    _ = try scratch.shell("echo before > log; lookahead run feed.lua --limit 1 -o \(path) >> log")

    #expect(try scratch.text("log").hasPrefix("before\n{"))
  }
}
