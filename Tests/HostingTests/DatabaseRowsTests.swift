import Hosting
import Items
import Paging
import Testing

@Suite struct DatabaseRowsTests {
  private let folder = TemporaryFolder()
  private let databases = DatabaseCalls(permissions: .all)
  private let handle: Int

  init() {
    handle = databases.answer(.openDatabase(path: folder.file("a.db"), isReadOnly: false)).handle
    let sql = """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) INSERT INTO t SELECT i, 0 FROM n
      """
    _ = databases.answer(.execute(handle: handle, SQLStatement(sql)))
  }

  @Test func `rows come in parts`() {
    let rows = open("SELECT a FROM t")

    #expect(next(rows, 2) == .rows(IndexedJSON(Bytes(#"[{"a":1},{"a":2}]"#)), isEnd: false))
    #expect(next(rows, 2) == .rows(IndexedJSON(Bytes(#"[{"a":3},{"a":4}]"#)), isEnd: false))
    #expect(next(rows, 2) == .rows(IndexedJSON(Bytes(#"[{"a":5}]"#)), isEnd: true))
    #expect(next(rows, 2) == .rows(IndexedJSON(Bytes("[]")), isEnd: true))
  }

  @Test func `rows can be changed while they are read`() {
    let rows = open("SELECT a FROM t")

    for number in 1...5 {
      #expect(next(rows, 1) == .rows(IndexedJSON(Bytes("[{\"a\":\(number)}]")), isEnd: false))
      let update = SQLStatement("UPDATE t SET b = b + 1 WHERE a = ?", positional: [.integer(Int64(number))])
      #expect(databases.answer(.execute(handle: handle, update)) == .count(1))
    }

    #expect(next(rows, 1) == .rows(IndexedJSON(Bytes("[]")), isEnd: true))
    #expect(query("SELECT sum(b) AS s FROM t") == #"[{"s":5}]"#)
  }

  @Test func `two cursors of the same query have each their place`() {
    let first = open("SELECT a FROM t")
    let second = open("SELECT a FROM t")

    #expect(next(first, 3) == .rows(IndexedJSON(Bytes(#"[{"a":1},{"a":2},{"a":3}]"#)), isEnd: false))
    #expect(next(second, 1) == .rows(IndexedJSON(Bytes(#"[{"a":1}]"#)), isEnd: false))
    #expect(query("SELECT a FROM t") == #"[{"a":1},{"a":2},{"a":3},{"a":4},{"a":5}]"#)
    #expect(next(first, 1) == .rows(IndexedJSON(Bytes(#"[{"a":4}]"#)), isEnd: false))
  }

  @Test func `wrong SQL is an error when the cursor is opened`() {
    let failure = databases.answer(.openRows(handle: handle, SQLStatement("SELECT z FROM t"))).failure

    #expect(failure?.message == "\(folder.file("a.db")): no such column: z (in: SELECT z FROM t)")
  }

  @Test func `a row that fails ends the rows`() {
    let rows = open("SELECT CASE a WHEN 2 THEN abs(-9223372036854775808) ELSE a END AS a FROM t")

    #expect(next(rows, 1) == .rows(IndexedJSON(Bytes(#"[{"a":1}]"#)), isEnd: false))
    #expect(next(rows, 1).failure?.message.contains("integer overflow") == true)
    #expect(next(rows, 1) == .rows(IndexedJSON(Bytes("[]")), isEnd: true))
  }

  @Test func `a database takes its cursors along when it is closed`() {
    let rows = open("SELECT a FROM t")
    #expect(next(rows, 1).failure == nil)

    #expect(databases.answer(.close(handle: handle)) == .done)
    #expect(databases.answer(.close(handle: handle)) == .done)

    #expect(next(rows, 1).failure == HostFailure(.invalid, "it is closed already"))
    #expect(databases.answer(.query(handle: handle, SQLStatement("SELECT 1"))).failure?.code == .invalid)
  }

  @Test func `a closed cursor leaves the database open`() {
    let rows = open("SELECT a FROM t")
    #expect(next(rows, 1).failure == nil)

    #expect(databases.answer(.close(handle: rows)) == .done)

    #expect(next(rows, 1).failure?.code == .invalid)
    #expect(databases.answer(.execute(handle: handle, SQLStatement("DROP TABLE t"))).failure == nil)
  }

  @Test func `rows and databases are not taken for each other`() {
    let rows = open("SELECT a FROM t")

    #expect(!FileCalls.isFile(rows) && !FileCalls.isFile(handle))
    #expect(next(handle, 1).failure?.code == .invalid)
    #expect(databases.answer(.query(handle: rows, SQLStatement("SELECT 1"))).failure?.code == .invalid)
  }

  private func open(_ sql: String) -> Int {
    databases.answer(.openRows(handle: handle, SQLStatement(sql))).handle
  }

  private func next(_ rows: Int, _ limit: Int) -> HostReply {
    databases.answer(.nextRows(handle: rows, limit: limit))
  }

  private func query(_ sql: String) -> String? {
    databases.answer(.query(handle: handle, SQLStatement(sql))).text
  }
}
