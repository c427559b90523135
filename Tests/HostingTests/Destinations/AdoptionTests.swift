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

    let message = report.failure?.message ?? ""
    #expect(
      message.contains("has \"long\" for the column name, which has the type character varying(3)"),
      "\(message)")
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

  private static let rules: [(table: String, message: String, isForAll: Bool)] = [
    ("id bigint primary key, n int not null", "has nothing for the column n", true),
    ("id bigint primary key, v int not null", "has nothing for the column v", true),
    ("id bigint primary key, v int not null default 5", "has nothing for the column v", true),
    (
      "id bigint generated always as identity primary key",
      "is filled by the database itself (GENERATED ALWAYS AS IDENTITY)", false
    ),
    (
      "id bigint primary key, v int generated always as identity", "fills the column of that name itself",
      false
    ),
    (
      "id bigint primary key, b int, v int generated always as (b + 1) stored",
      "fills the column of that name itself", false
    ),
    (
      "id bigint primary key, b int, v int generated always as (b + 1)",
      "fills the column of that name itself", true
    ),
  ]

  @Test(arguments: DestinationTests.databases, rules)
  func `what a table asks of its columns is said in our words, and no row is written`(
    kind: Destination.Kind, rule: (table: String, message: String, isForAll: Bool)
  ) throws {
    // The version of PostgreSQL has no columns that are computed as they are read, and DuckDB none of the others.
    let isVirtual = rule.table.hasSuffix("(b + 1)")
    guard kind == .duckdb ? rule.isForAll : !isVirtual else { return }
    let destination = try Destination(kind)
    _ = try destination.rows("create table items (\(rule.table))")

    let report = try destination.write(
      [item(1, #"{"id":1,"v":1}"#), item(2, #"{"id":2,"v":null}"#)], [item(3, #"{"id":3,"v":3}"#)]
    ) { $0.adopts = true }

    let message = report.failure?.message ?? "nothing"
    #expect(message.contains(rule.message), "\(message)")
    #expect(message.contains("items"), "\(message)")
    #expect(try destination.rows("select id from items") == [])
  }

  @Test func `defaults and identities that give way fill what items lack`() throws {
    let destination = try Destination(.postgresql)
    _ = try destination.rows(
      "create table items (id bigint generated by default as identity primary key, n int not null default 5, "
        + "m bigint generated always as identity, v int)")

    let report = try destination.write([item(7, #"{"id":7,"v":1}"#), item(8, #"{"id":8}"#)]) {
      $0.adopts = true
    }

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(try destination.rows("select * from items order by id") == ["7|5|1|1", "8|5|2|NULL"])
  }

  @Test(arguments: DestinationTests.databases)
  func `a view is no table, and the way out is not an index`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    _ = try destination.rows("create table real (id bigint primary key)")
    _ = try destination.rows("create view items as select * from real")
    for adopts in [false, true] {
      let report = try destination.write([item(1, #"{"id":1}"#)]) { $0.adopts = adopts }

      let message = report.failure?.message ?? "nothing"
      #expect(message.contains("its items is a view, and rows are written into tables only"), "\(message)")
      #expect(!message.contains("INDEX"))
    }
  }

  @Test(arguments: [true, false])
  func `members named as columns of the system have columns of their own`(isID: Bool) throws {
    let destination = try Destination(.postgresql)
    let id = isID ? "ctid" : "id"

    for value in 1...2 {
      let report = try destination.write(
        [item(1, #"{"\#(id)":1,"xmin":\#(value),"ctid":1}"#)], idField: id)
      #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    }

    #expect(try destination.rows("select xmin_2, ctid_2 from items") == ["2|1"])
  }

  /// What a trigger does, and what is said then of a second writing; empty where nothing is to be said.
  @Test(arguments: [
    (
      "before insert", "if new.v = 3 then return null; end if; return new",
      "kept 1 of 3 rows out, as that of the item 3"
    ),
    ("before insert", "new.id = new.id + 100; return new", "kept 3 of 3 rows out"),
    ("before update", "return null", "kept 2 of 3 changes of rows out"),
    ("before insert or update", "new.v = new.v * 10; return new", ""),
  ])
  func `rows that a trigger swallows are an error, and none of them is written`(
    event: String, body: String, message: String
  ) throws {
    let destination = try Destination(.postgresql)
    _ = try destination.rows("create table items (id bigint primary key, v int)")
    _ = try destination.rows("insert into items values (1, 0), (2, 0)")
    _ = try destination.rows(
      "create function f() returns trigger language plpgsql as $$ begin \(body); end $$")
    _ = try destination.rows("create trigger t \(event) on items for each row execute function f()")
    if message.contains("3 of 3") { _ = try destination.rows("delete from items") }
    let before = try destination.rows("select * from items order by id")

    let report = try destination.write((1...3).map { item(Int64($0), #"{"id":\#($0),"v":\#($0)}"#) }) {
      $0.adopts = true
    }

    let told = report.failure?.message ?? ""
    #expect(message.isEmpty ? told.isEmpty : told.contains(message), "\(told)")
    let rows = try destination.rows("select * from items order by id")
    #expect(rows == (message.isEmpty ? ["1|10", "2|20", "3|30"] : before))
  }

  @Test func `a trigger on a table of ours is noticed too, and one that deals rows to others is no fault`()
    throws
  {
    let destination = try Destination(.postgresql)
    _ = try destination.write([item(1, #"{"id":1,"v":1}"#)])
    _ = try destination.rows("create table part () inherits (items)")
    _ = try destination.rows(
      "create function f() returns trigger language plpgsql as $$ begin if new.v = 7 then return null; end if; "
        + "insert into part select new.*; return null; end $$")
    _ = try destination.rows("create trigger t before insert on items for each row execute function f()")

    let dealt = try destination.write([item(1, #"{"id":1,"v":2}"#), item(2, #"{"id":2,"v":2}"#)])
    let swallowed = try destination.write([item(7, #"{"id":7,"v":7}"#)])

    #expect(dealt.failure == nil, "\(dealt.failure?.message ?? "")")
    #expect(
      swallowed.failure?.message.contains("kept 1 of 1 rows out") == true,
      "\(swallowed.failure?.message ?? "")")
    #expect(try destination.rows("select id, v from items order by id") == ["1|2", "2|2"])
  }
}
