import Hosting
import Items
import Paging
import Testing

@Suite struct DatabaseExecuteTests {
  private let folder = TemporaryFolder()
  private let databases = DatabaseCalls(permissions: .all)
  private let handle: Int

  init() {
    let path = folder.file("a.db")
    handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    _ = databases.answer(.execute(handle: handle, SQLStatement("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")))
  }

  @Test func `rows that change are counted`() {
    #expect(execute("INSERT INTO t (b) VALUES (1), (2), (3)") == .count(3))
    #expect(execute("UPDATE t SET b = 0 WHERE a > 1") == .count(2))
    #expect(execute("DELETE FROM t WHERE a = 9") == .count(0))
    #expect(execute("CREATE INDEX i ON t (b)") == .count(0))
    #expect(execute("SELECT * FROM t") == .count(0))
    #expect(execute("INSERT INTO t (b) VALUES (1), (2); DELETE FROM t WHERE b = 0") == .count(4))
  }

  @Test func `statements of one text share named values and take the others in turn`() {
    let statement = SQLStatement(
      "INSERT INTO t VALUES (?, :b); INSERT INTO t VALUES (?, :b)", positional: [.integer(1), .integer(2)],
      named: ["b": .text("x")])

    #expect(databases.answer(.execute(handle: handle, statement)) == .count(2))
    #expect(query("SELECT * FROM t") == #"[{"a":1,"b":"x"},{"a":2,"b":"x"}]"#)
  }

  @Test func `the same statement runs again with other values`() {
    for number in 1...3 {
      let statement = SQLStatement(
        "INSERT INTO t VALUES (?, ?)", positional: [.integer(Int64(number)), .null])
      #expect(databases.answer(.execute(handle: handle, statement)) == .count(1))
    }
    #expect(query("SELECT count(*) AS n FROM t") == #"[{"n":3}]"#)
  }

  @Test func `a constraint that fails is an error, and the next statement runs`() {
    #expect(execute("INSERT INTO t VALUES (1, 1)") == .count(1))

    let failure = execute("INSERT INTO t VALUES (1, 1)").failure

    #expect(
      failure
        == HostFailure(
          .database, "\(folder.file("a.db")): UNIQUE constraint failed: t.a (in: INSERT INTO t VALUES (1, 1))"
        ))
    #expect(execute("INSERT INTO t VALUES (2, 1)") == .count(1))
  }

  @Test func `a transaction may stay open between calls`() {
    #expect(execute("BEGIN") == .count(0))
    #expect(execute("INSERT INTO t VALUES (1, 1)") == .count(1))
    #expect(execute("ROLLBACK").failure == nil)
    #expect(query("SELECT * FROM t") == "[]")
    #expect(execute("BEGIN") == .count(0))
    #expect(databases.answer(.close(handle: handle)) == .done)
  }

  @Test func `what was written is in the file`() {
    #expect(execute("INSERT INTO t VALUES (1, 'x')") == .count(1))
    databases.finish()

    let again = DatabaseCalls(permissions: .all)
    let handle = again.answer(.openDatabase(path: folder.file("a.db"), isReadOnly: true)).handle

    #expect(again.answer(.query(handle: handle, SQLStatement("SELECT b FROM t"))).text == #"[{"b":"x"}]"#)
  }

  private func execute(_ sql: String) -> HostReply {
    databases.answer(.execute(handle: handle, SQLStatement(sql)))
  }

  private func query(_ sql: String) -> String? {
    databases.answer(.query(handle: handle, SQLStatement(sql))).text
  }
}
