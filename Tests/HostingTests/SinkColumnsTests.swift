import Hosting
import Items
import Paging
import Testing

/// Which column of an SQLite table a member has, over several runs, and what it is declared as.
@Suite struct SinkColumnsTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("a.db") }

  /// What each run brings, and what is in the table then.
  struct Case: Sendable, CustomTestStringConvertible {
    let runs: [[String]]
    let rows: String
    var testDescription: String { "\(runs)" }
  }

  static let cases = [
    Case(
      runs: [[#"{"id":1,"Note":"N","note_2":"n2"}"#], [#"{"id":2,"note":"n","note_2":"n2"}"#]],
      rows:
        #"[{"id":1,"Note":"N","note_2":"n2","note_3":null},{"id":2,"Note":null,"note_2":"n2","note_3":"n"}]"#
    ),
    Case(
      runs: [
        [#"{"id":1,"Note":"N","note_2":"n2"}"#], [#"{"id":2,"note":"n"}"#], [#"{"id":3,"note_3":"n3"}"#],
      ],
      rows: #"[{"id":1,"Note":"N","note_2":"n2","note_3":null,"note_3_2":null},"#
        + #"{"id":2,"Note":null,"note_2":null,"note_3":"n","note_3_2":null},"#
        + #"{"id":3,"Note":null,"note_2":null,"note_3":null,"note_3_2":"n3"}]"#),
    Case(
      runs: [
        [#"{"id":1,"a":"a","A":"A","A_2":"A_2"}"#],
        [#"{"id":2,"A_2":"A_2"}"#, #"{"id":3,"A":"A"}"#, #"{"id":4,"A_2":"A_2","A":"A","a":"a"}"#],
      ],
      rows: #"[{"id":1,"a":"a","A_2":"A","A_2_2":"A_2"},{"id":2,"a":null,"A_2":null,"A_2_2":"A_2"},"#
        + #"{"id":3,"a":null,"A_2":"A","A_2_2":null},{"id":4,"a":"a","A_2":"A","A_2_2":"A_2"}]"#),
    Case(
      runs: [[#"{"id":1,"ID":2}"#], [#"{"ID":4,"id":3}"#], [#"{"ID_2":6,"id":5}"#]],
      rows:
        #"[{"id":1,"ID_2":2,"ID_2_2":null},{"id":3,"ID_2":4,"ID_2_2":null},{"id":5,"ID_2":null,"ID_2_2":6}]"#
    ),
    Case(
      runs: [[#"{"id":1,"\u00e9":"one"}"#], [#"{"id":2,"e\u0301":"two"}"#], [#"{"id":3,"\u00e9":"three"}"#]],
      rows:
        "[{\"id\":1,\"\u{e9}\":\"one\",\"\u{e9}_2\":null},{\"id\":2,\"\u{e9}\":null,\"\u{e9}_2\":\"two\"},"
        + "{\"id\":3,\"\u{e9}\":\"three\",\"\u{e9}_2\":null}]"),
  ]

  @Test(arguments: cases)
  func `each run finds the columns of members whose names differ only in case`(_ test: Case) throws {
    var id: Int64 = 0
    for run in test.runs {
      try write(
        run.map { text in
          id = Int64(text.firstMatch(of: /"id":(\d+)/)?.1 ?? "") ?? 0
          return item(id, text)
        })
    }

    #expect(query("SELECT * FROM items ORDER BY id") == test.rows)
  }

  @Test func `a database of which no columns are remembered goes on by their names`() throws {
    try write([item(1, #"{"id":1,"a":"a","A":"A"}"#)])
    execute("DROP TABLE _lookahead_tables")

    try write([item(2, #"{"id":2,"A":"A","a":"a"}"#)])
    try write([item(3, #"{"id":3,"A_2":"A_2","A":"A","a":"a"}"#)])

    #expect(
      query("SELECT * FROM items")
        == #"[{"id":1,"a":"a","A_2":"A","A_2_2":null},{"id":2,"a":"a","A_2":"A","A_2_2":null},"#
        + #"{"id":3,"a":"a","A_2":"A","A_2_2":"A_2"}]"#)
  }

  @Test func `what is remembered of columns and damaged is an error with what to do`() throws {
    try write([item(1, #"{"id":1}"#)])
    execute("UPDATE _lookahead_tables SET columns = '{'")

    #expect(
      try failure([item(2, #"{"id":2}"#)])?.hasSuffix(
        "what it remembers of its table items is damaged: delete its row in _lookahead_tables, or write another file"
      ) == true)
    execute("DELETE FROM _lookahead_tables")
    try write([item(2, #"{"id":2}"#)])
  }

  @Test func `many columns take values of any type at once`() throws {
    try write([item(1, object(1200) { "\($0)" })])
    try write([item(2, object(1200, id: 2) { "\"\($0)\"" })])

    #expect(
      query("SELECT id, typeof(c0) AS c0, typeof(c1199) AS c1199 FROM items")
        == #"[{"id":1,"c0":"integer","c1199":"integer"},{"id":2,"c0":"text","c1199":"text"}]"#)
  }

  @Test func `a table has as many columns as SQLite lets it have, and no more`() throws {
    try write([item(1, object(1999) { "\($0)" })])
    try write((2..<30).map { item($0, object(1999, id: Int($0)) { "\($0)" }) })
    #expect(query("SELECT count(*) AS n, max(c1998) AS c FROM items") == #"[{"n":29,"c":1998}]"#)

    for members in [#""new":1"#, (0..<500).map { "\"new\($0)\":1" }.joined(separator: ",")] {
      let count = members.count > 10 ? "2,500" : "2,001"
      #expect(
        try failure([item(1, #"{"id":1}"#)], [item(30, "{\"id\":30,\(members)}")])
          == "\(path): the items of items need \(count) columns, which is more than SQLite has (2,000): write NDJSON, or nest them"
      )
    }
    #expect(query("SELECT count(*) AS n FROM items") == #"[{"n":29}]"#)
  }

  @Test
  func `a stream whose name differs from that of an earlier one in case only is refused, and why is said`()
    throws
  {
    try write([item(1, #"{"id":1}"#)], stream: "Items")

    for adopts in [false, true] {
      #expect(
        try failure([item(1, #"{"id":1}"#)], adopts: adopts)
          == "\(path): its table Items has the rows of a stream of that name, and SQLite takes items for the same: "
          + "give the source another name (name = \"…\"), or write elsewhere")
    }
    execute("ALTER TABLE Items RENAME TO other")
    execute("CREATE TABLE ITEMS (id INTEGER PRIMARY KEY)")
    #expect(try failure([item(1, #"{"id":1}"#)])?.contains("which lookahead did not make") == true)
    #expect(try failure([item(1, #"{"id":1}"#)], adopts: true) == nil)
  }

  private func object(_ count: Int, id: Int = 1, _ value: (Int) -> String) -> String {
    "{\"id\":\(id),\((0..<count).map { "\"c\($0)\":\(value($0))" }.joined(separator: ","))}"
  }

  private func failure(_ deliveries: [Item]..., adopts: Bool = false) throws -> String? {
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = adopts
    let sink = try makeSink(configuration)
    for items in deliveries { sink.answer(items) }
    return sink.finish().failure?.message
  }

  private func write(_ items: [Item], stream: String? = nil) throws {
    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer(items, stream: stream)
    #expect(sink.finish().failure == nil)
  }

  private func query(_ sql: String) -> String? { rows(sql, of: path) }

  private func execute(_ sql: String) { change(sql, in: path) }
}
