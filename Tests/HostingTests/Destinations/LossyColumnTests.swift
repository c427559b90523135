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

  private static let ofPostgreSQL: [Case] = [
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
    Case("inet", #""10.0.0.1""#, "10.0.0.1/32"), Case("inet", #""010.0.0.1""#, nil),
    Case("cidr", #""0123""#, nil), Case("cidr", #""2001:DB8::/32""#, "2001:db8::/32"),
    Case("xid", #""infinity""#, nil), Case("xid", "1.50", nil), Case("xid", "[1,2]", nil),
    Case("xid", "7", "7"), Case("xid8[]", #""{1.5}""#, nil),
    Case("double precision", "12345678901234.567", nil), Case("double precision", #""1e-400""#, nil),
    Case("double precision", "0.10000000000000001", "0.1"),
    Case("double precision[]", #""{12345678901234.567}""#, nil), Case("real", #""0123""#, nil),
    Case("real", "0.1000000000000000055", nil), Case("real", "1e-50", nil), Case("real", "1e50", nil),
    Case("real", "0.006929283495992422", "0.0069292835"), Case("real[]", #""{0.1, 1.00e1}""#, "{0.1,10}"),
    Case("numeric", #""0123""#, nil), Case("numeric", "1.50", "1.50"), Case("numeric", #""NaN""#, "NaN"),
    Case("timestamp(2)", #""2026-01-01T10:00:00.123Z""#, nil),
    Case("timestamp(2)", #""2026-01-01T10:00:00.12Z""#, "2026-01-01 10:00:00.12"),
    Case("timestamp[]", #""{2026-01-01T10:00:00+02}""#, nil), Case("time", #""10:00:60""#, nil),
    Case("time", #""10:00 PM""#, nil), Case("timetz", #""10:00-0530""#, "10:00:00-05:30"),
    Case("interval", #""0123""#, nil), Case("interval", #""0.33 years""#, nil),
    Case("interval", #""13:30:00.1234567""#, nil), Case("interval", #""P1Y2M3DT1.5H""#, nil),
    Case("interval", #""P1Y2MT1.5S""#, "1 year 2 mons 00:00:01.5"),
    Case("interval", #""1.5 hours""#, "01:30:00"),
    Case("uuid", #""{6F2B8F0E51F24C0C9B612C1E66B8F6F1}""#, "6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"),
    Case("bytea", #""abc""#, #"\x616263"#), Case("bytea", #""\\x6A""#, #"\x6a"#),
    Case("bytea", #""\\101""#, nil), Case("macaddr", #""8:0:2b:1:2:3""#, nil),
    Case("macaddr", #""08-00-2B-01-02-03""#, "08:00:2b:01:02:03"), Case("bit(8)", #""X1F""#, nil),
    Case("int4range", #""[1,5]""#, nil), Case("int4range", #""[1, 5)""#, "[1,5)"),
    Case("tsvector", #""the cat the""#, nil), Case("tsvector", #""'cat'""#, "'cat'"),
    Case("boolean[]", #""{yes}""#, nil), Case("boolean[]", #""{true,NULL,f}""#, "{t,NULL,f}"),
    Case("integer[]", #""{012}""#, nil), Case("integer[]", #""{{1, 2},{3,4}}""#, "{{1,2},{3,4}}"),
    Case("varchar(2)[]", #""{abc}""#, nil), Case("short[]", #""{abc}""#, nil),
    Case("box[]", #""{(0,0),(1,1)}""#, nil), Case("jsonb[]", #""{1}""#, "{1}"),
    Case("pair", #""(a b,1.5)""#, nil), Case("pair", #""(\"a b\",1)""#, #"("a b",1)"#),
    Case("mood", #""very happy""#, "very happy"), Case("vector", "[0.1, 0.000021]", "[0.1, 0.000021]"),
    Case("vector", "[16777217]", nil),
  ]
  private static let domains = """
    create domain short as varchar(2); create domain shorter as short; create domain price as numeric(10, 2);
    create domain moment as timestamp; create domain day as date; create type pair as (a text, b xid); \
    create type mood as enum ('sad', 'very happy'); create type vector; \
    create function reading(cstring) returns vector language internal immutable strict as 'textin'; \
    create function writing(vector) returns cstring language internal immutable strict as 'textout'; \
    create type vector (input = reading, output = writing, internallength = variable)
    """

  private static let ofDuckDB: [Case] = [
    Case("float", "16777217", nil), Case("float", "0.5", "0.5"), Case("integer[]", "[1.5,2]", nil),
    Case("integer[]", "[1,2]", "[1, 2]"), Case("decimal(10, 1)[]", "[1.25]", nil),
    Case("struct(a integer)", #"{"a":1.5}"#, nil), Case("time", #""10:00:00.1234567""#, nil),
    Case("time", #""10:00:00+02:00""#, nil), Case("time", #""10:00:00.5""#, "10:00:00.5"),
    Case("bignum", "1.50", nil), Case("bignum", #""0123""#, nil), Case("bignum", "3.0", "3"),
    Case("bignum", "123456789012345678901234567890", "123456789012345678901234567890"),
    Case("timetz", #""2026-11-25T13:30:00.1234567Z""#, nil), Case("timetz", #""2026-11-25""#, nil),
    Case("timetz", #""13:30:00.5+0530""#, "13:30:00.5+05:30"), Case("time_ns", #""13:30:00+02""#, nil),
    Case("time_ns", #""2026-11-25T13:30:00Z""#, nil), Case("time_ns", #""13:30:00.1234567891""#, nil),
    Case("time_ns", #""13:30:00.123456789""#, "13:30:00.123456789"),
    Case("interval", #""13:30:00.1234567""#, nil), Case("interval", #""0123""#, nil),
    Case("interval", #""0.5 months""#, nil), Case("interval", #""1:00:00 ago""#, nil),
    Case("interval", #""1.5 seconds""#, "00:00:01.5"), Case("interval", #""2 hours""#, "02:00:00"),
    Case("float", "0.1000000000000000055", nil), Case("float", "1e-400", nil),
    Case("float", #""0123""#, nil), Case("float", "1e39", nil), Case("float", "1e-50", nil),
    Case("float", "0.1", "0.1"), Case("float", "0.006929283495992422", "0.0069292835"),
    Case("double", "12345678901234.567", nil), Case("double", #""1e-400""#, nil),
    Case("double", "0.10000000000000001", "0.1"), Case("bit", #""""#, nil), Case("bit", #""101""#, "101"),
    Case("blob", #""abc""#, "abc"), Case("blob", #""\\xc3""#, #"\xC3"#), Case("blob", #""a\\x41""#, nil),
    Case("uuid", #""{6F2B8F0E51F24C0C9B612C1E66B8F6F1}""#, "6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"),
    Case("enum('sad', 'very happy')", #""very happy""#, "very happy"),
    Case("enum('sad', 'very happy')", #""Sad""#, nil), Case("integer[]", "[true]", nil),
    Case("integer[]", #"["01"]"#, nil), Case("integer[2][]", "[[1,2],[3,4.5]]", nil),
    Case("integer[2][]", "[[1,2],[3,4.0]]", "[[1, 2], [3, 4]]"), Case("boolean[]", "[2]", nil),
    Case("boolean[]", "[true,null,0]", "[true, NULL, false]"),
    Case("varchar[]", #"["x\ny"]"#, nil), Case("varchar[]", #"["caf\u00e9"]"#, nil),
    Case("varchar[]", #"["a","b c\\\"n"]"#, #"[a, 'b c\\"n']"#), Case("float[]", "[16777217]", nil),
    Case("float[]", "[0.1000000000000000055]", nil), Case("double[]", "[1e-400]", nil),
    Case("double[]", "[0.1,1e22,0.10000000000000001]", "[0.1, 1e+22, 0.1]"),
    Case("double[]", "[12345678901234.567]", nil), Case("decimal(10, 2)[]", "[1.5]", "[1.50]"),
    Case("date[]", #"["2026-11-25T10:00:00Z"]"#, nil),
    Case("timestamp[]", #"["2026-11-25T10:00:00+02:00"]"#, nil),
    Case("timestamptz[]", #"["2026-11-25T10:00:00+02:00"]"#, "['2026-11-25 08:00:00+00']"),
    Case("timestamp_s[]", #"["2026-11-25T10:00:00.5"]"#, nil),
    Case(#"struct("a ""b" integer, c struct("d, e" time[]))"#, #"{"c":{"d, e":["10:00:00+02"]}}"#, nil),
    Case(#"struct("a (b" integer, c struct(d time[]))"#, #"{"a (b":1.5}"#, nil),
    Case("struct(a integer)", #"{"a":1,"z":2}"#, nil), Case("struct(a json)", #"{"a":1,"z":2}"#, nil),
    Case("struct(a integer, b varchar)", #"{"a":1}"#, "{'a': 1, 'b': NULL}"),
    Case("map(integer, time)", #""{1=10:00:00+02}""#, nil), Case("map(integer, time)", #""{1.5=null}""#, nil),
    Case("map(varchar, integer)", #""{a=1}""#, "{a=1}"),
    Case("union(i integer, s varchar)", "1.5", "1.5"),
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
