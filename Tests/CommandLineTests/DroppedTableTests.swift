import TestSupport
import Testing

/// A table that somebody has dropped between two runs, though what is remembered of its readings is there.
@Suite(.waiting, .enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
struct DroppedTableTests {
  /// Ten items in pages of two, of which one may fail; with a bookmark only what is new; in parts five of each.
  private static let script = """
    local p = lookahead.parameters {
      at = { default = 0, partition = false }, how = { default = "plain", partition = false } }
    local rows = lookahead.source { name = "rows", id = "id", keys = "page", pageSize = 2, retries = 0, maxInFlight = 1,
      bookmark = p.how == "new" and "at" or nil }
    function rows.fetch(context)
      if context.key == p.at then error("closed") end
      if context.bookmark then return { items = { { id = 10, at = 10 } }, isLast = true } end
      local first = (context.parameters.n or 0) * 10 + context.key * 2
      return { items = { { id = first, at = first }, { id = first + 1, at = first + 1 } }, isLast = context.key == 5 }
    end
    if p.how == "parts" then return rows:partitions({ 0, 1 }, function(n) return { n = n } end) end
    return rows
    """

  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run", "feed.lua"] + arguments).within(scratch)
    command.environment = TestDatabases.environment
    return try command.run()
  }

  private func drop(_ table: String, of place: String, _ scratch: Scratch) throws {
    let open = place.hasSuffix(".db") ? "lookahead.sqlite.open" : "lookahead.database.open"
    try scratch.write(
      "drop.lua", "\(open)([[\(place)]], { readOnly = false }):execute('DROP TABLE \(table)')")
    var command = Command.lookahead([
      "run", "drop.lua", "--allow-read", "--allow-write", "--allow-net=127.0.0.1", "--no-state", "-q",
    ]).within(scratch)
    command.environment = TestDatabases.environment
    let result = try command.run()
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  /// The table goes; a second run ends well, and has all of the items again.
  @Test(
    arguments: ["a.db", "a.duckdb", "postgresql"],
    [["at=3"], ["how=new"], ["how=parts"], ["how=parts", "at=4"]])
  func `its source is read from the start`(output: String, parameters: [String]) throws {
    let scratch = try Scratch(script: Self.script)
    let place = output == "postgresql" ? try PostgreSQLServer.shared.makeDatabase().url() : output
    func options(_ parameters: [String]) -> [String] { parameters.flatMap { ["-e", $0] } + ["-o", place] }
    let rest = parameters.filter { !$0.hasPrefix("at=") }
    let first = try run(scratch, options(parameters))
    try drop("rows", of: place, scratch)

    let second = try run(scratch, options(rest))

    #expect(first.exitCode == (rest == parameters ? 0 : 65), "\(first.errors)")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("the output is not as the run before left it"), "\(second.errors)")
    let ids = try scratch.values("SELECT count(*) || ' ' || sum(id) AS value FROM rows", in: place)
    #expect(ids == [rest == ["how=parts"] ? "20 230" : "10 65"])
  }

  @Test(arguments: ["a.db", "a.duckdb"])
  func `what steps have filled is not left out in silence`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { fail = { default = false, partition = false } }
        lookahead.step("one", function() for id = 1, 3 do lookahead.emit({ id = id }, "a") end end)
        if p.fail then error("stop") end
        lookahead.step("two", function() for id = 4, 6 do lookahead.emit({ id = id }, "b") end end)
        """)
    _ = try run(scratch, ["-e", "fail=true", "-o", output])
    try drop("a", of: output, scratch)

    let second = try run(scratch, ["-o", output])
    let fresh = try run(scratch, ["-o", output, "--fresh"])

    #expect(second.exitCode == 73, "\(second.errors)")
    #expect(second.errors.contains("its table a is gone"), "\(second.errors)")
    #expect(fresh.exitCode == 0, "\(fresh.errors)")
    #expect(try scratch.values("SELECT count(*) AS value FROM a", in: output) == ["3"])
  }
}
