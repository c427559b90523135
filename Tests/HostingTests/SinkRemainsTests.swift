import Hosting
import Items
import Paging
import Testing

/// What is left of an output whose run does not come to its end.
@Suite struct SinkRemainsTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("a.db") }

  private func write(
    _ ending: SinkEnding = .whole, to name: String = "a.db", adopts: Bool = false,
    _ deliveries: (stream: String?, [Item])...
  ) throws -> SinkReport {
    var configuration = SinkConfiguration(path: folder.file(name))
    configuration.adopts = adopts
    let sink = try makeSink(configuration)
    for (stream, items) in deliveries { sink.answer(items, stream: stream) }
    return sink.finish(ending)
  }

  private func form(_ id: Int64, _ turn: Int) -> Item { item(id, #"{"id":\#(id),"turn":\#(turn)}"#) }

  @Test func `rows are updated by id as items come, and none goes with a run that is cut`() throws {
    _ = try write(to: "a.db", (nil, [form(1, 1), form(2, 1)]))

    let cut = try write(.cut, to: "a.db", (nil, [form(1, 2)]), (nil, [form(3, 2)]))

    #expect(cut.remains == SinkRemains() && cut.items == ["items": 2] && cut.failure == nil)
    #expect(
      rows("SELECT * FROM items", of: path) == #"[{"id":1,"turn":2},{"id":2,"turn":1},{"id":3,"turn":2}]"#)
  }

  @Test func `what was published stays, whatever comes later`() throws {
    _ = try write(to: "a.db", (nil, [form(1, 1)]))
    let sink = try makeSink(SinkConfiguration(path: path))

    sink.answer([form(1, 2)])
    sink.publish()
    sink.answer([form(2, 2)])
    let report = sink.finish(.cut)

    #expect(report.remains == SinkRemains())
    #expect(rows("SELECT * FROM items", of: path) == #"[{"id":1,"turn":2},{"id":2,"turn":2}]"#)
  }

  @Test func `a text that broke never takes the name, and a second one begins it anew`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.csv")))
    sink.answer([form(1, 1)])
    sink.answer([item(2, "{\"id\":2")])
    let report = sink.finish()

    #expect(report.failure?.code == .parse)
    #expect(report.remains.aside == [folder.file("a.csv.partial")])
    #expect(folder.names == ["a.csv.partial"])

    _ = try write(to: "a.csv", (nil, [form(7, 1)]))
    #expect(folder.names == ["a.csv"])
    #expect(folder.text(of: "a.csv") == "id,turn\r\n7,1\r\n")
  }

  @Test(arguments: ["a.ndjson", "a.json", "a.csv", "a.db"])
  func `one place has one sink at a time`(name: String) throws {
    let first = try makeSink(SinkConfiguration(path: folder.file(name)))
    let second = #expect(throws: HostFailure.self) {
      try makeSink(SinkConfiguration(path: folder.file(name)))
    }
    _ = first.finish()

    #expect(second?.message.contains("another run is writing it (process ") == true)
    #expect(try write(to: name, (nil, [form(1, 1)])).failure == nil)
    #expect(folder.names == [name])
  }

  /// The member that is the id and one that SQLite takes for it, in both orders and over two runs.
  @Test(arguments: [#"{"ID":2,"id":1}"#, #"{"id":1,"ID":2}"#])
  func `an id and its capitals are two columns`(json: String) throws {
    for _ in 1...2 {
      let report = try write(to: "a.db", (nil, [item(1, json), item(5, #"{"ID":6,"id":5}"#)]))
      #expect(report.failure == nil)
      #expect(
        rows(#"SELECT id, ID_2 FROM items"#, of: path) == #"[{"id":1,"ID_2":2},{"id":5,"ID_2":6}]"#)
    }
  }

  @Test func `an id and its capitals are two columns of a table of somebody else's, too`() throws {
    execute("CREATE TABLE items (id INTEGER PRIMARY KEY, NAME TEXT)")

    let report = try write(to: "a.db", adopts: true, (nil, [item(1, #"{"ID":2,"Name":"b","id":1}"#)]))

    #expect(report.failure == nil)
    #expect(rows("SELECT * FROM items", of: path) == #"[{"id":1,"NAME":"b","ID_2":2}]"#)
  }

  @Test func `capitals alone are no id`() throws {
    let report = try write(to: "a.db", (nil, [item(1, #"{"ID":7}"#)]), (nil, [item(2, #"{"ID":8,"id":2}"#)]))

    #expect(report.failure == nil)
    #expect(
      rows("SELECT * FROM items", of: path) == #"[{"_id":1,"ID":7,"id_2":null},{"_id":2,"ID":8,"id_2":2}]"#)
  }

  @Test func `a database that another process holds for a moment is waited for`() throws {
    _ = try write(to: "a.db", (nil, [form(1, 1)]))
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    #expect(databases.answer(.execute(handle: handle, SQLStatement("BEGIN IMMEDIATE"))).failure == nil)

    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([form(2, 1)])
    for _ in 1...200 { _ = rows("SELECT count(*) FROM items", of: path) }
    #expect(databases.answer(.execute(handle: handle, SQLStatement("COMMIT"))).failure == nil)
    databases.finish()

    #expect(sink.finish().failure == nil)
    #expect(rows("SELECT count(*) AS n FROM items", of: path) == #"[{"n":2}]"#)
  }

  private func execute(_ sql: String) {
    let databases = DatabaseCalls(permissions: .all)
    defer { databases.finish() }
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
  }
}
