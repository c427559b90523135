import Foundation
import Testing

/// Commands of the prompt, typed through a pipe.
@Suite(.waiting) struct ReplCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func repl(_ lines: String..., arguments: [String] = []) throws -> CommandResult {
    var command = Command.lookahead(["repl", "--no-init"] + arguments).within(scratch)
    command.input = lines.map { $0 + "\n" }.joined()
    return try command.run()
  }

  @Test func `all commands are listed, each with what it does`() throws {
    let result = try repl(":?")

    for name in [
      "help", "doc", "source", "inspect", "wtf", "time", "bench", "trace", "load", "reload", "edit", "save",
      "history",
      "grant", "limits", "set", "quit",
    ] {
      #expect(result.lines.contains { $0.hasPrefix(":\(name)") }, "\(name)")
    }
    #expect(result.exitCode == 0)
  }

  @Test(arguments: [
    (":reloda", "there is no command :reloda\n  Is it :reload? :? lists them all."),
    (":lo", ":load expects a file"), (":so", ":source expects a name"),
    (":re", "there are several commands :re…"),
    (":quit now", ":quit takes nothing, got now"), (":doc http.gett", "the API has no http.gett"),
    (":set deepness 3", "there is no setting deepness"), (":set depth many", ":set depth expects a number"),
    (":grant moon=1", "there is nothing to grant that is called moon"),
    (":grant net=", ":grant net= expects a name"),
    (":limits memory=lots", ":limits memory= expects a size"),
    (":load nothing.lua", ":load can't read nothing.lua: no such file"),
    (":source 1", "1 is a number, and no function of Lua"), (":wtf", "nothing has failed yet"),
    (":reload", "no script was given to reload"), (":save x.lua", "there is nothing to save"),
  ])
  func `a command that can't be done says why`(line: String, error: String) throws {
    let result = try repl(line)

    #expect(result.errors.hasPrefix("error: " + error), "\(result.errors)")
    #expect(result.exitCode == 1)
  }

  @Test func `the beginning of a command's name is enough where it is the only one`() throws {
    #expect(try repl(":hel doc").output.hasPrefix(":doc NAME\n"))
    #expect(try repl(":q", "1").output == "")
  }

  @Test func `a function is shown as it was written`() throws {
    try scratch.write("feed.lua", "local x = 1\nlocal function twice(n)\n  return 2 * n\nend\n")

    let result = try repl(":source twice", arguments: ["feed.lua"])

    #expect(result.lines == ["feed.lua:2", "2  local function twice(n)", "3    return 2 * n", "4  end"])
  }

  @Test func `time is measured once and many times`() throws {
    let once = try repl(":time math.floor(2.5)")
    let many = try repl(":bench math.floor(2.5)")
    let statements = try repl(":bench local t = {} t[1] = 2")

    #expect(once.lines.count == 2 && once.lines[0] == "2")
    #expect(once.lines[1].firstMatch(of: /^[\d.]+ (ns|µs|ms|s) · [+-].* of memory$/) != nil)
    #expect(
      many.lines[0].firstMatch(of: /^[\d.]+ ns per call \(median\), [\d.]+ ns … [\d.]+ \S+ \(min … max\)$/)
        != nil)
    #expect(many.lines[1].firstMatch(of: /^7 batches of [\d,]+ calls/) != nil)
    #expect(statements.exitCode == 0 && statements.lines.count == 2)
  }

  @Test func `an expression that fails is no measurement`() throws {
    let result = try repl(":bench error('no')", ":bench = =", "'after'")

    #expect(result.errors.contains("error: ") && result.errors.contains("no"))
    #expect(result.output == "\"after\"\n")
  }

  @Test func `what is granted can be reached from then on`() throws {
    try scratch.write("secret.txt", "inside")
    let elsewhere = try Scratch(script: "local fs = lookahead.fs")
    let file = scratch.path + "/secret.txt"

    var command = Command.lookahead(["repl", "--no-init"]).within(elsewhere)
    command.input = "lookahead.fs.read('\(file)')\n:grant read=\(file)\nlookahead.fs.read('\(file)')\n"
    let result = try command.run()

    #expect(result.errors.contains("it was not granted (allow it with :grant read=\(file))"))
    #expect(result.lines.last == "\"inside\"")
    #expect(
      result.lines.first?.contains("read \(elsewhere.path) \(file)") == true
        || result.lines.first?.contains(file) == true)
  }

  @Test func `a limit holds for the lines after it`() throws {
    let result = try repl(
      ":limits memory=8MB time=200ms", "s = string.rep('x', 100000000)", "while true do end", "'still here'")

    #expect(result.output.hasSuffix("\"still here\"\n"))
    #expect(result.errors.contains("memory"))
    #expect(result.errors.contains("the line computed longer than it may without waiting"))
    #expect(result.errors.contains(":limits time=60s"))
  }

  @Test func `settings change how values are shown`() throws {
    let result = try repl("t = { a = { b = { c = 1 } } }", ":set depth 1", "t", ":set vertical on", ":set")

    #expect(!result.lines[0].contains("c"))
    #expect(result.lines.contains { $0.hasPrefix("vertical  on") })
  }

  @Test func `a file is run here, and the script is read again`() throws {
    try scratch.write("more.lua", "local more = 'more'\nreturn more")
    try scratch.write("feed.lua", "local version = 1\n")

    let loaded = try repl(":load more.lua", "more")
    let reloaded = try Command.shell(
      "{ printf 'mine = 5\\nversion\\n'; sleep 0.3; echo 'local version = 2' > feed.lua; printf ':reload\\nversion, mine\\n'; } "
        + "| lookahead repl feed.lua"
    ).within(scratch).run()

    #expect(loaded.output == "\"more\"\n\"more\"\n")
    #expect(reloaded.lines == ["1", "reloaded feed.lua", "2", "5"])
  }

  @Test func `a trace is written as a run writes it`() throws {
    try scratch.write("feed.lua", Scripts.numbers)

    let result = try repl(
      ":trace out.jsonl", "n = 0", "for item in _:items() do n = n + 1 if n == 5 then break end end",
      ":trace off",
      arguments: ["feed.lua"])

    #expect(result.errors == "")
    let lines = try scratch.text("out.jsonl").split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { json(String($0)) is [String: Any] })
  }

  @Test func `history of a session is listed and searched`() throws {
    #expect(try repl("a = 1", "b = 2", ":history").output == "a = 1\nb = 2\n")
    #expect(try repl("a = 1", "b = 2", ":history b =").output == "b = 2\n")
  }
}
