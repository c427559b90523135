import Foundation
import Testing

@Suite(.waiting) struct TypesTests {
  private static let files = ["types/lookahead.lua", ".luarc.json", ".luacheckrc"]

  @Test func `types writes what editors and luacheck need`() throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("types")

    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.lines == Self.files.map { "wrote \($0)" })
    for file in Self.files { #expect(try !scratch.text(file).isEmpty) }
  }

  @Test func `a folder that is named is made`() throws {
    let scratch = try Scratch()

    let result = try scratch.lookahead("types", "-o", "my feeds/ours")

    #expect(result.lines == Self.files.map { "wrote my feeds/ours/\($0)" })
    #expect(scratch.has("my feeds/ours/types/lookahead.lua"))
  }

  @Test func `what was written is up to date the second time`() throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("types")

    let result = try scratch.lookahead("types")

    #expect(result.lines == Self.files.map { "\($0) is up to date" })
  }

  @Test(arguments: files)
  func `what somebody else wrote stays, and is told`(file: String) throws {
    let scratch = try Scratch()
    _ = try scratch.shell("mkdir types")
    try scratch.write(file, "-- mine\n")

    let result = try scratch.lookahead("types")

    #expect(result.exitCode == 0)
    #expect(try scratch.text(file) == "-- mine\n")
    #expect(result.output.contains("left \(file) as it is: "))
    #expect(result.output.contains("--force"))
    #expect(Self.files.allSatisfy { scratch.has($0) })
  }

  @Test func `settings to add by hand are shown`() throws {
    let scratch = try Scratch()
    try scratch.write(".luarc.json", "{}\n")

    let result = try scratch.lookahead("types")

    #expect(result.output.contains("\"workspace.library\": [\"types\"]"))
  }

  @Test(arguments: files)
  func `force writes over everything`(file: String) throws {
    let scratch = try Scratch()
    _ = try scratch.shell("mkdir types")
    try scratch.write(file, "-- mine\n")

    let result = try scratch.lookahead("types", "--force")

    #expect(result.lines == Self.files.map { "wrote \($0)" })
    #expect(try scratch.text(file) != "-- mine\n")
  }

  @Test func `files of another version are written anew, and changed ones are not`() throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("types")
    let standard = try scratch.text(".luacheckrc")
    try scratch.write(
      ".luacheckrc", standard.replacing("max_line_length = 120", with: "max_line_length = 80"))

    let changed = try scratch.lookahead("types")
    try scratch.write(".luacheckrc", Self.sealed("std = \"lua54\"\n", as: standard))
    let old = try scratch.lookahead("types")

    #expect(changed.output.contains("left .luacheckrc as it is"))
    #expect(old.lines.contains("wrote .luacheckrc"))
    #expect(try scratch.text(".luacheckrc") == standard)
  }

  /// A text under the line that another version would have put over it.
  private static func sealed(_ text: String, as sample: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let line = sample.prefix { $0 != "\n" }
    return line.replacing(/[0-9a-f]{16}/, with: String(format: "%016lx", hash)) + "\n" + text
  }

  @Test func `a file that can't be written is told`() throws {
    let scratch = try Scratch()
    try scratch.write("types", "a file, not a folder\n")

    let result = try scratch.lookahead("types")

    #expect(result.exitCode == 73)
    #expect(result.errors.contains("error: can't write types/lookahead.lua: "))
  }

  @Test(arguments: [
    ("stubs", "types/lookahead.lua"), ("luarc", ".luarc.json"), ("luacheck", ".luacheckrc"),
  ])
  func `what is printed is what is written`(part: String, file: String) throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("types")

    let result = try scratch.lookahead("types", "--print", part)

    #expect(try result.output == scratch.text(file))
  }

  @Test func `settings for language servers are JSON`() throws {
    let text = try Command.lookahead(["types", "--print", "luarc"]).run().output

    let settings = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]

    #expect(settings?["runtime.version"] as? String == "Lua 5.4")
  }

  @Test func `the manual's table is that of the program`() throws {
    let page = try Repository.text("scripts/manual/api.md")

    let table = try Command.lookahead(["types", "--print", "table"]).run().output

    #expect(table.contains("| `lookahead.http` |"))
    #expect(page.hasSuffix("\n\n" + table))
  }
}
