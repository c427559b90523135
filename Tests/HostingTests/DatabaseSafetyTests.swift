import Hosting
import Items
import Paging
import Synchronization
import Testing

@Suite struct DatabaseSafetyTests {
  private let folder = TemporaryFolder()

  @Test func `to open is to read or to write, and needs the permission`() {
    let path = folder.file("a.db")
    let databases = DatabaseCalls(permissions: Permissions(read: Access(.all)))

    #expect(
      databases.answer(.openDatabase(path: path, isReadOnly: false)).failure?.needs == "--allow-write=\(path)"
    )
    #expect(folder.names == [])
    let none = DatabaseCalls(permissions: Permissions())
    #expect(none.answer(.openDatabase(path: path, isReadOnly: true)).failure?.needs == "--allow-read=\(path)")
    #expect(none.answer(.openDatabase(path: ":memory:", isReadOnly: false)).failure == nil)
  }

  @Test func `a database that is read must be there`() {
    let path = folder.file("none.db")

    let failure = DatabaseCalls(permissions: .all).answer(.openDatabase(path: path, isReadOnly: true)).failure

    #expect(failure == HostFailure(.notFound, "can't open \(path): no such file or directory"))
  }

  @Test func `a file that is no database is an error`() {
    let path = folder.write(String(repeating: "no database ", count: 100), to: "a.db")

    let failure = DatabaseCalls(permissions: .all).answer(.openDatabase(path: path, isReadOnly: false))
      .failure

    #expect(failure == HostFailure(.database, "\(path): it is a file, but not an SQLite database"))
    #expect(folder.text(of: "a.db").hasPrefix("no database"))
  }

  @Test func `what is opened to read can't be written, whatever the SQL says`() {
    makeDatabase()
    let databases = DatabaseCalls(permissions: Permissions(read: Access(.all)))
    let handle = databases.answer(.openDatabase(path: folder.file("a.db"), isReadOnly: true)).handle

    for sql in ["INSERT INTO t VALUES (1)", "PRAGMA query_only = 0; INSERT INTO t VALUES (1)"] {
      #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .database)
    }
  }

  @Test(arguments: [
    "ATTACH 'secret.db' AS s", "VACUUM INTO 'copy.db'", "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')", "SELECT fts3_tokenizer('x', x'4141414141414141')",
  ])
  func `SQL reaches no other file, and no memory`(sql: String) {
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: ":memory:", isReadOnly: false)).handle

    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .database)
    #expect(databases.answer(.query(handle: handle, SQLStatement("SELECT 1 AS a"))).text == #"[{"a":1}]"#)
  }

  @Test func `to attach says what to do`() {
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: ":memory:", isReadOnly: false)).handle

    let failure = databases.answer(.execute(handle: handle, SQLStatement("ATTACH 'b.db' AS b"))).failure

    #expect(
      failure?.message
        == ":memory:: a connection is to one file; open the other file separately (in: ATTACH 'b.db' AS b)")
  }

  @Test func `a path is never taken for a URI`() {
    makeDatabase()
    let databases = DatabaseCalls(permissions: .all)
    let path = "file:\(folder.file("a.db"))?mode=ro"

    #expect(databases.answer(.openDatabase(path: path, isReadOnly: true)).failure?.code == .notFound)
  }

  @Test func `a query without end is interrupted at the end of the run`() async {
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: ":memory:", isReadOnly: false)).handle
    let endless = "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let reply = Mutex<HostReply?>(nil)
    databases.perform(.query(handle: handle, SQLStatement(endless))) { answer in
      reply.withLock { $0 = answer }
    }

    databases.finish()

    #expect(reply.withLock { $0?.failure?.message.contains("interrupted") } == true)
  }

  private func makeDatabase() {
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: folder.file("a.db"), isReadOnly: false)).handle
    _ = databases.answer(.execute(handle: handle, SQLStatement("CREATE TABLE t (a)")))
    databases.finish()
  }
}
