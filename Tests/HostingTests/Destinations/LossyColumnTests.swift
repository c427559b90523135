import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Values of which a column that somebody else has made would keep less, without a word of the database.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct LossyColumnTests {
  /// A column, a value of an item for it, and what the column has then; nil where that would not be what was given.
  struct Case: CustomTestStringConvertible {
    let type: String
    let value: String
    let kept: String?
    var testDescription: String { "\(type) \(value)" }

    init(_ type: String, _ value: String, _ kept: String?) {
      (self.type, self.value, self.kept) = (type, value, kept)
    }
  }

  private static let ofPostgreSQL = [
    Case("short", #""xyz""#, nil), Case("short", #""xy""#, "xy"), Case("shorter", #""xyz""#, nil),
    Case("price", "0.125", nil), Case("price", "0.12", "0.12"),
    Case("moment", #""2026-01-01T10:00:00+02:00""#, "2026-01-01 08:00:00"),
    Case("day", #""2026-01-01T23:30:00-05:00""#, nil), Case("day", #""2026-01-01""#, "2026-01-01"),
    Case("real", "16777217", nil), Case("real", "0.1", "0.1"), Case("real", #""0.100000000000001""#, nil),
    Case("real[]", #""{16777217}""#, nil), Case("money", "0.125", nil), Case("money", "12.5", "$12.50"),
    Case("numeric(10, 1)[]", #""{1.25,2}""#, nil), Case("numeric(10, 1)[]", #""{1.2, 2}""#, "{1.2,2.0}"),
    Case("numeric(5, -2)", "1234", nil), Case("numeric(5, -2)", "1200", "1200"),
    Case("time(0)", #""10:00:00.6""#, nil), Case("time(3)", #""10:00:00.250""#, "10:00:00.25"),
    Case("time", #""10:00:00+02""#, nil), Case("time", #""now""#, nil), Case("time", #""10:00""#, "10:00:00"),
    Case("timetz", #""10:00:00+02""#, "10:00:00+02"), Case("timetz", #""now""#, nil),
    Case("interval(0)", #""1.5 seconds""#, nil), Case("interval", #""1.5 seconds""#, "00:00:01.5"),
    Case("interval", #""0.0000001 s""#, nil), Case("interval hour", #""90 minutes""#, nil),
    Case("name", #""\#(String(repeating: "x", count: 70))""#, nil), Case("name", #""pg""#, "pg"),
    Case(#""char""#, #""xyz""#, nil), Case("bit(3)", #""10111""#, nil), Case("bit(3)", #""101""#, "101"),
    Case("varbit(3)", #""10111""#, nil), Case("varbit(3)", #""10""#, "10"),
    Case("varchar(3)", #""abc   ""#, nil), Case("varchar(3)", #""abc""#, "abc"), Case("oid", "-1", nil),
    Case("oid", "7", "7"), Case("text[]", #""{\"a b\",c}""#, #"{"a b",c}"#),
    Case("inet", #""10.0.0.1""#, "10.0.0.1/32"),
  ]
  private static let domains = """
    create domain short as varchar(2); create domain shorter as short; create domain price as numeric(10, 2);
    create domain moment as timestamp; create domain day as date
    """

  private static let ofDuckDB = [
    Case("float", "16777217", nil), Case("float", "0.5", "0.5"), Case("integer[]", "[1.5,2]", nil),
    Case("integer[]", "[1,2]", "[1, 2]"), Case("decimal(10, 1)[]", "[1.25]", nil),
    Case("struct(a integer)", #"{"a":1.5}"#, nil), Case("time", #""10:00:00.1234567""#, nil),
    Case("time", #""10:00:00+02:00""#, nil), Case("time", #""10:00:00.5""#, "10:00:00.5"),
  ]

  private func expect(_ test: Case, _ kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    if kind == .postgresql {
      for domain in Self.domains.split(separator: ";") { _ = try destination.rows(String(domain)) }
    }
    _ = try destination.rows("create table items (id integer primary key, value \(test.type))")

    let report = try destination.write([item(7, "{\"id\":7,\"value\":\(test.value)}")]) { $0.adopts = true }

    let rows = try destination.rows(
      "select cast(value as \(kind == .postgresql ? "text" : "varchar")) from items")
    guard let kept = test.kept else {
      let message = report.failure?.message ?? ""
      #expect(message.contains("the item 7 of items has "), "\(message)")
      #expect(message.contains("for the column value, which has the type "), "\(message)")
      return #expect(rows == [])
    }
    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(rows == [kept])
  }

  @Test(arguments: ofPostgreSQL) func `PostgreSQL keeps all of a value, or the run ends`(_ test: Case) throws
  {
    try expect(test, .postgresql)
  }

  @Test(arguments: ofDuckDB) func `DuckDB keeps all of a value, or the run ends`(_ test: Case) throws {
    try expect(test, .duckdb)
  }

  @Test(arguments: DestinationTests.databases)
  func `a column that takes different texts for the same finds no rows`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    if kind == .postgresql {
      _ = try destination.rows(
        "create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    }
    let collation = kind == .postgresql ? "folded" : "nocase"
    _ = try destination.rows("create table items (id varchar collate \(collation) primary key, note varchar)")
    _ = try destination.rows("insert into items values ('A', 'not of the source')")

    let report = try destination.write([Item(id: .text("a"), bytes: Bytes(#"{"id":"a"}"#))]) {
      $0.adopts = true
    }

    #expect(report.failure?.message.contains("takes different texts for the same (COLLATE)") == true)
    #expect(try destination.rows("select id, note from items") == ["A|not of the source"])
  }
}
