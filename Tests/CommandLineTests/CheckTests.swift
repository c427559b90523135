import Testing

@Suite(.waiting) struct CheckTests {
  /// Without the parameter that no line reads.
  private static let numbers = Scripts.numbers.split(separator: "\n").filter { !$0.contains("token") }
    .joined(separator: "\n")

  @Test func `a good script is described`() throws {
    let scratch = try Scratch(script: Self.numbers)
    try scratch.write("plain.lua", "lookahead.emit { id = 1 }")

    let result = try scratch.lookahead("check", "feed.lua", "plain.lua")

    #expect(result.exitCode == 0)
    #expect(
      result.output == """
        feed.lua: ok: source 'numbers' (offset keys, pages in parallel, 100 items a page)
        plain.lua: ok

        """)
    #expect(result.errors == "")
  }

  @Test func `one wrong script of several is said and decides the end`() throws {
    let scratch = try Scratch(script: Self.numbers)
    try scratch.write("wrong.lua", "return lookahead.source { pageSise = 1, fetch = print }")

    let result = try scratch.lookahead("check", "wrong.lua", "missing.lua", "feed.lua")

    #expect(result.exitCode == 65)
    #expect(
      result.errors == """
        error: wrong.lua:1:27: lookahead.source: unknown key 'pageSise' (did you mean 'pageSize'?)
        error: can't read the script missing.lua: no such file or directory

        """)
    #expect(result.lines.count == 1)
  }

  @Test func `a script that is not there ends with 66`() throws {
    let result = try Scratch().lookahead("check", "missing.lua")

    #expect(result.exitCode == 66)
  }

  @Test func `nothing is asked for and nothing is written`() throws {
    let base = Server.faults.base(run: "check")
    let scratch = try Scratch(
      script: """
        lookahead.fs.write("written.txt", lookahead.http.get("\(base)/items").body)
        error("never reached")
        """)

    let result = try scratch.lookahead("check", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(!scratch.has("written.txt"))
    #expect(try Server.faults.counts(run: "check").requests == 0)
  }

  @Test func `a parameter that is required need not be given`() throws {
    let result = try Scratch(script: Scripts.pages).lookahead("check", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
  }
}
