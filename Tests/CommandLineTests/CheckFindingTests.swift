import Foundation
import Testing

@Suite(.waiting) struct CheckFindingTests {
  @Test(arguments: CheckCase.wrong)
  func `what is wrong is said in its place`(wrong: CheckCase) throws {
    let result = try wrong.result()

    #expect(result.errors == wrong.says.map { $0 + "\n" }.joined())
    #expect(result.exitCode == wrong.exit)
    #expect(result.output.isEmpty == (wrong.exit != 0))
  }

  @Test(arguments: CheckCase.right)
  func `what is odd but right is left alone`(right: CheckCase) throws {
    let result = try right.result()

    #expect(result.errors == "")
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("feed.lua: ok"))
  }

  @Test func `every kind of finding has a case`() throws {
    let texts = CheckCase.wrong.filter { $0.exit == 65 }.flatMap(\.says)

    #expect(CheckCase.wrong.count >= 50)
    #expect(texts.contains { $0.hasPrefix("error: feed.lua:") })
    #expect(CheckCase.right.allSatisfy { $0.exit == 0 && $0.says.isEmpty })
  }

  @Test func `warnings fail when they are told to`() throws {
    let scratch = try Scratch(script: "local unused = 1")

    let lenient = try scratch.lookahead("check", "feed.lua")
    let strict = try scratch.lookahead("check", "--strict", "feed.lua")

    #expect(lenient.exitCode == 0)
    #expect(lenient.output == "feed.lua: ok with 1 warning\n")
    #expect(strict.exitCode == 65)
    #expect(strict.errors == lenient.errors)
    #expect(strict.output == "")
  }

  @Test func `several files are said in their order, and each by its lines`() throws {
    let scratch = try Scratch()
    try scratch.write("b.lua", "print(ipiars)\nlocal x = 1\nprint(jsno)")
    try scratch.write("a.lua", "local y = 1")
    try scratch.write("c.lua", "print(1)")

    let result = try scratch.lookahead("check", "b.lua", "a.lua", "c.lua")

    let places = result.errors.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(places == ["b.lua:1:7:", "b.lua:2:7:", "b.lua:3:7:", "a.lua:1:7:"])
    #expect(result.lines == ["a.lua: ok with 1 warning", "c.lua: ok"])
    #expect(result.exitCode == 65)
  }

  @Test func `modules are checked with the script that loads them, once`() throws {
    let scratch = try Scratch(script: "local tools = require 'tools'\nprint(tools.x)")
    try scratch.write("other.lua", "print(require('tools').x)")
    try scratch.write("tools.lua", "local function f() return prnit() end\nreturn { x = f }")

    let result = try scratch.lookahead("check", "feed.lua", "other.lua")

    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.hasPrefix("error: tools.lua:1:27: 'prnit' is nil"))
    #expect(result.exitCode == 65)
  }

  @Test func `editors get findings as JSON`() throws {
    let scratch = try Scratch(script: "local text = \"\\\"\\n\"\nlookahead.emti { text }\n")
    try scratch.write("right.lua", "print(1)")

    let result = try scratch.lookahead("check", "--format", "json", "right.lua", "feed.lua")
    let none = try scratch.lookahead("check", "--format", "json", "right.lua")

    let findings = try JSONDecoder().decode([CheckFinding].self, from: Data(result.output.utf8))
    let finding = try #require(findings.first)
    #expect(findings.count == 1)
    #expect((finding.file, finding.line, finding.column) == ("feed.lua", 2, 11))
    #expect((finding.severity, finding.rule) == ("error", "unknownField"))
    #expect(finding.message == "lookahead has no 'emti' (did you mean 'emit'?)")
    #expect(result.exitCode == 65)
    #expect(result.errors == "")
    #expect((none.output, none.exitCode) == ("[]\n", 0))
  }

  @Test func `what a script asks for is said`() throws {
    let result = try Scratch(
      script: """
        local base = "https://api.example.com"
        local source = lookahead.source { needs = { env = { "USER" } } }
        function source.fetch(context)
          local user, token = lookahead.env.get("USER"), lookahead.env.get("TOKEN")
          local url = base .. "/items?user=" .. user .. token .. (context.key or "")
          local page = lookahead.http.get(base .. "/items?user=" .. user):json()
          lookahead.http.get("http://127.0.0.1:8080/x", { query = { url = url } })
          lookahead.fs.write("log.txt", lookahead.fs.read("own.txt") .. lookahead.fs.read("/etc/hostname"))
          return { items = page, nextKey = page.next }
        end
        return source
        """
    ).lookahead("check", "feed.lua")

    #expect(result.errors == "")
    #expect(
      result.lines.last
        == "  asks for --allow-env=USER, --allow-env=TOKEN (line 4), --allow-net=api.example.com (line 6), "
        + "--allow-net=127.0.0.1:8080 (line 7), --allow-write=log.txt (line 8), --allow-read=/etc/hostname (line 8)"
    )
  }

  @Test(arguments: [
    ("{ readOnly = false }", "  asks for --allow-write=rows.db (line 2)"),
    ("{ readOnly = writes }", "  asks for --allow-write=rows.db (line 2)"),
    ("{ readOnly = true }", ""), ("{ readOnly = locked }", ""), ("{}", ""), ("nil", ""),
  ])
  func `a database that may be changed is asked for`(options: String, words: String) throws {
    let result = try Scratch(
      script: """
        local source, locked, writes = lookahead.source { name = "rows" }, true, os.clock() > 0
        function source.fetch() return lookahead.sqlite.open("rows.db", \(options)):query("SELECT 1 AS id") end
        return source
        """
    ).lookahead("check", "feed.lua")

    #expect(result.exitCode == 0)
    #expect((result.lines.last { $0.contains("asks for") } ?? "") == words, "\(result.output)")
  }

  @Test func `an experiment is not run`() throws {
    let result = try Scratch(
      script: """
        local result = lookahead.lab.run(lookahead.experiment { policies = "ramp", sessions = 1000000 })
        print(result.rows[1])
        """
    ).lookahead("check", "--strict", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `a script that ends somewhere on the way never makes the check fail`() throws {
    let text = try Repository.text("scripts/workflows/prefetch_details.lua")
    let scratch = try Scratch()
    var names: [String] = []
    for length in stride(from: 0, to: text.count, by: 37) {
      names.append("part\(length).lua")
      try scratch.write(names[names.count - 1], String(text.prefix(length)))
    }

    let result = try Command.lookahead(["check"] + names).within(scratch).run()

    #expect([0, 65].contains(result.exitCode), "\(result.errors)")
  }

  @Test(arguments: [
    "print(1" + String(repeating: " + 1", count: 20_000) + ")",
    "local t = {} t = t" + String(repeating: ".x", count: 20_000) + " print(t)",
    "local f = print f" + String(repeating: "()", count: 20_000),
    "print(" + String(repeating: "(", count: 150) + "1" + String(repeating: ")", count: 150) + ")",
    String(repeating: "do ", count: 150) + "print(1)" + String(repeating: " end", count: 150),
    "print" + String(repeating: "{", count: 150) + String(repeating: "}", count: 150),
    "local t = {" + String(repeating: "'x',", count: 50_000) + "} print(t)",
    "if false then return " + String(repeating: "not ", count: 150) + "1 end",
  ])
  func `a script that is long or deep is checked`(script: String) throws {
    let result = try Scratch(script: "local function all() \(script) end\nprint(all)").lookahead(
      "check", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors.prefix(300))")
  }
}
