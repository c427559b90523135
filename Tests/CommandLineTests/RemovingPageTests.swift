import Testing

/// Counted pages that only say what is gone.
@Suite(.waiting) struct RemovingPageTests {
  private static let script = """
    local p = lookahead.parameters { bad = { default = 0, partition = false }, keys = { default = "page" } }
    local pages = { { { id = 1 }, { id = 2 } }, {}, {}, { { id = 5 }, { id = 6 } }, {}, { { id = 7 } } }
    local removed = { nil, { 2, 9 }, { 1, 8 }, nil, { 5, 77 } }
    return lookahead.source {
      name = "things", keys = p.keys, pageSize = 2, maxInFlight = 1, retries = 0,
      fetch = function(context)
        local page = p.keys == "page" and context.key or context.key // 2 + 1
        if page == p.bad then error("closed for lunch") end
        return { items = pages[page] or {}, removed = removed[page] }
      end,
    }
    """

  @Test(arguments: ["page", "offset"], ["a.db", "a.ndjson"])
  func `a run that goes on anywhere between them has what an undisturbed one has`(
    keys: String, output: String
  ) throws {
    func text(_ scratch: Scratch) throws -> String {
      output == "a.db"
        ? try scratch.shell("sqlite3 a.db 'select id from things order by id' | tr '\\n' ' '").output
        : try scratch.text(output)
    }
    let whole = try Scratch(script: Self.script)
    let result = try whole.lookahead("run", "feed.lua", "-o", output, "-e", "keys=\(keys)")
    #expect(result.exitCode == 0, "\(result.errors)")
    let expected = try text(whole)
    #expect(expected.filter(\.isNumber) == (output == "a.db" ? "67" : "12567"))

    for page in 2...7 {
      let scratch = try Scratch(script: Self.script)
      let cut = try scratch.lookahead(
        "run", "feed.lua", "-o", output, "-e", "keys=\(keys)", "-e", "bad=\(page)")
      #expect(cut.errors.contains("closed for lunch"), "\(cut.errors)")
      let rest = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "keys=\(keys)")

      #expect(rest.exitCode == 0, "\(rest.errors)")
      #expect(try text(scratch) == expected, "page \(page): \(rest.errors)")
    }
  }
}
