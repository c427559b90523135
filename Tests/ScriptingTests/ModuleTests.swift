import Scripting
import Testing

@Suite struct ModuleTests {
  private func printed(_ script: String, _ modules: [String: String] = [:]) throws -> [String] {
    let run = try ScriptRun(script) { options in
      options.loadModule = { name in
        modules[name].map { ($0, name.split(separator: ".").joined(separator: "/") + ".lua") }
      }
    }
    return run.outcome
  }

  @Test func `a module is loaded once`() throws {
    let modules = ["tools.text": "print(\"loaded\", ...) return { double = function(n) return 2 * n end }"]

    let lines = try printed(
      """
      local text = require "tools.text"
      print(text.double(4), require("tools.text") == text)
      """, modules)

    #expect(lines == ["loaded\ttools.text", "8\ttrue"])
  }

  @Test func `a module that returns nothing is true`() throws {
    #expect(try printed("print(require \"a\")", ["a": "local x"]) == ["true"])
  }

  @Test func `the library is a module too`() throws {
    #expect(try printed("print(require \"lookahead\" == lookahead)") == ["true"])
  }

  @Test func `modules see the same globals and may wait`() throws {
    #expect(
      try printed("print(require \"a\")", ["a": "lookahead.sleep(2) return lookahead.now()"]) == ["2.0"])
    #expect(
      try printed("require \"a\"", ["a": "\nx = 1"])
        == ["a.lua:2: 'x' is not declared: write local x (scripts share nothing through globals)"])
  }

  @Test func `two modules that need each other are refused`() throws {
    let modules = ["a": "require \"b\"", "b": "local a = require \"a\""]

    #expect(
      try printed("require \"a\"", modules)
        == ["b.lua:1: require: 'a' is being loaded already: two modules need each other"])
  }

  @Test func `a module that another task loads is waited for`() throws {
    let modules = ["a": "print(\"loads\") lookahead.sleep(2) return { v = 1 }"]

    let lines = try printed(
      """
      local function load() return require "a" end
      local results = lookahead.all { load, load, function() lookahead.sleep(1) return load() end }
      print(results[1] == results[2], results[3].v, lookahead.now(), require "a" == results[1])
      """, modules)

    #expect(lines == ["loads", "true\t1\t2.0\ttrue"])
  }

  @Test(arguments: [
    "lookahead.all { function() require \"a\" end, function() require \"b\" end }", "require \"a\"",
    "lookahead.spawn(function() require \"b\" end):wait()",
  ])
  func `modules that need each other are refused, whichever tasks load them`(call: String) throws {
    let modules = [
      "a": "lookahead.sleep(1) lookahead.all { function() require \"b\" end }",
      "b": "lookahead.sleep(1) require \"a\"",
    ]

    let message = try #require(try printed(call, modules).last)

    #expect(message.hasSuffix("is being loaded already: two modules need each other"), "\(message)")
  }

  @Test(arguments: ["task:cancel()", "lookahead.sleep(1)"])
  func `a load that came to no end is forgotten, and those who wait for it load it themselves`(event: String)
    throws
  {
    let modules = [
      "a": """
      print("loads")
      lookahead.sleep(1)
      if lookahead.now() < 2 then error("not yet", 0) end
      return 1
      """
    ]

    let lines = try printed(
      """
      local task = lookahead.spawn(function() pcall(require, "a") end)
      local other = lookahead.spawn(function() return require "a" end)
      lookahead.sleep(0.5)
      \(event)
      lookahead.sleep(0.5)
      print(pcall(other.wait, other))
      print(require "a", lookahead.now())
      """, modules)

    let cancels = event == "task:cancel()"
    #expect(
      lines
        == ["loads", "loads"] + (cancels ? ["false\tnot yet", "loads", "1\t2.5"] : ["true\t1", "1\t2.0"]))
  }

  @Test func `a module that is loaded where nothing can wait says so`() throws {
    let modules = ["a": "lookahead.sleep(1) return 1"]

    let lines = try printed(
      """
      local task = lookahead.spawn(function() return require "a" end)
      lookahead.sleep(0.5)
      print(pcall(table.sort, { 2, 1 }, function() return require "a" > 0 end))
      print(task:wait())
      """, modules)

    #expect(lines.first?.contains("require waits, which is not possible here") == true, "\(lines)")
    #expect(lines.last == "1")
  }

  @Test func `a missing module, a broken one and an error in one say so`() throws {
    #expect(
      try printed("\nrequire \"a\"") == ["feed.lua:2: require: no module 'a' below the script's folder"])
    #expect(
      try printed("require \"a\"", ["a": "local"])
        == ["feed.lua:1: require: a.lua:1: <name> expected near <eof>"])
    #expect(try printed("require \"a\"", ["a": "\nerror(\"oh\")"]) == ["a.lua:2: oh"])
    #expect(
      try printed("print(pcall(require, \"a\")) print(pcall(require, \"a\"))", ["a": "error(\"oh\", 0)"])
        == ["false\toh", "false\toh"])
  }

  @Test(arguments: ["", ".a", "a.", "a..b", "/etc/passwd", "a/b", "../a", "a b"])
  func `what is no module name is refused`(_ name: String) throws {
    #expect(
      try printed("require \"\(name)\"", [name: "return 1"])
        == [
          "feed.lua:1: require: '\(name)' is no module name: letters, digits, _ and -, with dots between folders"
        ])
  }
}
