import TestSupport
import Testing

/// Lists with ids that are written alike, as `1` and `"1"`: no output can have both as what they are.
@Suite(
  .waiting, .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
struct TwinIDTests {
  private static let outputs = ["out.db", "out.duckdb", "out.parquet", "out.ndjson", "out.csv", "out.json"]

  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run"] + arguments).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    return try command.run()
  }

  /// A script with these pages of its list, whatever the run is given as `n`.
  private func script(_ pages: String...) throws -> Scratch {
    try Scratch(
      script: """
        local p = lookahead.parameters { n = { default = 1, partition = false } }
        local pages = ({ \(pages.joined(separator: ", ")) })[p.n]
        return lookahead.source { name = "items", keys = "page", fetch = function(context)
          local page = pages[context.key]
          return { items = page.items or page, removed = page.removed, isLast = context.key == #pages }
        end }
        """)
  }

  @Test(
    arguments: outputs,
    [
      "{ { { id = 1 }, { id = '1' } } }", "{ { { id = '7' }, { id = 2 } }, { { id = 7.0 } } }",
      "{ { { id = 1 }, { id = 2 } }, { { id = 'x' } }, { { id = 3 }, { id = '2' } } }",
    ])
  func `two items of one list that would be one row are an error that names both, in every output`(
    output: String, pages: String
  ) throws {
    for option in [[], ["--no-state"]] {
      let scratch = try script(pages)

      let result = try run(scratch, ["feed.lua", "-o", output] + option)

      let id = pages.contains("'7'") ? "7" : pages.contains("'2'") ? "2" : "1"
      #expect(result.exitCode == 65, "\(result.exitCode)")
      #expect(
        result.errors.contains(
          "source 'items' has an item with the id \(id) and one with the id \"\(id)\", which would be one row"
        ),
        "\(result.errors)")
      #expect(result.errors.contains("id = function(item)"), "\(result.errors)")
    }
  }

  @Test(
    arguments: outputs,
    [
      ("{ { { a = 1, b = 1 }, { a = '1', b = 1 } } }", "[1,1]", #"["1",1]"#),
      (
        "{ { { a = 'x', b = '7' }, { a = 'y', b = 7 } }, { { a = 'x', b = 7.0 } } }", #"["x","7"]"#,
        #"["x",7]"#
      ),
      ("{ { { a = 1, b = '2' }, { a = 3, b = 4 } }, { { a = '1', b = 2 } } }", #"[1,"2"]"#, #"["1",2]"#),
    ])
  func `ids of two members that are written alike are an error that names both`(
    output: String, list: (pages: String, one: String, other: String)
  ) throws {
    for option in [[], ["--no-state"]] {
      let scratch = try joined(list.pages)

      let result = try run(scratch, ["feed.lua", "-o", output] + option)

      #expect(result.exitCode == 65, "\(result.exitCode)")
      #expect(result.errors.contains("which are written alike"), "\(result.errors)")
      for id in [list.one, list.other] { #expect(result.errors.contains(" id \(id)"), "\(result.errors)") }
    }
  }

  @Test func `ids of two members of all kinds that are not written alike are fine`() throws {
    let scratch = try joined(
      "{ { { a = 1, b = '2' }, { a = '2', b = 1 }, { a = 1, b = '02' } }, { { a = 1, b = 1 }, { a = 'x', b = true } } }"
    )

    let result = try run(scratch, ["feed.lua", "-o", "a.db"])

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.rows("select count(*) from items") == "5")
  }

  @Test func `a run that goes on knows the ids of two members that it has`() throws {
    let scratch = try joined("{ { { a = 1, b = 1 } }, { { a = 2, b = 1 } }, { { a = '1', b = 1 } } }")
    let first = try run(scratch, ["feed.lua", "-o", "out.db", "--max-pages", "2"])

    let second = try run(scratch, ["feed.lua", "-o", "out.db"])

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(second.exitCode == 65, "\(second.errors)")
    #expect(second.errors.contains("which are written alike"), "\(second.errors)")
  }

  /// A script whose items are named by `a` and `b` together.
  private func joined(_ pages: String) throws -> Scratch {
    let scratch = try script(pages)
    try scratch.write(
      "feed.lua",
      scratch.text("feed.lua").replacing(#"name = "items","#, with: #"name = "items", id = { "a", "b" },"#))
    return scratch
  }

  @Test(arguments: outputs) func `ids of both kinds that are not written alike are fine`(output: String)
    throws
  {
    let scratch = try script("{ { { id = 1 }, { id = '01' } }, { { id = 'x' }, { id = 2 }, { id = '+2' } } }")

    let result = try run(scratch, ["feed.lua", "-o", output])

    #expect(result.exitCode == 0, "\(result.errors)")
  }

  /// What a second run makes of the rows 1, 2 and 3 of the first one: `2` is a text then, and a third page says what has gone.
  @Test(
    arguments: ["out.db", "out.duckdb"],
    [
      ("merge", "{ { { id = '1', v = 2 }, { id = 'x', v = 2 } } }", "1=2 2=1 3=1 x=2"),
      ("mirror", "{ { { id = '1', v = 2 }, { id = 'x', v = 2 }, { id = 3, v = 2 } } }", "1=2 3=2 x=2"),
      ("mirror", "{ { { id = '1', v = 2 } }, { { id = '2', v = 2 } } }", "1=2 2=2"),
      ("merge", "{ { { id = 4, v = 2 } }, { items = {}, removed = { '4', '3', '02' } } }", "1=1 2=1"),
    ])
  func `what is one id for the list and the state is one row in every run`(
    output: String, second: (write: String, pages: String, rows: String)
  ) throws {
    let scratch = try script("{ { { id = 1, v = 1 }, { id = 2, v = 1 }, { id = 3, v = 1 } } }", second.pages)
    let query =
      "select group_concat(id || '=' || v, ' ') as rows from (select id, v from items order by cast(id as text))"

    let first = try run(scratch, ["feed.lua", "-o", output])
    for _ in 1...2 {
      let result = try run(scratch, ["feed.lua", "-o", output, "-e", "n=2", "--write", second.write])
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    #expect(first.exitCode == 0, "\(first.errors)")
    let opened =
      output == "out.db" ? "lookahead.sqlite.open('out.db')" : "lookahead.database.open('out.duckdb')"
    try scratch.write("rows.lua", "for row in \(opened):rows([[\(query)]]) do print(row.rows) end")
    let rows = try run(scratch, ["rows.lua", "--allow-read", "--no-state"])
    #expect(
      rows.output.contains(second.rows + "\n") || rows.errors.contains(second.rows + "\n"),
      "\(rows.output)\(rows.errors)")
  }
}
