import Testing

/// Lists that are begun in their middle: pages before the first one come behind the last one, also where a run is cut anywhere.
@Suite(.waiting) struct BackwardPagesTests {
  /// Pages 1 to 9 of three items, begun at page 5; a run fails when it asks for page `broken`.
  private static let script = """
    local p = lookahead.parameters { broken = { default = 0, partition = false } }
    local s = lookahead.source { name = "s", firstKey = "5", retries = 0 }
    function s.fetch(context)
      local page = math.tointeger(context.key)
      if page == p.broken then error("closed for lunch") end
      local items = {}
      for n = page * 3 - 2, page * 3 do items[#items + 1] = { id = n } end
      return { items = items, nextKey = page < 9 and tostring(page + 1) or nil,
        previousKey = page > 1 and tostring(page - 1) or nil }
    end
    return s
    """
  private static let numbers = Array(13...27) + [10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3]

  @Test(arguments: Array(1...9), ["a.ndjson", "a.db"])
  func `a run that failed at any page is gone on with`(broken: Int, output: String) throws {
    let scratch = try Scratch(script: Self.script)

    let first = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "broken=\(broken)")
    let second = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(first.exitCode == 65, "\(first.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    let read =
      output == "a.db" ? "sqlite3 a.db \"SELECT json_object('id', id) FROM s ORDER BY id\"" : "cat a.ndjson"
    let numbers = Items(lines: try scratch.shell(read).output)?.numbers
    #expect(numbers == (output == "a.db" ? Self.numbers.sorted() : Self.numbers))
  }

  @Test(arguments: ["merge", "mirror", "append"])
  func `another reading has all of it again`(mode: String) throws {
    let scratch = try Scratch(script: Self.script)

    for reading in 1...2 {
      let run = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--write", mode)

      #expect(run.exitCode == 0, "\(run.errors)")
      let rows = try scratch.shell("sqlite3 a.db 'SELECT count(*) FROM s'").output
      #expect(rows.split(separator: "\n") == ["\(mode == "append" ? 27 * reading : 27)"])
    }
  }
}
