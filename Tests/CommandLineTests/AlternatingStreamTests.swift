import TestSupport
import Testing

/// Items of several streams in turn, as of an order and its lines.
@Suite(.waiting, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct AlternatingStreamTests {
  private static let emits = """
    for number = 1, 2000 do
      lookahead.emit({ id = number, name = "o" .. number }, "orders")
      lookahead.emit({ id = number * 10, of = number, extra = number > 1500 and "late" or nil }, "lines")
      if number % 100 == 0 then lookahead.emit({ id = number - 50, name = "renamed" }, "orders") end
    end
    """

  private static let sums = [
    "SELECT count(*) || ' ' || sum(id) || ' ' || count(*) FILTER (WHERE name = 'renamed') AS value FROM orders",
    "SELECT count(*) || ' ' || sum(id) || ' ' || sum(\"of\") || ' ' || count(extra) AS value FROM lines",
  ]

  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run"] + arguments).within(scratch)
    command.environment = TestDatabases.environment
    return try command.run()
  }

  @Test(arguments: ["a.duckdb", "postgresql"], [emits, "lookahead.step('all', function()\n\(emits)\nend)"])
  func `two tables are written in turn, however often they take turns`(output: String, script: String)
    throws
  {
    let scratch = try Scratch(script: script)
    let place = output == "postgresql" ? try PostgreSQLServer.shared.makeDatabase().url() : output

    let result = try run(scratch, ["feed.lua", "-o", place])

    #expect(result.exitCode == 0, "\(result.errors)")
    for (sum, expected) in zip(Self.sums, ["2000 2001000 20", "2000 20010000 2001000 500"]) {
      #expect(try scratch.values(sum, in: place) == [expected])
    }
  }

  /// Tables of others may refer to each other.
  @Test func `rows of tables that refer to each other are written in their order`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()
    try database.run(
      "create table orders (id bigint primary key, name text); "
        + "create table lines (id bigint primary key, \"of\" bigint references orders)")
    let scratch = try Scratch(
      script: """
        lookahead.emit({ id = 1, name = "first" }, "orders")
        for number = 1, 50 do
          lookahead.emit({ id = number, of = number }, "lines")
          lookahead.emit({ id = number + 1, name = "next" }, "orders")
        end
        """)

    let result = try run(scratch, ["feed.lua", "-o", database.url(), "--adopt"])

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try database.run("select count(*) from lines").contains("50"))
  }
}
