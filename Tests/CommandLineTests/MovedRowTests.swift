import TestSupport
import Testing

/// Rows whose ids several parts of a source bring.
@Suite(.waiting) struct MovedRowTests {
  /// Each part brings the numbers from 1 to 5, and `shift` more.
  private static let source = """
    local rows = lookahead.source { name = "rows", id = ID }
    function rows.fetch(context)
      local items = {}
      for n = 1, 5 do items[n] = { number = n, repo = context.parameters.repo } end
      return { items = items }
    end

    """

  private func scratch(id: String = "\"number\"", _ ending: String) throws -> Scratch {
    try Scratch(script: Self.source.replacing("ID", with: id) + ending)
  }

  private static let parts =
    "return rows:partitions({ \"a\", \"b\", \"c\" }, function(repo) return { repo = repo } end, { limit = 1 })"

  private static let way = "an id of two members keeps them apart"

  private func expectTold(_ output: String, _ options: [String] = []) throws {
    let scratch = try scratch(Self.parts)
    var command = Command.lookahead(["run", "feed.lua", "-o", output, "--summary", "s.json"] + options)
      .within(scratch)
    command.environment = TestDatabases.environment

    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.errors.contains("10 rows that one part of the source had brought were brought by another one"),
      "\(result.errors)")
    #expect(result.errors.contains(Self.way))
    #expect(try scratch.shell("jq .rowsMoved s.json").output == "10\n")
  }

  @Test(arguments: [[], ["--write", "mirror"]])
  func `rows that another part takes over are counted and told of`(options: [String]) throws {
    try expectTold("a.db", options)
  }

  @Test(.enabled(if: TestDatabases.areThere, Comment(rawValue: TestDatabases.need)))
  func `a database with a driver tells of them, too`() throws {
    let database = try PostgreSQLServer.shared.makeDatabase()

    try expectTold("a.duckdb")
    try expectTold(database.url())
  }

  @Test func `parts with ids of their own have nothing to tell`() throws {
    let scratch = try scratch(id: "{ \"repo\", \"number\" }", Self.parts)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--summary", "s.json")

    #expect(!result.errors.contains("had brought"), "\(result.errors)")
    #expect(try scratch.rows("select count(*) from rows") == "15")
    #expect(try scratch.shell("jq .rowsMoved s.json").output == "0\n")
  }

  @Test(arguments: [[], ["--write", "mirror"]])
  func `a run for another parameter tells of the rows that it takes over`(options: [String]) throws {
    let scratch = try scratch(
      "local p = lookahead.parameters { repo = \"a\" }\nlocal fetch = rows.fetch\n"
        + "function rows.fetch() return fetch { parameters = p } end\nreturn rows")
    let run = ["run", "feed.lua", "-o", "a.db"] + options

    let first = try Command.lookahead(run + ["-e", "repo=a"]).within(scratch).run()
    let second = try Command.lookahead(run + ["-e", "repo=b"]).within(scratch).run()
    let again = try Command.lookahead(run + ["-e", "repo=b"]).within(scratch).run()

    #expect(!first.errors.contains("had brought"), "\(first.errors)")
    #expect(second.errors.contains("5 rows that one part of the source had brought"), "\(second.errors)")
    #expect(!again.errors.contains("had brought"), "\(again.errors)")
  }
}
