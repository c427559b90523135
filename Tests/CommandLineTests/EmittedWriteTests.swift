import Testing

/// `--write append` and `--write mirror` say what a reading does to the one before: what a script emits itself is of no reading.
@Suite(.waiting) struct EmittedWriteTests {
  private static let ways = [
    #"for i, w in ipairs { "a", "b" } do lookahead.emit { id = i, word = w } end"#,
    #"for i, w in ipairs { "a", "b" } do lookahead.step("s" .. i, function() lookahead.emit { id = i, word = w } end) end"#,
    """
    local s = lookahead.source { name = "x" }
    function s.fetch() return { items = { { id = 1 }, { id = 2 } } } end
    for item in s:items() do lookahead.emit(item) end
    """,
  ]

  @Test(arguments: ways, ["a.ndjson", "a.csv", "a.json", "a.db"])
  func `what is emitted is not said to be added, and what is there stays`(script: String, output: String)
    throws
  {
    let scratch = try Scratch(script: script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", output, "-q")
    let before = output == "a.db" ? "" : try scratch.text(output)

    for option in ["--append", "--write=append", "--write=mirror"] {
      let result = try scratch.lookahead("run", "feed.lua", "-o", output, option)

      #expect(result.exitCode != 0, "\(option)")
      #expect(result.errors.contains("is for sources that the script returns"), "\(result.errors)")
    }

    if output != "a.db" { #expect(try scratch.text(output) == before) }
  }

  @Test func `a returned source is added to`() throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "x" }
        function s.fetch() return { items = { { id = 1 }, { id = 2 } } } end
        return s
        """)
    for _ in 1...2 {
      #expect(try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--append").exitCode == 0)
    }
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 4)
  }
}
