import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Tables that somebody alters while a run writes them.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct AlteredTableTests {
  /// What is done to the table, what the rows that come then are there, and what is said instead.
  struct Case: CustomTestStringConvertible {
    let sql: String
    var rows: [String] = []
    var message = ""
    var testDescription: String { sql }
  }

  private static let function = """
    create function f() returns trigger language plpgsql as $$ begin if new.id = 4 then return null; end if; return new; \
    end $$;
    """

  private static let cases = [
    Case(sql: "alter table items alter v type double precision", rows: ["4|40|long4", "5|50|long5"]),
    Case(sql: "alter table items alter v type smallint", rows: ["4|40|long4", "5|50|long5"]),
    Case(sql: "alter table items alter v type numeric(6, 2)", rows: ["4|40.00|long4", "5|50.00|long5"]),
    Case(sql: "alter table items alter v type text", rows: ["4|40|long4", "5|50|long5"]),
    Case(
      sql: "alter table items alter v type timestamp using to_timestamp(v)", message: "for the column v"),
    Case(
      sql: "alter table items alter w type varchar(2) using substr(w, 1, 2)", message: "for the column w"),
    Case(
      sql: "\(function) create trigger t before insert on items for each row execute function f()",
      message: "kept 1 of 2 rows out, as that of the item 4"),
    Case(
      sql: "create rule r as on insert to items where new.id = 4 do instead nothing",
      message: "kept 1 of 2 rows out, as that of the item 4"),
    Case(
      sql: """
        \(function) alter table items rename to old; create table items (id bigint primary key, v bigint, w text) \
        partition by range (id); create table low partition of items for values from (0) to (1000); \
        create trigger t before insert on low for each row execute function f()
        """, message: "kept 1 of 2 rows out, as that of the item 4"),
  ]

  private func items(_ ids: ClosedRange<Int64>) -> [Item] {
    ids.map { item($0, #"{"id":\#($0),"v":\#($0 * 10),"w":"long\#($0)"}"#) }
  }

  @Test(.timeLimit(.minutes(5)), arguments: cases)
  func `rows that come afterwards are there as they are, or the run ends`(given: Case) throws {
    let destination = try Destination(.postgresql)
    let sink = LateSink(try OutputPlace(SinkConfiguration(path: destination.output)))
    try sink.prepare()
    sink.answer(items(1...3))
    while try destination.rows("select 1 from pg_class where relname = 'items'").isEmpty {
      Thread.sleep(forTimeInterval: 0.02)
    }
    _ = try destination.rows(given.sql)

    sink.answer(items(4...5))
    let report = sink.finish(.whole)

    let told = report.failure?.message ?? ""
    #expect(given.message.isEmpty ? told.isEmpty : told.contains(given.message), "\(told)")
    #expect(try destination.rows("select * from items where id > 3 order by id") == given.rows)
  }

  /// What it alters itself is no reason to look at the table anew.
  @Test(.timeLimit(.minutes(5)))
  func `columns that the run itself adds, between what others alter, are kept`() throws {
    let destination = try Destination(.postgresql)
    let sink = LateSink(try OutputPlace(SinkConfiguration(path: destination.output)))
    try sink.prepare()
    for number in Int64(1)...4 {
      sink.answer([item(number, #"{"id":\#(number),"v":\#(number),"own\#(number)":\#(number)}"#)])
      while try destination.rows(
        "select 1 from information_schema.columns where table_name = 'items' and column_name = 'own\(number)'"
      ).isEmpty {
        Thread.sleep(forTimeInterval: 0.02)
      }
      guard number == 2 else { continue }
      _ = try destination.rows("alter table items alter v type double precision, add other text default 'x'")
    }

    let report = sink.finish(.whole)

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let rows = try destination.rows("select id, v, own1, own2, own3, own4, other from items order by id")
    #expect(
      rows == [
        "1|1|1|NULL|NULL|NULL|x", "2|2|NULL|2|NULL|NULL|x", "3|3|NULL|NULL|3|NULL|x",
        "4|4|NULL|NULL|NULL|4|x",
      ])
  }
}
