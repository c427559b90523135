import Foundation
import Testing

@Suite(.waiting) struct NewTests {
  private static let kinds = ["source", "policy", "experiment", "workflow"]

  /// The commands that come behind `next:`.
  private func next(_ result: CommandResult) -> [String] {
    result.lines.drop { $0 != "next:" }.dropFirst().map { String($0.dropFirst(2)) }
  }

  @Test(arguments: kinds)
  func `what is new runs as it is, with the commands that it names`(kind: String) throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("new", kind, "mine")

    let commands = next(result)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.first == "wrote mine.lua")
    #expect(commands.count >= 2)
    for command in commands where !command.contains(" browse ") {
      let outcome = try scratch.shell(command)
      #expect(outcome.exitCode == 0, "\(command): \(outcome.errors)")
      #expect(!outcome.output.isEmpty, "\(command)")
      #expect(!outcome.output.contains("failed"), "\(command): \(outcome.output)")
    }
  }

  @Test(arguments: kinds)
  func `what is new has nothing that a check or luacheck could say`(kind: String) throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("new", kind, "mine")

    let check = try scratch.lookahead("check", "--strict", "mine.lua")
    let luacheck = try scratch.shell("luacheck mine.lua")

    #expect(check.exitCode == 0, "\(check.errors)")
    #expect(luacheck.exitCode == 0, "\(luacheck.output)\(luacheck.errors)")
  }

  @Test(arguments: kinds)
  func `what is new is short, and says how to run it`(kind: String) throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("new", kind, "mine")

    let lines = try scratch.text("mine.lua").split(separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.count <= 41)
    #expect(lines[0].hasPrefix("-- mine: a"))
    #expect(lines[1].hasPrefix("-- Run: lookahead "))
    #expect(lines.allSatisfy { $0.count <= 112 })
    #expect(!lines.contains { $0.contains("NAME") || $0.contains("FILE") })
  }

  @Test func `a source of one's own gives items`() throws {
    let result = try Scratch().shell(
      "lookahead new source mine > said && lookahead run mine.lua --param count=45")

    let items = try #require(Items(lines: result.output))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(items.numbers == Array(1...45))
  }

  @Test func `what the comment of a new source says is right`() throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("new", "source", "mine")
    let lines = try scratch.text("mine.lua").components(separatedBy: "\n")
    let handler = lines.filter { $0.hasPrefix("--   ") }.map { String($0.dropFirst(3)) }
    let start = try #require(lines.firstIndex { $0.hasPrefix("function items.fetch") })
    let end = try #require(lines.lastIndex(of: "end"))
    let text = (lines[...start] + handler + lines[end...]).joined(separator: "\n")
      .replacing("https://api.example.com", with: Server.faults.base(run: "new", "items=250"))
    try scratch.write("mine.lua", text)

    let check = try scratch.lookahead("check", "mine.lua")
    let result = try scratch.lookahead("run", "mine.lua", "--allow-net=127.0.0.1")

    #expect(check.output.contains("asks for --allow-net=\(Server.faults.address) "))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try #require(Items(lines: result.output)).count == 250)
  }

  @Test func `a policy of one's own decides for a source of one's own`() throws {
    let scratch = try Scratch()
    _ = try scratch.shell("lookahead new source mine && lookahead new policy eager")

    let result = try scratch.shell("lookahead lab mine.lua --policy eager.lua --policy onDemand --sessions 3")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains("\neager "))
  }

  @Test func `nothing is written over`() throws {
    let scratch = try Scratch()
    try scratch.write("mine.lua", "-- mine")
    try scratch.write(".luarc.json", "{}")

    let refused = try scratch.lookahead("new", "source", "mine")
    let other = try scratch.lookahead("new", "source", "other.lua")

    #expect(refused.exitCode == 73)
    #expect(
      refused.errors
        == "error: mine.lua is there already, and was left as it is: choose another name, or remove it first\n"
    )
    #expect(try scratch.text("mine.lua") == "-- mine")
    #expect(other.exitCode == 0)
    #expect(
      other.lines.prefix(3) == [
        "wrote other.lua", "wrote types/lookahead.lua and .luacheckrc, for editors and luacheck",
        "left .luarc.json as it is",
      ])
    #expect(try scratch.text(".luarc.json") == "{}")
    #expect(!scratch.has("other.lua.lua"))
  }

  @Test func `settings of a folder above serve too`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/feeds/new", withIntermediateDirectories: true)
    _ = try scratch.lookahead("new", "source", "mine")

    let result = try scratch.lookahead("new", "workflow", "feeds/new/join")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(!scratch.has("feeds/new/.luarc.json"))
    #expect(result.lines[1].hasPrefix("left feeds/new/../../types/lookahead.lua, "))
  }

  @Test func `a bare script comes alone`() throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("new", "--bare", "policy", "eager")

    #expect(result.lines.prefix(2) == ["wrote eager.lua", "next:"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["eager.lua"])
  }

  @Test(arguments: ["we\"ird na\\me", "it's", "日本", "-x", "a.b", "$(touch gone)"])
  func `odd names are names`(name: String) throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("new", "source", "--bare", "--", name)
    let command = try #require(next(result).first)
    let run = try scratch.shell(command)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(run.exitCode == 0, "\(command): \(run.errors)")
    #expect(run.lines.count == 5)
    #expect(!scratch.has("gone"))
  }

  @Test(arguments: [
    ("", "expected the name of a file, as mine or feeds/mine"),
    ("feeds/", "expected the name of a file, as mine or feeds/mine"),
    (".lua", "expected the name of a file, as mine or feeds/mine"),
    ("..", "expected the name of a file, as mine or feeds/mine"),
    ("a\nb", "expected a name without control characters"),
    (String(repeating: "x", count: 252), "expected a name of at most 251 bytes, got 252"),
  ])
  func `a name that no file can have is refused`(name: String, reason: String) throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("new", "source", name)

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  @Test func `folders that are not there are made, and a kind that is none is said`() throws {
    let scratch = try Scratch()

    let folder = try scratch.lookahead("new", "--bare", "source", "feeds/new/mine")
    let file = try scratch.lookahead("new", "--bare", "source", "feeds/new/mine.lua/mine")
    let kind = try scratch.lookahead("new", "sorce", "mine")

    #expect(folder.exitCode == 0, "\(folder.errors)")
    #expect(scratch.has("feeds/new/mine.lua"))
    #expect(file.exitCode == 73)
    #expect(file.errors.hasPrefix("error: can't write feeds/new/mine.lua/mine.lua: "), "\(file.errors)")
    #expect(kind.exitCode == 64)
    #expect(kind.errors.contains("'source', 'policy', 'experiment' or 'workflow'"))
  }
}
