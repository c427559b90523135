import TestSupport
import Testing

/// Tables of SQLite and DuckDB that somebody else has made.
@Suite(.waiting) struct AdoptedTableTests {
  private static let source = """
    local p = lookahead.parameters { night = { default = 1, partition = false }, account = 7 }
    local s = lookahead.source { name = "t", id = "id" }
    local nights = { { { id = 1, v = "a" }, { id = 2, v = "b" } }, { { id = 1, v = "c" } } }
    function s.fetch() return { items = p.account == 7 and nights[p.night] or { { id = 5, v = "e" } } } end
    return s
    """

  private func scratch(_ table: String) throws -> Scratch {
    let scratch = try Scratch(script: Self.source)
    _ = try scratch.shell("sqlite3 a.db \"\(table)\"")
    return scratch
  }

  private static let rows = "insert into t values (98, 'of others'), (99, 'typed in by hand')"
  private static let table = "create table t (id integer primary key, v text); " + rows

  @Test(arguments: [["--write", "mirror"], ["--refresh", "10ms", "--refreshes", "1"]])
  func `a mirror takes no rows away that no run has brought, and says that they stay`(options: [String])
    throws
  {
    let scratch = try scratch(Self.table)

    for night in [1, 2] {
      let result = try Command.lookahead(
        ["run", "feed.lua", "-o", "a.db", "--adopt", "-e", "night=\(night)"] + options
      ).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      guard night == 2 else { continue }
      #expect(result.errors.contains("1 row removed"), "\(result.errors)")
      #expect(
        result.errors.contains("2 rows stay that this source is not known to have brought"),
        "\(result.errors)")
    }

    #expect(
      try scratch.shell("sqlite3 a.db 'select * from t'").lines == [
        "1|c|1", "98|of others|", "99|typed in by hand|",
      ])
  }

  @Test func `rows of others are those of no part`() throws {
    let scratch = try scratch(Self.table)
    for options in [["--adopt"], ["-e", "account=8"], ["-e", "night=2", "--write", "mirror"]] {
      let result = try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + options).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(!result.errors.contains("had brought"), "\(result.errors)")
    }

    // The second row came before the table said who brought it.
    #expect(
      try scratch.shell("sqlite3 a.db 'select * from t'").lines == [
        "1|c|1", "2|b|", "5|e|2", "98|of others|", "99|typed in by hand|",
      ])
  }

  @Test(arguments: [
    ("text collate nocase", "takes different texts for the same"),
    ("text collate rtrim", "takes different texts"),
    ("real", "makes doubles of ids"), ("double precision", "makes doubles of ids"),
  ])
  func `a primary key that would make one of two ids is refused`(type: String, reason: String) throws {
    let scratch = try scratch("create table t (id \(type) primary key, v text)")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--adopt")

    #expect(result.exitCode == 65)
    #expect(
      result.errors.contains("its table t can't be adopted (--adopt): its column id"), "\(result.errors)")
    #expect(result.errors.contains(reason), "\(result.errors)")
  }

  /// As in every other database.
  @Test(arguments: [
    ("1234567890.12345678901", "text"), ("100000000000000000000000.5", "text"),
    ("1e-400", "text"),
    ("0.1000000000000000055511151231257827", "text"), ("0.10000000000000001", "real"),
    ("12345678901234.567", "text"), ("12345678901234.566", "real"), ("9007199254740993.0", "text"),
    ("9007199254740992.0", "real"), ("1764320507.1234568", "text"), ("1764320507.1234567", "real"),
    ("99999999999999.995", "text"), ("0.30000000000000004", "real"), ("5e-324", "real"), ("4.7e-324", "text"),
    ("1.50", "real"),
    ("0.00000000000000000000012", "real"), ("100000000000000000000000.0", "real"),
    ("-1.7976931348623157e308", "real"),
  ])
  func `a number with digits that a double does not keep is a text in SQLite`(number: String, type: String)
    throws
  {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "t", id = "id" }
        function s.fetch(context) return lookahead.json.page("data.json", { key = context.key, size = context.size }) end
        return s
        """)
    try scratch.write("data.json", "[{\"id\":1,\"v\":0.5},{\"id\":2,\"v\":\(number)}]")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--allow-read")

    #expect(result.exitCode == 0, "\(result.errors)")
    let row = try scratch.shell("sqlite3 a.db 'select typeof(v), v from t where id = 2'").lines.first ?? ""
    #expect(row.hasPrefix("\(type)|"))
    if type == "text" { #expect(row == "text|\(number)") }
  }
}
