import TestSupport
import Testing

/// A table has rows of items with ids, or rows that are only counted.
@Suite(.waiting) struct CountedRowTests {
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

  /// The ids of five items, one of which an id that is gone is the number of.
  private static let history = """
    local p = lookahead.parameters { way = "", partition = false }
    local s = lookahead.source { name = "items", id = p.way ~= "no ids" and "id" or false,
      isRemoved = p.way == "isRemoved" and function(item) return item.gone end or nil }
    function s.fetch(context)
      if context.key == nil then
        return { items = { { id = 101 }, { id = 102 }, { id = 103 }, { id = 104 } }, nextKey = "2" }
      end
      if p.way == "isRemoved" then
        return { items = { { id = 2, gone = true }, { id = 103, gone = true }, { id = 105 } } }
      end
      return { items = { { id = 105 } }, removed = p.way == "texts" and { "2", "103" } or { 2, 103 } }
    end
    return s
    """

  @Test(arguments: outputs, ["isRemoved", "removed", "texts", "no ids"])
  func `an id that is gone is never taken for the number of a row`(output: String, way: String) throws {
    let scratch = try Scratch(script: Self.history)
    let append = way == "no ids" ? [] : ["--write", "append"]

    for number in way == "no ids" ? 1...1 : 1...2 {
      let result = try run(scratch, ["feed.lua", "-o", output, "-e", "way=\(way)"] + append)

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("the source says that 2 items are gone: they stay"), "\(result.errors)")
      #expect(result.errors.contains("5 items") && !result.errors.contains("removed in"), "\(result.errors)")
      let ids = try column("id", scratch, output)
      #expect(ids == Array(repeating: 101...105, count: number).flatMap { $0.map(String.init) })
    }
  }

  @Test(arguments: outputs)
  func `what a run that may only add is told is gone stays, also where it is refused`(output: String) throws {
    let scratch = try Scratch(script: Self.history)
    _ = try run(scratch, ["feed.lua", "-o", output, "--max-pages", "1"])
    let before = try column("id", scratch, output)

    let result = try run(scratch, ["feed.lua", "-o", output, "-e", "way=removed", "--write", "append"])

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(try column("id", scratch, output) == before)
    #expect(before.count == 4)
  }

  /// A column, in the order of the rows.
  private func column(_ name: String, _ scratch: Scratch, _ output: String) throws -> [String] {
    try scratch.values("SELECT \(name) AS value FROM items ORDER BY rowid", in: output)
  }

  /// How many rows there are of each note.
  private func notes(_ scratch: Scratch, _ output: String) throws -> [String] {
    try scratch.values(
      "SELECT note || '|' || count(*) AS value FROM items GROUP BY note ORDER BY 1", in: output)
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
