import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Rows in databases that have types, read back by those databases' own programs.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct DestinationTests {
  static let databases: [Destination.Kind] = [.postgresql, .duckdb]

  @Test(arguments: Destination.Kind.allCases)
  func `values are what they were`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)

    let report = try destination.write([
      item(1, #"{"id":1,"s":"it's \"é\"\n","i":9223372036854775807,"r":0.1,"b":true,"n":null,"l":[1,"a"]}"#),
      item(2, #"{"id":2,"s":"","i":-9223372036854775808,"r":-2e3,"b":false,"l":{"k":null},"late":7}"#),
      item(3, #"{"id":3}"#),
    ])

    #expect(report.failure == nil)
    let text = kind == .postgresql ? "text" : "varchar"
    let rows = try destination.rows(
      "select id, replace(s, chr(10), '/'), cast(i as \(text)), cast(r as \(text)), b::int, "
        + "replace(cast(l as \(text)), ' ', ''), late from items order by id")
    let real = kind == .postgresql ? "-2000" : "-2000.0"
    #expect(
      rows == [
        #"1|it's "é"/|9223372036854775807|0.1|1|[1,"a"]|NULL"#,
        #"2||-9223372036854775808|\#(real)|0|{"k":null}|7"#, "3|NULL|NULL|NULL|NULL|NULL|NULL",
      ])
  }

  @Test(arguments: Destination.Kind.allCases)
  func `numbers that no type holds are texts, with every digit`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)

    let report = try destination.write(
      [item(1, #"{"id":1,"big":1,"long":0.5,"both":9007199254740993,"fits":1}"#)],
      [
        item(
          2,
          #"{"id":2,"big":123456789012345678901234567890,"long":0.12345678901234567890,"both":0.5,"fits":2.5}"#
        )
      ])

    #expect(report.failure == nil)
    #expect(
      try destination.rows("select big, long, \"both\", fits * 2 from items order by id").map {
        $0.replacing(".0", with: "")
      } == [
        "1|0.5|9007199254740993|2", "123456789012345678901234567890|0.12345678901234567890|0.5|5",
      ])
  }

  @Test(arguments: Destination.Kind.allCases)
  func `moments and days of one form have a type, and all others stay as they are`(
    kind: Destination.Kind
  ) throws {
    let destination = try Destination(kind)
    let one =
      #"{"id":1,"at":"2024-02-29T23:59:59.123Z","day":"2024-02-29","no":"2023-02-29","zone":"2024-01-01T00:00:00+02:00","mixed":"2024-01-01T00:00:00.500Z","old":"0001-01-01"}"#
    let two =
      #"{"id":2,"at":"1969-12-31T00:00:00.000Z","day":"1900-01-01","no":"x","zone":"","mixed":"soon","old":"9999-12-31"}"#

    let report = try destination.write([item(1, one)], [item(2, two)])

    #expect(report.failure == nil)
    let seconds = kind == .postgresql ? "extract(epoch from \"at\")::text" : "epoch_ms(\"at\")::varchar"
    let rows = try destination.rows("select \(seconds), day, no, zone, mixed, old from items order by id")
    let moments =
      kind == .postgresql ? ["1709251199.123000", "-86400.000000"] : ["1709251199123", "-86400000"]
    #expect(
      rows == [
        "\(moments[0])|2024-02-29|2023-02-29|2024-01-01T00:00:00+02:00|2024-01-01T00:00:00.500Z|0001-01-01",
        "\(moments[1])|1900-01-01|x||soon|9999-12-31",
      ])
  }

  @Test(arguments: Destination.Kind.allCases)
  func `names are what they were, as far as the database tells them apart`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    let long = String(repeating: "ä", count: 40)

    let report = try destination.write([
      item(
        1,
        #"{"id":1,"a\"b":1,"Name":2,"name":3,"NAME":4,"select":5,"":6,"\#(long)1":7,"\#(long)2":8,"a b;--":9,"_id":10}"#
      )
    ])

    #expect(report.failure == nil)
    #expect(
      try destination.rows(
        #"select id, "a""b", "Name", "name_2", "NAME_3", "select", "_", "a b;--", "_id_2" from items"#)
        == ["1|1|2|3|4|5|6|9|10"])
  }

  @Test(arguments: databases)
  func `an item whose id is there replaces the row, in one run and in the next`(kind: Destination.Kind) throws
  {
    let destination = try Destination(kind)

    _ = try destination.write(
      [item("a", #"{"id":"a","x":1,"y":1}"#), item("b", #"{"id":"b","x":1}"#)],
      [item("b", #"{"id":"b","x":7}"#)])
    _ = try destination.write([item("a", #"{"id":"a","x":2}"#), item("c", #"{"id":"c","y":3}"#)])

    #expect(
      try destination.rows("select id, x, y from items order by id") == ["a|2|NULL", "b|7|NULL", "c|NULL|3"])
  }

  @Test(arguments: databases)
  func `columns widen without loss, wherever a batch ends`(kind: Destination.Kind) throws {
    let values = [
      "1", "2.5", "3", #""x""#, "true", "[1]", #""2024-01-01""#, "null", "9007199254740993", "1e400",
    ]
    let deliveries = values.enumerated().map { [item(Int64($0 + 1), #"{"id":\#($0 + 1),"v":\#($1)}"#)] }
    let (one, many) = (try Destination(kind), try Destination(kind))

    _ = try one.write(deliveries.flatMap(\.self))
    for delivery in deliveries { _ = try many.write(delivery) }

    let rows = try one.rows("select id, v from items order by id")
    #expect(try many.rows("select id, v from items order by id") == rows)
    #expect(try many.columns() == one.columns())
    #expect(
      rows.map { $0.replacing(".0", with: "").split(separator: "|")[1] } == [
        "1", "2.5", "3", "x", "true", "[1]", "2024-01-01", "NULL", "9007199254740993", "1e400",
      ])
  }

  @Test(arguments: databases)
  func `columns that somebody has added or changed are left alone`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    _ = try destination.write([item(1, #"{"id":1,"x":1}"#)])

    _ = try destination.rows("alter table items add column note varchar; ")
    _ = try destination.rows("update items set note = 'mine'")
    _ = try destination.rows("alter table items alter column x type numeric(30, 2)")
    let report = try destination.write([item(1, #"{"id":1,"x":12345678901234567890.25,"note":"theirs"}"#)])

    #expect(report.failure == nil)
    #expect(
      try destination.rows("select id, x, note, note_2 from items") == [
        "1|12345678901234567890.25|mine|theirs"
      ])
  }

  @Test(arguments: databases)
  func `a table that is not ours is refused, and stays`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    _ = try destination.rows("create table items (id bigint, x bigint)")
    _ = try destination.rows("insert into items values (1, 1)")

    let report = try destination.write([item(1, #"{"id":1,"x":2}"#)])

    #expect(
      report.failure?.message.contains("has a table items already, which lookahead did not make") == true)
    #expect(try destination.rows("select * from items") == ["1|1"])
  }

  @Test func `PostgreSQL has no place for U+0000, and the item is named`() throws {
    let destination = try Destination(.postgresql)

    let report = try destination.write([item(7, #"{"id":7,"s":"a\u0000b"}"#)])

    #expect(
      report.failure?.message.contains("the item 7 of items has the character U+0000 in its member s") == true
    )
    #expect(try Destination(.duckdb).write([item(7, #"{"id":7,"s":"a\u0000b"}"#)]).failure == nil)
  }

  @Test func `DuckDB has 2,000 columns, and PostgreSQL says how many it has`() throws {
    let members = (1..<2000).map { #""c\#($0)":\#($0)"# }.joined(separator: ",")
    let (duckdb, postgresql) = (try Destination(.duckdb), try Destination(.postgresql))

    let report = try duckdb.write([item(1, #"{"id":1,\#(members)}"#)])
    let refused = try postgresql.write([item(1, #"{"id":1,\#(members)}"#)])

    #expect(report.failure == nil)
    #expect(try duckdb.rows("select c1, c1999 from items") == ["1|1999"])
    #expect(
      refused.failure?.message.contains("more members than PostgreSQL has columns for (1,600)") == true)
  }

  @Test func `a second run is refused while the first one holds the schema, and another schema is free`()
    throws
  {
    let destination = try Destination(.postgresql)
    var configuration = SinkConfiguration(path: destination.output)
    configuration.lockWait = .milliseconds(1)
    let first = try makeSink(configuration)
    var other = SinkConfiguration(path: destination.output + "?schema=other")
    other.lockWait = .milliseconds(1)

    let refused = #expect(throws: HostFailure.self) { try makeSink(configuration) }
    let second = try makeSink(other)

    #expect(refused?.message.contains("another run is writing it (process ") == true)
    #expect(first.finish().failure == nil)
    #expect(second.finish().failure == nil)
  }

  @Test func `a password is in no message`() throws {
    let address = "postgresql://ada:open%20sesame@127.0.0.1:1/shop?sslpassword=hush&schema=raw"

    let configuration = SinkConfiguration(path: address)
    let failure = #expect(throws: HostFailure.self) { try makeSink(configuration) }

    #expect(configuration.path == "postgresql://ada@127.0.0.1:1/shop?schema=raw")
    let message = try #require(failure?.message)
    #expect(message.hasPrefix("postgresql://ada@127.0.0.1:1/shop?schema=raw: "))
    for secret in ["open sesame", "open%20sesame", "hush"] { #expect(!message.contains(secret)) }
  }

  @Test func `pyarrow reads Parquet with its types, and the counting id of items without one is not in it`()
    throws
  {
    let destination = try Destination(.parquet)

    let report = try destination.write([
      item(1, #"{"id":1,"at":"2024-02-29T23:59:59Z","day":"2024-02-29","r":0.5,"ok":true,"t":"x","l":[1]}"#)
    ])

    #expect(report.failure == nil)
    let schema = try Destination.python(
      """
      import pyarrow.parquet as parquet
      table = parquet.read_table("\(destination.output)")
      print(*[f"{field.name} {field.type}" for field in table.schema], sep="\\n")
      print(parquet.ParquetFile("\(destination.output)").metadata.row_group(0).column(0).compression)
      """)
    #expect(
      schema.split(separator: "\n").map(String.init) == [
        "id int64", "at timestamp[us, tz=UTC]", "day date32[day]", "r double", "ok bool", "t string",
        "l extension<arrow.json>", "ZSTD",
      ])
  }
}
