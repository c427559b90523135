import TestSupport
import Testing

/// A table has rows of items with ids, or rows that are only counted.
@Suite struct CountedRowTests {
  /// What twenty items are declared to be, some of whose ids are numbers of rows.
  private func script(_ id: String, _ note: String) -> String {
    """
    return lookahead.source { name = "items", id = \(id), fetch = function()
      local list = {}
      for i = 10, 29 do list[#list + 1] = { id = i, n = i, note = "\(note)" } end
      return { items = list }
    end }
    """
  }

  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run"] + arguments).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    return try command.run()
  }

  /// How many rows there are of each note.
  private func notes(_ scratch: Scratch, _ output: String) throws -> [String] {
    let query = "SELECT note, count(*) AS count FROM items GROUP BY 1 ORDER BY 1"
    if output.hasSuffix(".db") { return try scratch.shell("sqlite3 \(output) '\(query)'").lines }
    try scratch.write(
      "rows.lua",
      "for row in lookahead.database.open('\(output)'):rows('\(query)') do lookahead.emit(row.note .. '|' .. row.count) end"
    )
    let rows = try run(scratch, ["rows.lua", "--allow-read", "--no-state", "-q"])
    return rows.lines.map { $0.replacing("\"", with: "") }
  }

  private static let outputs = TestDrivers.areInstalled ? ["out.db", "out.duckdb"] : ["out.db"]
  private static let ids = ["'id'", "'n'", "{ 'id', 'n' }", "function(i) return i.id end"]
  private static let states = [[], ["--no-state"]]
  private static let cases = outputs.flatMap { output in
    (output == "out.db" ? ids : ["'n'"]).flatMap { id in
      states.flatMap { first in (states + [["--write", "mirror"]]).map { (output, id, first, $0) } }
    }
  }

  @Test(arguments: cases)
  func `items with ids are refused where rows are only counted, whatever is remembered`(
    output: String, id: String, first: [String], second: [String]
  ) throws {
    let scratch = try Scratch()
    try scratch.write("without.lua", script("false", "without"))
    try scratch.write("with.lua", script(id, "with"))
    let counted = try run(scratch, ["without.lua", "-o", output] + first)
    let refused = try run(scratch, ["with.lua", "-o", output] + second)

    #expect(counted.exitCode == 0, "\(counted.errors)")
    #expect([65, 73].contains(refused.exitCode), "\(refused.errors)")
    #expect(refused.errors.contains("only counted") || refused.errors.contains("have no ids"))
    #expect(try notes(scratch, output) == ["without|20"])
  }

  @Test(arguments: outputs)
  func `a table of counted rows that is empty takes items with ids, and keeps to them`(
    output: String
  ) throws {
    let scratch = try Scratch()
    let with = script("'n'", "with")
    for (script, notes) in [
      ("lookahead.emit({ note = 'without' }, 'items')", ["without|1"]), ("return nil", []),
      (with, ["with|20"]), (with, ["with|20"]),
    ] {
      try scratch.write("feed.lua", script)
      let result = try run(scratch, ["feed.lua", "-o", output])
      #expect(result.exitCode == 0, "\(script): \(result.errors)")
      #expect(try self.notes(scratch, output) == notes, "\(script)")
    }
  }
}
