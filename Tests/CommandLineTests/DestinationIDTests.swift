import TestSupport
import Testing

/// Ids and names of items that a table can't have as they are.
@Suite(
  .waiting, .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
struct DestinationIDTests {
  private func run(_ scratch: Scratch, _ arguments: String...) throws -> CommandResult {
    var command = Command.lookahead(["run"] + arguments).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    return try command.run()
  }

  /// The rows of the table of the stream `items`, as NDJSON.
  private func rows(_ scratch: Scratch) throws -> [Substring] {
    try scratch.write(
      "rows.lua",
      "for row in lookahead.database.open('out.duckdb'):rows('select * from items order by id') do lookahead.emit(row) end"
    )
    let result = try run(scratch, "rows.lua", "--allow-read", "--no-state")
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output.split(separator: "\n")
  }

  @Test(arguments: [
    ("types = { id = 'text' },", "{ id = 1, v = 1 }, { id = 2, v = 2 }", 2),
    ("", "{ id = 1, v = 1 }, { id = 2, v = 2 }, { id = 'x', v = 3 }", 3),
    ("", "{ id = 'x', v = 3 }, { id = 1, v = 1 }, { id = 2, v = 2 }", 3),
  ])
  func `a mirror keeps rows whose ids are numbers in a column of texts`(
    option: String, items: String, count: Int
  ) throws {
    let scratch = try Scratch(
      script: """
        return lookahead.source { name = "items", \(option) fetch = function() return { items = { \(items) } } end }
        """)

    for _ in 1...3 {
      let result = try run(scratch, "feed.lua", "-o", "out.duckdb", "--write", "mirror")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(!result.errors.contains("removed"), "\(result.errors)")
      #expect(try rows(scratch).count == count)
    }
  }

  @Test(arguments: [("out.db", "sqlite"), ("out.duckdb", "database")])
  func `rows of an adopted table are found by the member that the source calls the id`(
    output: String, library: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local items = lookahead.source { name = "items", id = "n" }
        function items.fetch() return { items = { { n = 1, v = "new" }, { n = 2, v = "two" } } } end
        return items
        """)
    func ask(_ line: String) throws -> String {
      try scratch.write(
        "ask.lua", "local db = lookahead.\(library).open('\(output)', { readOnly = false })\n\(line)")
      let result = try run(scratch, "ask.lua", "-A", "--no-state")
      #expect(result.exitCode == 0, "\(result.errors)")
      return result.output
    }
    _ = try ask(
      """
      db:execute("create table items (n integer primary key, v varchar, mine varchar)")
      db:execute("insert into items values (1, 'old', 'kept')")
      """)

    for options in [["--adopt"], [], ["--write", "mirror"]] {
      var command = Command.lookahead(["run", "feed.lua", "-o", output] + options).within(scratch)
      command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
      let result = try command.run()

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(
        try ask("for row in db:rows('select * from items order by n') do lookahead.emit(row) end")
          .split(separator: "\n").map { $0.split(separator: ",\"_")[0].prefix { $0 != "}" } }
          == [#"{"n":1,"v":"new","mine":"kept""#, #"{"n":2,"v":"two","mine":null"#])
    }
  }

  @Test(arguments: ["_partition", "_reading", "_id"])
  func `a member with the name of a column of ours keeps its values, in every run`(member: String) throws {
    let scratch = try Scratch(
      script: """
        return lookahead.source { name = "items", fetch = function()
          return { items = { { id = 1, \(member) = 7 }, { id = 2, \(member) = 8 } } }
        end }
        """)

    for _ in 1...2 {
      let result = try run(scratch, "feed.lua", "-o", "out.duckdb")
      #expect(result.exitCode == 0, "\(result.errors)")
      let expected = [7, 8].enumerated().map { "{\"id\":\($0 + 1),\"\(member)_2\":\($1)}" }
      #expect(try rows(scratch).map(String.init) == expected)
    }
  }

  /// The rows of `out.parquet`, as NDJSON.
  private func parquetRows(_ scratch: Scratch) throws -> [String] {
    try scratch.write(
      "rows.lua",
      "for row in lookahead.database.open('out.parquet'):rows('select * from data') do lookahead.emit(row) end"
    )
    return try run(scratch, "rows.lua", "--allow-read", "--no-state").output.split(separator: "\n").map(
      String.init)
  }

  @Test(arguments: [
    ("{ id = 1, _partition = 5 }", #"{"id":1,"_partition_2":5}"#), ("{}", #"{"_id":1}"#),
    ("{ _partition = 5 }", #"{"_partition_2":5}"#),
  ])
  func `a Parquet file has a column, and those of members are never hidden`(item: String, row: String) throws
  {
    let scratch = try Scratch(
      script:
        "return lookahead.source { name = 'items', fetch = function() return { items = { \(item) }, isLast = true } end }"
    )

    let result = try run(scratch, "feed.lua", "-o", "out.parquet", "--no-state")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try parquetRows(scratch) == [row])
  }

  /// Texts of Swift are equal where Unicode writes the same in two ways; members are not.
  @Test func `members that Unicode writes in two ways are two`() throws {
    let scratch = try Scratch(
      script:
        "return lookahead.source { name = 'items', fetch = function() return { items = { { id = 1, ['caf\u{E9}'] = 'C', ['cafe\u{301}'] = 'D' } } } end }"
    )

    let result = try run(scratch, "feed.lua", "-o", "out.parquet", "--no-state")

    #expect(result.exitCode == 0, "\(result.errors)")
    let row = try parquetRows(scratch).joined()
    #expect(row.contains(#""C""#) && row.contains(#""D""#), "\(row)")
  }
}
