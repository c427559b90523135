import TestSupport
import Testing

/// Streams and members are called whatever a source calls them: SQL that names more than them keeps its own names apart.
@Suite(.waiting, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct SQLNameTests {
  private static let names = [
    "excluded", "batch", "target", "_lookahead_new", "_lookahead_old", "c0", "value",
  ]

  /// Our own names are those of no stream.
  private static func stream(_ name: String) -> String { name.hasPrefix("_lookahead") ? "rows" : name }

  /// Three nights: rows that come again, changed and not, rows that are new, and objects under a name that statements could have.
  private static func script(_ name: String) -> String {
    """
    local p = lookahead.parameters { night = { default = 1, partition = false } }
    local rows = lookahead.source { name = "\(stream(name))" }
    function rows.fetch()
      local items = {}
      for n = p.night + 1, 1, -1 do
        items[#items + 1] = { id = n, v = n == 1 and p.night or 0, ["\(name)"] = { id = n, v = -1 } }
      end
      return { items = items }
    end
    return rows
    """
  }

  @Test(arguments: names, ["a.db", "a.duckdb", "a.parquet", "postgresql"])
  func `rows are found by their ids, whatever streams and members are called`(name: String, output: String)
    throws
  {
    let scratch = try Scratch(script: Self.script(name))
    let place = output == "postgresql" ? try PostgreSQLServer.shared.makeDatabase().url() : output
    let nights = output.hasSuffix("parquet") ? [3] : [1, 2, 3]
    for night in nights {
      var command = Command.lookahead(["run", "feed.lua", "-q", "-o", place, "-e", "night=\(night)"]).within(
        scratch)
      command.environment = TestDatabases.environment
      let result = try command.run()
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    let table = output.hasSuffix("parquet") ? "'a.parquet'" : "\"\(Self.stream(name))\""
    let sum = "SELECT count(*) || ' ' || sum(id) || ' ' || sum(v) AS value FROM \(table)"
    #expect(try scratch.values(sum, in: place) == ["4 10 3"])
  }
}
