import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Tables that somebody else has made, and rows that go into them.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct AdoptionTests {
  @Test(arguments: DestinationTests.databases)
  func `an adopted table keeps its columns and what is in them`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    let text = kind == .postgresql ? "text" : "varchar"
    _ = try destination.rows(
      "create table items (id integer primary key, price numeric(10, 2), small smallint, \"at\" timestamp, name varchar(20), "
        + "note \(text) default 'none')")
    _ = try destination.rows("insert into items values (1, 1.5, 1, '2026-01-01 00:00:00', 'old', 'mine')")
    let items = [
      item(
        1,
        #"{"id":1,"price":2.25,"small":7,"at":"2026-11-25T13:30:00+02:00","name":"new","extra":[1]}"#),
      item(2, #"{"id":2,"price":"12345678.90","small":"8","at":"2026-11-25T13:30:00.5Z","name":"two"}"#),
    ]

    let refused = try destination.write(items)
    let before = try destination.rows("select * from items")
    let adopted = try destination.write(items) { $0.adopts = true }
    let again = try destination.write([item(2, #"{"id":2,"price":3,"small":9,"name":"three"}"#)])

    #expect(refused.failure?.message.contains("--adopt writes into it") == true)
    #expect(before == ["1|1.50|1|2026-01-01 00:00:00|old|mine"])
    #expect(adopted.failure == nil, "\(adopted.failure?.message ?? "")")
    #expect(again.failure == nil, "\(again.failure?.message ?? "")")
    let rows = try destination.rows(
      "select id, price, small, \"at\", name, note, extra is null from items order by id")
    #expect(
      rows.map {
        $0.replacing("|f", with: "|False").replacing("|t", with: "|True").replacing("|Trueh", with: "|th")
      } == [
        "1|2.25|7|2026-11-25 11:30:00|new|mine|False", "2|3.00|9|NULL|three|none|True",
      ])
    #expect(
      try destination.columns().prefix(3).map { $0.split(separator: " ")[0] } == ["id", "price", "small"])
  }

  @Test(
    arguments: DestinationTests.databases,
    [
      (#""price":1.234"#, "has 1.234 for the column price"), (#""price":123456789"#, "for the column price"),
      (#""price":"dear""#, "has \"dear\" for the column price"),
      (#""small":1.5"#, "has 1.5 for the column small"),
      (#""small":"""#, "has \"\" for the column small"), (#""at":"soon""#, "has \"soon\" for the column at"),
      (#""code":"no uuid""#, "for the column code"),
    ])
  func `a value that does not fit an adopted column is an error that names both, and the row stays`(
    kind: Destination.Kind, given: (member: String, message: String)
  ) throws {
    let destination = try Destination(kind)
    _ = try destination.rows(
      "create table items (id bigint primary key, price numeric(10, 2), small smallint, \"at\" timestamp, code uuid)"
    )
    _ = try destination.rows("insert into items (id, small) values (1, 1)")
    var items = (2..<40).map {
      item(Int64($0), #"{"id":\#($0),"code":"6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"}"#)
    }
    items.insert(item(77, #"{"id":77,\#(given.member)}"#), at: 20)

    let report = try destination.write(items) { $0.adopts = true }

    let message = report.failure?.message ?? ""
    #expect(message.contains("the item 77 of items has "), "\(message)")
    #expect(message.contains(given.message), "\(message)")
    #expect(message.contains("transform"), "\(message)")
    #expect(try destination.rows("select id, small from items") == ["1|1"])
  }

  @Test func `PostgreSQL never cuts a text that is too long for an adopted column`() throws {
    let destination = try Destination(.postgresql)
    _ = try destination.rows("create table items (id bigint primary key, name varchar(3))")

    let report = try destination.write([item(1, #"{"id":1,"name":"long"}"#)]) { $0.adopts = true }

    #expect(report.failure?.message.contains("too long") == true, "\(report.failure?.message ?? "")")
    #expect(try destination.rows("select * from items") == [])
  }

  @Test func `rows are merged by an id that is a UUID`() throws {
    let destination = try Destination(.postgresql)
    _ = try destination.rows("create table items (id uuid primary key, n int)")
    let id = "6f2b8f0e-51f2-4c0c-9b61-2c1e66b8f6f1"

    let first = try destination.write([item(id, #"{"id":"\#(id)","n":1}"#)]) { $0.adopts = true }
    let second = try destination.write([item(id, #"{"id":"\#(id)","n":2}"#)])

    #expect([first.failure, second.failure].allSatisfy { $0 == nil }, "\(first) \(second)")
    #expect(try destination.rows("select * from items") == ["\(id)|2"])
  }

  @Test func `what rows can't be found by is refused with the way out, and nothing is changed`() throws {
    let (postgresql, duckdb) = (try Destination(.postgresql), try Destination(.duckdb))
    for destination in [postgresql, duckdb] {
      _ = try destination.rows("create table items (id bigint, x bigint)")
      _ = try destination.rows("insert into items values (1, 1), (1, 2)")
    }
    let other = try Destination(.postgresql)
    _ = try other.rows("create table items (key bigint primary key)")
    func refusal(_ destination: Destination) throws -> String {
      try destination.write([item(1, #"{"id":1,"x":3}"#)]) { $0.adopts = true }.failure?.message ?? ""
    }

    #expect(try refusal(postgresql).contains(#"CREATE UNIQUE INDEX ON "public"."items" ("id")"#))
    #expect(try refusal(duckdb).contains("it has rows with the same id"))
    #expect(try refusal(other).contains("it has no column id or _id to find rows by"))
    #expect(try postgresql.rows("select * from items order by x") == ["1|1", "1|2"])
    #expect(try duckdb.rows("select * from items order by x") == ["1|1", "1|2"])
  }
}
