import Testing

/// What a source that is read again takes out of the copy.
@Suite(.waiting) struct RefreshRemovalTests {
  private static let emptied = """
    local s = lookahead.source { name = "s", keys = "page", pageSize = 100 }
    function s.fetch(context)
      local items = {}
      if context.generation % 2 == 1 and context.key == 1 then for n = 1, 50 do items[n] = { id = n } end end
      return { items = items }
    end
    return s
    """

  @Test(arguments: ["a.db", "a.ndjson"])
  func `a reading that brings nothing removes nothing, unless the command line asks for a mirror`(
    output: String
  ) throws {
    func left(_ options: String...) throws -> (rows: String, errors: String) {
      let scratch = try Scratch(script: Self.emptied)
      let result = try Command.lookahead(
        ["run", "feed.lua", "-o", output, "--refresh", "10ms", "--refreshes", "1"] + options
      ).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      let rows =
        try output == "a.db"
        ? scratch.rows("select count(*) from s") : "\(scratch.text(output).split(separator: "\n").count)"
      return (rows, result.errors)
    }

    let kept = try left()
    #expect(kept.rows == "50")
    #expect(kept.errors.contains("a refresh brought nothing, so nothing is removed"), "\(kept.errors)")
    // A line that was written is not taken back.
    #expect(try left("--write", "mirror").rows == (output == "a.db" ? "0" : "50"))
  }

  @Test(
    arguments: [
      (source: "", options: [], rows: "3"), (source: "", options: ["--write", "merge"], rows: "1|2|3"),
      (source: ", write = 'merge'", options: [], rows: "1|2|3"),
      (source: ", write = 'merge'", options: ["--write", "mirror"], rows: "3"),
      (source: ", write = 'mirror'", options: ["--write", "merge"], rows: "1|2|3"),
    ])
  func `who says how to write is heard in every reading of a refresh`(
    source: String, options: [String], rows: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", id = "id"\(source) }
        function s.fetch(context)
          return { items = ({ { { id = 1 }, { id = 2 } }, { { id = 3 } } })[context.generation] }
        end
        return s
        """)

    let result = try Command.lookahead(
      ["run", "feed.lua", "-o", "a.db", "--refresh", "10ms", "--refreshes", "1"] + options
    ).within(scratch).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.rows("select group_concat(id, '|') from (select id from s order by id)") == rows)
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `an incremental source asks for what is new, and what did not come again stays`(output: String) throws
  {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", bookmark = "at", keys = "page", pageSize = 100 }
        function s.fetch(context)
          local items, since = {}, context.bookmark or 0
          print("since " .. since)
          if context.key == 1 then for n = since + 1, since + 5 do items[#items + 1] = { id = n, at = n } end end
          return { items = items }
        end
        return s
        """)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "--refresh", "10ms", "--refreshes", "3")

    #expect(result.exitCode == 0, "\(result.errors)")
    for since in [0, 5, 10, 15] { #expect(result.errors.contains("since \(since)\n"), "\(result.errors)") }
    #expect(try scratch.rows("select count(distinct id), count(*) from s") == "20|20")
  }
}
