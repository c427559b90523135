import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

@Suite struct SinkChangesTests {
  private let folder = TemporaryFolder()

  /// Each operation once, on the items a, b and c.
  private let operations: [ItemOperation] = [
    .remove(.text("b"), at: 1), .move(.text("c"), from: 1, to: 0),
    .insert(item(7, #"{"id":7,"n":1}"#), at: 1), .update(item("a", #"{"id":"a"}"#), at: 2),
  ]
  private let items = ["a", "b", "c"].map { item($0, #"{"id":"\#($0)","n":0}"#) }

  @Test func `changes are an operation a line, in their order`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.ndjson"))
    configuration.writesChanges = true

    let report = try write(
      configuration, Delivery(items: items), Delivery(operations: operations), Delivery(items: [item(8, "8")])
    )

    #expect(
      folder.text(of: "a.ndjson") == """
        {"op":"insert","at":0,"id":"a","item":{"id":"a","n":0}}
        {"op":"insert","at":1,"id":"b","item":{"id":"b","n":0}}
        {"op":"insert","at":2,"id":"c","item":{"id":"c","n":0}}
        {"op":"delete","at":1,"id":"b"}
        {"op":"move","from":1,"to":0,"id":"c"}
        {"op":"insert","at":1,"id":7,"item":{"id":7,"n":1}}
        {"op":"update","at":2,"id":"a","item":{"id":"a"}}
        {"op":"insert","at":3,"id":8,"item":8}

        """)
    #expect(report.items == ["items": 6])
  }

  @Test func `changes as JSON are one array`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.json"))
    configuration.writesChanges = true

    _ = try write(configuration, Delivery(operations: [.remove(.text("\"\n"), at: 0)]))

    #expect(folder.text(of: "a.json") == "[\n{\"op\":\"delete\",\"at\":0,\"id\":\"\\\"\\n\"}\n]\n")
  }

  @Test func `streams with names share a text of changes, each a list of its own`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.ndjson"))
    configuration.writesChanges = true

    _ = try write(
      configuration, Delivery(stream: "x", items: [item(1, "1")]),
      Delivery(stream: "y", items: [item(2, "2")]),
      Delivery(stream: "x", operations: [.remove(.integer(1), at: 0)]),
      Delivery(stream: "x", items: [item(3, "3")]))

    #expect(
      folder.text(of: "a.ndjson") == """
        {"op":"insert","stream":"x","at":0,"id":1,"item":1}
        {"op":"insert","stream":"y","at":0,"id":2,"item":2}
        {"op":"delete","stream":"x","at":0,"id":1}
        {"op":"insert","stream":"x","at":0,"id":3,"item":3}

        """)
  }

  @Test(arguments: [
    ("a.ndjson", "{\"id\":7,\"n\":1}\n{\"id\":\"a\"}\n"),
    ("a.json", "[\n{\"id\":7,\"n\":1},\n{\"id\":\"a\"}\n]\n"),
    ("a.csv", "id,n\r\n7,1\r\na,\r\n"),
  ])
  func `a text of items gets new items and new forms`(name: String, text: String) throws {
    let report = try write(SinkConfiguration(path: folder.file(name)), Delivery(operations: operations))

    #expect(folder.text(of: name) == text)
    #expect(report.items == ["items": 2])
  }

  @Test func `a CSV of changes is refused with what to do`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.csv"))
    configuration.writesChanges = true

    let mistake = try #require(configuration.mistake)
    #expect(throws: mistake) { try makeSink(configuration) }
    #expect(
      mistake.message
        == "--changes: a CSV has rows and no operations; write lines of JSON (--format ndjson --changes), "
        + "or keep a table up to date (-o FILE.db)")
    #expect(folder.names == [])
  }

  @Test func `a table follows what comes, goes and differs`() throws {
    let path = folder.file("a.db")

    let report = try write(
      SinkConfiguration(path: path), Delivery(items: items), Delivery(operations: operations))

    #expect(
      rows("SELECT * FROM items ORDER BY typeof(id), id", of: path)
        == #"[{"id":7,"n":1},{"id":"a","n":null},{"id":"c","n":0}]"#)
    #expect(report.items == ["items": 5])
  }

  @Test func `an id is removed in either form, and no other one that SQLite would take for it`() throws {
    let path = folder.file("a.db")
    let first = Delivery(items: [item(1, #"{"id":1}"#), item(2, #"{"id":2}"#)])
    let gone: [ItemOperation] = [.remove(.text("1"), at: 0), .remove(.text("02"), at: 0)]

    _ = try write(SinkConfiguration(path: path), first, Delivery(operations: gone))
    #expect(rows("SELECT id FROM items", of: path) == #"[{"id":2}]"#)

    _ = try write(
      SinkConfiguration(path: path), Delivery(items: [item("3", #"{"id":"3"}"#)]),
      Delivery(operations: [.remove(.integer(3), at: 0), .remove(.text("2"), at: 0)]))
    #expect(rows("SELECT id FROM items", of: path) == "[]")
  }

  @Test func `what goes from a table that is not there is gone already`() throws {
    let path = folder.file("a.db")

    let report = try write(
      SinkConfiguration(path: path), Delivery(operations: [.remove(.integer(1), at: 0)]))

    #expect(report.failure == nil)
    #expect(rows("SELECT count(*) AS n FROM sqlite_schema", of: path) == #"[{"n":0}]"#)
  }

  @Test func `a change set that can't be written whole leaves nothing of it`() throws {
    let path = folder.file("a.db")
    let broken: [ItemOperation] = [.remove(.text("a"), at: 0), .insert(item("d", #"{"id":"d""#), at: 2)]

    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer(items)
    sink.answer(Delivery(operations: broken))

    #expect(sink.finish().failure?.code == .parse)
    #expect(rows("SELECT count(*) AS n FROM items", of: path) == #"[{"n":3}]"#)
  }

  @Test func `a reader of the database never sees half a change set`() throws {
    let path = folder.file("a.db")
    let sink = try makeSink(SinkConfiguration(path: path))
    func form(_ number: Int64, _ turn: Int) -> Item { item(number, #"{"id":\#(number),"turn":\#(turn)}"#) }
    sink.answer((0..<500).map { form($0, 0) })
    for turn in 1...40 {
      let base = Int64(turn) * 250
      let gone = (0..<250).reversed().map {
        ItemOperation.remove(.integer(base - 250 + $0), at: Int($0))
      }
      let fresh = (0..<250).map { ItemOperation.insert(form(base + 250 + $0, turn), at: 250 + Int($0)) }
      let updates = (0..<250).map { ItemOperation.update(form(base + $0, turn), at: Int($0)) }
      sink.deliver(Delivery(operations: gone + fresh + updates)) { _ in }
    }

    let writing = Thread { _ = sink.finish() }
    writing.start()
    var seen: Set<String> = []
    while !writing.isFinished {
      let sql = "SELECT count(*) AS n, count(DISTINCT turn) AS turns FROM items"
      if let state = rows(sql, of: path), !state.contains("no such table") { seen.insert(state) }
    }

    #expect(seen.isSubset(of: [#"[{"n":500,"turns":1}]"#]), "\(seen)")
    #expect(rows("SELECT DISTINCT turn FROM items", of: path) == #"[{"turn":40}]"#)
  }

  /// Random states of a source, ids of both kinds and members that come and go: after each, the table is the source.
  @Test(arguments: 0..<10)
  func `a table is the newest state of its source`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = folder.file("a.db")
    let configuration = SinkConfiguration(path: path)
    var held = ItemSet()
    let sink = try makeSink(configuration)
    for turn in 0..<12 {
      var states: [(key: String, json: String)] = []
      for number in (0..<20).shuffled(using: &random) where Int.random(in: 0..<3, using: &random) > 0 {
        let id = number.isMultiple(of: 2) ? "\(number / 2)" : "\"0\(number / 2)\""
        let members = ["", ",\"a\":\(turn)", ",\"b\":\"x\"", ",\"a\":1,\"late\(turn / 4)\":2.5"]
        let member = members.randomElement(using: &random)!
        states.append((id, "{\"id\":\(id)\(member)}"))
      }
      var new = ItemSet()
      _ = new.append(
        states.map { key, json in
          Int64(key).map { item($0, json) } ?? item(String(key.dropFirst().dropLast()), json)
        })
      var ids = held.items().map(\.id)
      let operations = try new.difference(from: held).operations(on: &ids)
      held = new
      sink.answer(Delivery(operations: operations))
    }
    #expect(sink.finish().failure == nil)

    // A second sink writes the last state alone: the tables are equal.
    let other = folder.file("b.db")
    _ = try write(SinkConfiguration(path: other), Delivery(items: held.items()))
    let columns = rows("SELECT name FROM pragma_table_info('items') ORDER BY name", of: other)
    let names = try #require(columns).matches(of: /"name":"(.*?)"/).map { "\"\($0.output.1)\"" }
    let sql = "SELECT typeof(id), \(names.joined(separator: ", ")) FROM items ORDER BY typeof(id), id"
    #expect(rows(sql, of: path) == rows(sql, of: other), "seed \(seed)")
  }

  private func write(_ configuration: SinkConfiguration, _ deliveries: Delivery...) throws -> SinkReport {
    let sink = try makeSink(configuration)
    for delivery in deliveries { sink.answer(delivery) }
    return sink.finish()
  }
}
