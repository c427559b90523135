import Hosting
import Items
import Paging
import Testing

@Suite struct SinkDatabaseTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("a.db") }

  @Test func `columns have the types of their values`() throws {
    try write([
      item(1, #"{"id":1,"s":"x","r":1.5,"b":true,"n":null,"l":[1,"a"],"mixed":1}"#),
      item(2, #"{"id":2,"s":"y\n","r":-2e3,"b":false,"l":{"k":null},"mixed":"a","late":7}"#),
    ])

    #expect(
      query("SELECT sql FROM sqlite_schema WHERE name = 'items'")
        == #"[{"sql":"CREATE TABLE \"items\" (\"id\" INTEGER PRIMARY KEY, "#
        + #"\"s\" TEXT, \"r\" REAL, \"b\" INTEGER, \"n\", \"l\" TEXT, \"mixed\", \"late\" INTEGER)"}]"#)
    #expect(
      query("SELECT * FROM items")
        == #"[{"id":1,"s":"x","r":1.5,"b":1,"n":null,"l":"[1,\"a\"]","mixed":1,"late":null},"#
        + #"{"id":2,"s":"y\n","r":-2000.0,"b":0,"n":null,"l":"{\"k\":null}","mixed":"a","late":7}]"#)
  }

  @Test func `an item whose id is there replaces the row`() throws {
    try write([item("a", #"{"id":"a","x":1,"y":1}"#), item("b", #"{"id":"b","x":1}"#)])
    try write([item("a", #"{"id":"a","x":2}"#), item("c", #"{"id":"c","y":3}"#)])

    #expect(
      query("SELECT * FROM items ORDER BY id")
        == #"[{"id":"a","x":2,"y":null},{"id":"b","x":1,"y":null},{"id":"c","x":null,"y":3}]"#)
  }

  @Test func `new members get columns`() throws {
    try write([item(1, #"{"id":1}"#)], [item(2, #"{"id":2,"a":"x"}"#), item(3, #"{"b":1.5,"id":3}"#)])
    try write([item(4, #"{"c":1,"id":4}"#)])

    #expect(
      query("SELECT * FROM items")
        == #"[{"id":1,"a":null,"b":null,"c":null},{"id":2,"a":"x","b":null,"c":null},"#
        + #"{"id":3,"a":null,"b":1.5,"c":null},{"id":4,"a":null,"b":null,"c":1}]"#)
  }

  @Test func `a value of another type stays what it is`() throws {
    let first = #"{"id":1,"i":1,"r":1.5,"t":"x"}"#
    let second = #"{"id":2,"i":"007","r":9007199254740993,"t":5}"#
    try write([item(1, first)])
    execute("CREATE INDEX byT ON items (t)")

    // In the first delivery of a run, in a later one, and after another.
    try write([item(2, second)])
    try write([item(3, #"{"id":3,"i":2.5,"r":2,"t":true,"new":"x"}"#)], [item(4, #"{"id":4,"new":1}"#)])

    #expect(
      query("SELECT id, i, r, t, typeof(i) AS ti, typeof(r) AS tr, typeof(t) AS tt FROM items WHERE id < 4")
        == #"[{"id":1,"i":1,"r":1.5,"t":"x","ti":"integer","tr":"real","tt":"text"},"#
        + #"{"id":2,"i":"007","r":9007199254740993,"t":5,"ti":"text","tr":"integer","tt":"integer"},"#
        + #"{"id":3,"i":2.5,"r":2,"t":1,"ti":"real","tr":"integer","tt":"integer"}]"#)
    #expect(
      query("SELECT new, typeof(new) AS n FROM items WHERE id > 2")
        == #"[{"new":"x","n":"text"},{"new":1,"n":"integer"}]"#)
    #expect(
      query("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index'")
        == #"[{"name":"byT","tbl_name":"items"}]"#)
    #expect(query("PRAGMA integrity_check") == #"[{"integrity_check":"ok"}]"#)
  }

  @Test(arguments: [
    "mine TEXT", "mine TEXT DEFAULT 'x'", "mine INT NOT NULL DEFAULT 5",
    "mine CHECK (mine IS NULL OR mine <> ',')",
    "mine AS (i)",
  ])
  func `a column that somebody adds changes nothing of the others`(column: String) throws {
    try write([item(1, #"{"id":1,"i":1,"r":1.5,"t":"x","gone":1}"#)])
    execute("ALTER TABLE items ADD COLUMN \(column)")
    execute("CREATE INDEX byT ON items (t)")
    let mine = query("SELECT mine FROM items")

    try write([item(1, #"{"id":1,"i":1}"#)])
    #expect(
      query("SELECT id, i, r, t, gone FROM items") == #"[{"id":1,"i":1,"r":null,"t":null,"gone":null}]"#)
    #expect(query("SELECT mine FROM items") == mine)

    try write(
      [item(2, #"{"id":2,"i":"007","r":9007199254740993,"t":5,"late":1}"#)],
      [item("a", #"{"id":"a","i":" 7 ","late":"1e5"}"#)])

    #expect(
      query("SELECT id, i, r, t, late FROM items ORDER BY rowid")
        == #"[{"id":1,"i":1,"r":null,"t":null,"late":null},{"id":2,"i":"007","r":9007199254740993,"t":5,"late":1},"#
        + #"{"id":"a","i":" 7 ","r":null,"t":null,"late":"1e5"}]"#)
    #expect(query("SELECT mine FROM items WHERE id = 1") == mine)
    let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> ''"
    #expect(query(indexes) == #"[{"name":"byT"}]"#)
  }

  @Test func `an id of more than 64 bits is the number that the key's member has`() throws {
    try write([item(1, #"{"id":1}"#)])
    try write([item("9223372036854775808", #"{"id":9223372036854775808}"#)])

    #expect(
      query("SELECT id, typeof(id) AS t FROM items")
        == #"[{"id":1,"t":"integer"},{"id":"9223372036854775808","t":"text"}]"#)
  }

  @Test func `ids that are written alike are one row, in the newest form`() throws {
    try write(
      [item(1, #"{"id":1}"#)], [item("1", #"{"id":"1"}"#), item("01", #"{"id":"01","again":false}"#)])
    #expect(query("SELECT id, again FROM items") == #"[{"id":"1","again":null},{"id":"01","again":0}]"#)

    try write([item(1, #"{"id":1,"again":true}"#), item(2, #"{"id":2.0}"#)])
    #expect(
      query("SELECT id, again FROM items ORDER BY again DESC")
        == #"[{"id":1,"again":1},{"id":"01","again":0},{"id":2,"again":null}]"#)
  }

  @Test func `what an earlier version kept apart becomes one row`() throws {
    execute("CREATE TABLE \"items\" (\"id\" PRIMARY KEY, \"n\" INTEGER)")
    execute("INSERT INTO items VALUES (1, 1), ('1', 2), ('b', 3)")

    try write([item("1", #"{"id":"1","n":4}"#)])

    #expect(query("SELECT * FROM items ORDER BY n") == #"[{"id":"b","n":3},{"id":"1","n":4}]"#)
  }

  @Test(arguments: [
    ("CREATE TABLE items (id INTEGER PRIMARY KEY)", "01", "would make a number of"),
    ("CREATE TABLE items (id INTEGER PRIMARY KEY)", "x", "datatype mismatch"),
    ("CREATE TABLE items (id TEXT PRIMARY KEY, n NOT NULL)", "x", "NOT NULL constraint failed: items.n"),
    (
      "CREATE TABLE items (id TEXT PRIMARY KEY, n AS (length(id)))", "x",
      "fills the column of that name itself"
    ),
    ("CREATE VIEW items AS SELECT 1 AS id", "x", "is a view"),
    (
      "CREATE TABLE items (id TEXT PRIMARY KEY, n) && CREATE TRIGGER t BEFORE INSERT ON items BEGIN SELECT RAISE(IGNORE); END",
      "x",
      "a trigger keeps it out"
    ),
  ])
  func `a table of somebody else that does not take an item is an error, and nothing is written`(
    table: String, id: String, message: String
  ) throws {
    for sql in table.split(separator: " && ") { execute(String(sql)) }
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = true
    let sink = try makeSink(configuration)
    let members = message.contains("itself") ? #","n":1"# : ""
    sink.answer([item(id, #"{"id":"\#(id)"\#(members)}"#)])

    let failure = sink.finish().failure?.message ?? "nothing"
    #expect(failure.contains(message) && failure.contains("items"), "\(failure)")
    #expect(query("SELECT count(*) AS n FROM items WHERE id <> 1") == #"[{"n":0}]"#)
  }

  @Test func `integers beyond 64 bits keep their digits`() throws {
    try write([item(1, #"{"id":1,"n":18446744073709551615}"#)])

    #expect(query("SELECT n FROM items") == #"[{"n":"18446744073709551615"}]"#)
  }

  @Test func `an id that is no member has a column of its own`() throws {
    try write([item("a/1", #"{"id":1,"x":1}"#), item("b/1", #"{"id":1,"x":2}"#)])
    try write([item("b/1", #"{"id":1,"x":3}"#)])

    #expect(query("SELECT * FROM items") == #"[{"_id":"a/1","id":1,"x":1},{"_id":"b/1","id":1,"x":3}]"#)
  }

  @Test func `a member that is named as our own key and is no id has a column of its own`() throws {
    try write([item(1, #"{"_id":"a","x":1}"#), item(2, #"{"_id":"b","x":2}"#)])
    try write([item(2, #"{"_id":"c","x":3}"#), item(3, #"{"x":4}"#)])

    #expect(
      query("SELECT * FROM items")
        == #"[{"_id":1,"_id_2":"a","x":1},{"_id":2,"_id_2":"c","x":3},{"_id":3,"_id_2":null,"x":4}]"#)
  }

  @Test func `a member that was our own key has a column of its own once it is not`() throws {
    try write([item("a", #"{"_id":"a"}"#)], [item("b", #"{"_id":7}"#), item("c", #"{"_id":"c"}"#)])
    try write([item("d", #"{"_id":"d"}"#)])

    #expect(
      query("SELECT * FROM items")
        == #"[{"_id":"a","_id_2":"a"},{"_id":"b","_id_2":7},{"_id":"c","_id_2":"c"},{"_id":"d","_id_2":"d"}]"#
    )
  }

  @Test func `a member that is named as the id can be another one`() throws {
    var configuration = SinkConfiguration(path: path)
    configuration.idField = "key"
    let sink = try makeSink(configuration)
    sink.answer([item("k\"1", #"{"id":7,"key":"k\"1"}"#)])
    #expect(sink.finish().failure == nil)

    #expect(
      query("SELECT name, pk FROM pragma_table_info('items')")
        == #"[{"name":"id","pk":0},{"name":"key","pk":1}]"#)
  }

  @Test func `an id that differs from the primary key's member is an error`() throws {
    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([item(1, #"{"id":1}"#)])
    sink.answer([item(2, #"{"id":3}"#)])

    #expect(
      sink.finish().failure?.message
        == "\(path): the item 2 has another value in its member id, the table's primary key")
    #expect(query("SELECT * FROM items") == #"[{"id":1}]"#)
  }

  @Test func `an item without the member has its id all the same`() throws {
    try write([item(1, #"{"id":1,"x":1}"#)], [item(2, #"{"x":2}"#)])
    try write([item(3, #"{"x":3}"#)], [item(4, #"{"id":4}"#)])

    #expect(
      query("SELECT * FROM items") == #"[{"id":1,"x":1},{"id":2,"x":2},{"id":3,"x":3},{"id":4,"x":null}]"#)
  }

  @Test func `columns that differ in case only are kept apart`() throws {
    try write([item(1, #"{"id":1,"a":1,"A":2,"ID":3}"#)])
    try write([item(1, #"{"ID":3,"A":2,"a":1,"id":1}"#)])

    #expect(query("SELECT * FROM items") == #"[{"id":1,"a":1,"A_2":2,"ID_2":3}]"#)
  }

  @Test func `any key can be a column`() throws {
    try write([item(1, #"{"id":1,"a\"b":1,"":2,"select":3,"x\u0000y":4,"_id":5}"#)])

    #expect(
      query("SELECT * FROM items")
        == "[{\"id\":1,\"a\\\"b\":1,\"\":2,\"select\":3,\"x\u{FFFD}y\":4,\"_id\":5}]")
  }

  @Test func `a stream has its table`() throws {
    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([item(1, #"{"id":1}"#)], stream: "repos")
    sink.answer([item(1, #"{"id":1}"#), item(2, #"{"id":2}"#)], stream: "the \"issues\"")
    sink.answer([item(2, #"{"id":2}"#)], stream: "repos")

    #expect(sink.finish().items == ["repos": 2, "the \"issues\"": 2])
    #expect(
      query("SELECT (SELECT count(*) FROM repos) AS r, (SELECT count(*) FROM \"the \"\"issues\"\"\") AS i")
        == #"[{"r":2,"i":2}]"#)
  }

  @Test func `streams that would be one table are an error`() throws {
    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([item(1, #"{"id":1}"#)], stream: "repos")
    sink.answer([item(1, #"{"id":1}"#)], stream: "Repos")

    #expect(sink.finish().failure?.message == "\(path): the streams repos and Repos would be one table")
  }

  @Test func `items that are no objects are in a column value`() throws {
    try write([item(1, "\"x\""), item(2, "[1]")])

    #expect(query("SELECT * FROM items") == #"[{"_id":1,"value":"x"},{"_id":2,"value":"[1]"}]"#)
  }

  @Test func `a table of somebody else is filled and not changed`() throws {
    execute("CREATE TABLE items (ID TEXT PRIMARY KEY, n INTEGER NOT NULL DEFAULT 5, note TEXT)")
    execute("INSERT INTO items VALUES ('a', 1, 'mine')")
    let sink = try makeSink(SinkConfiguration(path: path))
    sink.answer([item("a", #"{"id":"a","n":2}"#)])

    #expect(sink.finish().failure?.message.contains("has no primary key id or _id") == true)
    execute("ALTER TABLE items RENAME COLUMN ID TO id")
    let refused = try makeSink(SinkConfiguration(path: path))
    refused.answer([item("a", #"{"id":"a","n":2}"#)])
    #expect(
      refused.finish().failure?.message.contains("which lookahead did not make: --adopt writes into it")
        == true)
    #expect(query("SELECT n FROM items") == #"[{"n":1}]"#)
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = true
    let adopting = try makeSink(configuration)
    adopting.answer([item("a", #"{"id":"a","n":2}"#)])
    #expect(adopting.finish().failure == nil)
    #expect(query("SELECT * FROM items") == #"[{"id":"a","n":2,"note":"mine"}]"#)
    #expect(
      query("SELECT sql LIKE '%NOT NULL DEFAULT 5%' AS kept FROM sqlite_schema WHERE name = 'items'")
        == #"[{"kept":1}]"#)
  }

  @Test func `a delivery that fails leaves nothing, and those before it stay`() throws {
    execute("CREATE TABLE items (id INTEGER PRIMARY KEY, n CHECK (n < 5))")
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = true
    let sink = try makeSink(configuration)

    sink.answer([item(1, #"{"id":1,"n":1}"#)])
    sink.answer([item(2, #"{"id":2,"n":2,"extra":1}"#), item(3, #"{"id":3,"n":9}"#)])
    sink.answer([item(4, #"{"id":4,"n":1}"#)])
    let report = sink.finish()

    #expect(report.failure?.message.contains("CHECK constraint failed: n < 5") == true)
    #expect(report.items == ["items": 1])
    #expect(query("SELECT * FROM items") == #"[{"id":1,"n":1}]"#)
  }

  @Test func `a file that is no database is an error and stays as it is`() throws {
    let text = String(repeating: "no database\n", count: 100)
    folder.write(text, to: "a.db")

    let failure = #expect(throws: HostFailure.self) { try makeSink(SinkConfiguration(path: path)) }

    #expect(failure?.message == "\(path): it is a file, but not an SQLite database")
    #expect(folder.text(of: "a.db") == text)
  }

  @Test func `a database goes to a file only`() throws {
    for path in ["-", folder.path] {
      let failure = #expect(throws: HostFailure.self) {
        try makeSink(SinkConfiguration(path: path, format: .sqlite))
      }
      #expect(failure?.code == .invalid)
    }
  }

  @Test func `only the database is left when the sink is finished`() throws {
    try write([item(1, #"{"id":1}"#)])

    #expect(folder.names == ["a.db"])
  }

  private func write(_ deliveries: [Item]...) throws {
    let sink = try makeSink(SinkConfiguration(path: path))
    for items in deliveries { sink.answer(items) }
    #expect(sink.finish().failure == nil)
  }

  private func query(_ sql: String) -> String? { rows(sql, of: path) }

  private func execute(_ sql: String) { change(sql, in: path) }
}
