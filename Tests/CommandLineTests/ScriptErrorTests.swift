import Foundation
import Testing

@Suite(.waiting) struct ScriptErrorTests {
  @Test func `a script that is not there ends with 66`() throws {
    let result = try Scratch().lookahead("run", "nothere.lua")

    #expect(result.exitCode == 66)
    #expect(result.errors == "error: can't read the script nothere.lua: no such file or directory\n")
  }

  @Test func `a folder is no script`() throws {
    let result = try Scratch().lookahead("run", ".")

    #expect(result.exitCode == 66)
    #expect(result.errors == "error: can't read the script .: is a directory\n")
  }

  @Test(arguments: [
    [0x1B, 0x4C, 0x75, 0x61, 0x54, 0x00], [0x2D, 0x2D, 0x0A, 0xFF, 0xFE, 0x0A], [0x2D, 0x2D, 0x0A, 0x00],
  ])
  func `bytes that are no text are no script`(bytes: [UInt8]) throws {
    let scratch = try Scratch()
    try scratch.write("feed.lua", Data(bytes))
    let line = bytes[0] == 0x1B ? 1 : 2

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 65)
    #expect(
      result.errors == "error: feed.lua:\(line): this is no text (expected Lua in UTF-8, not compiled)\n")
  }

  /// A wrong script, and what is said about it.
  struct Wrong: CustomTestStringConvertible {
    let name: String
    let script: String
    let error: String
    var exit: Int32 = 65

    var testDescription: String { name }
  }

  private static let wrong = [
    Wrong(
      name: "syntax", script: "local x = 1\nlocal y = = 2",
      error: "error: feed.lua:2: unexpected symbol near '='"),
    Wrong(
      name: "page size", script: "\nreturn lookahead.source { name = \"a\", pageSize = 0 }",
      error: "error: feed.lua:2: lookahead.source: pageSize: expected an integer of at least 1, got 0"),
    Wrong(
      name: "unknown key", script: "\nreturn lookahead.source { name = \"a\", pageSise = 10 }",
      error: "error: feed.lua:2: lookahead.source: unknown key 'pageSise' (did you mean 'pageSize'?)"),
    Wrong(
      name: "handler",
      script: """
        local a = lookahead.source { name = "a" }
        function a.fetch(context)
          local page
          return { items = page.items }
        end
        return a
        """,
      error: "error: feed.lua:4: attempt to index a nil value (local 'page')"),
    Wrong(
      name: "no handler", script: "return lookahead.source { name = \"a\" }",
      error: "error: feed.lua:1: source 'a' has no fetch handler: declare function a.fetch(context)"),
    Wrong(
      name: "page without items",
      script: "local a = lookahead.source { name = \"a\" }\nfunction a.fetch() return {} end\nreturn a",
      error: "error: feed.lua:2: fetch returned a page without items (expected a table, got nil)"),
    Wrong(
      name: "raised", script: "error(\"that is that\")", error: "error: feed.lua:1: that is that"),
    Wrong(
      name: "raised below",
      script: """
        local function inner() error("deep") end
        local function outer() inner() return 1 end
        outer()
        """,
      error: """
        error: feed.lua:1: deep
        	feed.lua:1: in upvalue 'inner'
        	feed.lua:2: in local 'outer'
        	feed.lua:3: in main chunk
        """),
    Wrong(
      name: "parameter of the wrong type", script: "lookahead.parameters { days = 7 }",
      error: "error: feed.lua:1: --param days: expected integer, got 'x'", exit: 64),
  ]

  @Test(arguments: wrong)
  func `a wrong script ends with 65 and names the line`(wrong: Wrong) throws {
    let scratch = try Scratch(script: wrong.script)
    let arguments = wrong.exit == 64 ? ["--param", "days=x"] : []

    let result = try Command.lookahead(["run", "feed.lua"] + arguments).within(scratch).run()

    #expect(result.exitCode == wrong.exit)
    #expect(result.error == wrong.error)
    #expect(result.output == "")
  }

  @Test func `a script that did not begin has no summary`() throws {
    let result = try Scratch(script: "local x = = 1").lookahead("run", "feed.lua")

    #expect(result.errors == "error: feed.lua:1: unexpected symbol near '='\n")
  }
}
