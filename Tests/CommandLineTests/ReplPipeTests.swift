import Foundation
import Testing

/// A prompt without a terminal: lines in, values out.
@Suite(.waiting) struct ReplPipeTests {
  private func repl(
    _ input: String, _ arguments: String..., in scratch: Scratch? = nil, settings: [String: String] = [:]
  ) throws -> CommandResult {
    var command = Command.lookahead(["repl"] + arguments).within(try scratch ?? Scratch())
    command.environment = settings.merging([
      "XDG_CONFIG_HOME": command.folder, "XDG_STATE_HOME": command.folder,
    ]) { $1 }
    command.input = input
    return try command.run()
  }

  @Test(arguments: [
    ("return 1+1", "2\n"), ("1 + 1\n", "2\n"), ("= 3, 4\n", "3\n4\n"), ("x = 5\nx * 2\n", "10\n"),
    ("local y = 'kept'\ny\n", "\"kept\"\n"), ("print(1, nil)\n", "1\tnil\n"), ("5;\n", ""),
    ("_ = 1\n_ + 1\n_ + 1\n", "2\n3\n"),
    ("for i = 1, 2 do\nprint(i)\nend\n", "1\n2\n"), ("function f()\n\n  return 7\nend\nf()\n", "7\n"),
    ("s = [[\n:help\n]]\n#s\n", "6\n"), ("-- nothing\n", ""), ("1 + 1\r\n2 + 2\r\n", "2\n4\n"),
    ("do goto done\n::done:: end\n", ""), ("", ""),
  ])
  func `lines are run one after the other, and only their values come out`(input: String, output: String)
    throws
  {
    let result = try repl(input)

    #expect(result.output == output)
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
  }

  @Test func `an error has its line, the rest still runs, and the code says that one failed`() throws {
    let result = try repl("a = 1\n\nif a then\n  error('boom')\nend\n'after'\n")

    #expect(result.output == "\"after\"\n")
    #expect(result.errors == "error: stdin:4: boom\n")
    #expect(result.exitCode == 1)
  }

  @Test func `the first error ends it where that is asked for`() throws {
    let result = try repl("'before'\nnil + 1\n'after'\n", "--stop-on-error")

    #expect(result.output == "\"before\"\n")
    #expect(result.exitCode == 1)
  }

  @Test func `what is never finished is an error at its end`() throws {
    let result = try repl("if true then\n")

    #expect(result.errors.hasPrefix("error: stdin:1:") && result.errors.contains("'end' expected"))
    #expect(result.exitCode == 1)
  }

  @Test func `a wait is waited for, also at the end of the input`() throws {
    let result = try repl("lookahead.sleep(0.05)\n'waited'\nlookahead.sleep(0.05) print('over')")

    #expect(result.output == "\"waited\"\nover\n")
    #expect(result.exitCode == 0)
  }

  @Test func `a line that is no text is named and left out`() throws {
    let scratch = try Scratch()
    try Data("x = 1\n".utf8 + [0x78, 0x3D, 0xFF, 0x0A] + "x\n".utf8).write(
      to: URL(fileURLWithPath: scratch.path + "/lines"))
    let result = try Command.shell("lookahead repl --no-init < lines").within(scratch).run()

    #expect(result.output == "1\n")
    #expect(result.errors.hasPrefix("error: stdin:2: the line is no text in UTF-8"))
    #expect(result.exitCode == 1)
  }

  @Test func `a trace takes no file that is there`() throws {
    let scratch = try Scratch()
    try scratch.write("feed.lua", "return 1")
    var command = Command.lookahead(["repl", "--no-init"]).within(scratch)
    command.input = ":trace feed.lua\n"

    let result = try command.run()

    #expect(result.errors.hasPrefix("error: feed.lua is there already"))
    #expect(try scratch.text("feed.lua") == "return 1")
  }

  @Test func `an interrupt ends it`() throws {
    var command = Command.lookahead(["repl"]).within(try Scratch())
    command.input = "print('busy')\nwhile true do end\nprint('after')\n"
    command.isToBeInterrupted = { $0.output.contains("busy") }

    let result = try command.run()

    #expect(result.output == "busy\n")
    #expect(result.exitCode == 130)
  }

  @Test func `a script's variables, sources and result are there`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write(
      "tools.lua", "local function twice(x) return 2 * x end\nlocal secret = 3\nreturn twice\n")

    let result = try repl("twice(4)\nsecret\n_1 == twice(4)\n", "tools.lua", in: scratch)

    #expect(result.output == "8\n3\ntrue\n")
  }

  @Test func `a script that fails is told, and the prompt still works`() throws {
    let result = try repl("1 + 1\n", "feed.lua", in: try Scratch(script: "local x = nil\nreturn x.y"))

    #expect(result.errors.hasPrefix("error: feed.lua:2: "))
    #expect(result.output == "2\n")
  }

  @Test func `secrets are never shown`() throws {
    let scratch = try Scratch(
      script:
        "local parameters = lookahead.parameters({ token = { secret = true } })\nlocal token = parameters.token"
    )

    let result = try repl(
      "token\nprint('it is ' .. token)\nerror(token)\n{ token }\n", "feed.lua", "--secret", "token=hunter2",
      in: scratch)

    #expect(!result.output.contains("hunter2") && !result.errors.contains("hunter2"))
    #expect(result.output.contains("it is [secret]"))
  }

  @Test func `the person's own beginning is run first, and its error stops nothing`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/lookahead", withIntermediateDirectories: true)
    try scratch.write("lookahead/init.lua", "local function mine() return 'mine' end\nerror('late')\n")

    let result = try repl("mine()\n", in: scratch)
    let without = try repl("mine\n", "--no-init", in: scratch)

    #expect(result.output == "\"mine\"\n")
    #expect(result.errors.contains("lookahead/init.lua:2: late"))
    #expect(without.output == "nil\n")
  }

  @Test func `5,000 lines are read in order`() throws {
    let result = try repl((1...5000).map { "n = \($0)\n" }.joined() + "n\n")

    #expect(result.output == "5000\n")
    #expect(result.exitCode == 0)
  }
}
