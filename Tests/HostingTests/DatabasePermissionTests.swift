import Foundation
import Glibc
import Hosting
import Paging
import Testing

@Suite struct DatabasePermissionTests {
  private let folder = TemporaryFolder()
  private let path: String

  init() {
    path = folder.file("a.db")
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    _ = databases.answer(
      .execute(handle: handle, SQLStatement("CREATE TABLE t (a); INSERT INTO t VALUES (1)")))
    databases.finish()
  }

  @Test func `what may not be read is not opened for writing`() {
    let denied = Access(.all, denied: .only([path]))
    let databases = DatabaseCalls(permissions: Permissions(read: denied, write: Access(.all)))

    let failure = databases.answer(.openDatabase(path: path, isReadOnly: false)).failure

    #expect(failure == HostFailure(.denied, "sqlite.open may not read \(path): --deny-read forbids it"))
  }

  @Test func `to write a database includes to read it`() {
    let databases = DatabaseCalls(permissions: Permissions(write: Access(.only([path]))))

    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle

    #expect(databases.answer(.query(handle: handle, SQLStatement("SELECT a FROM t"))).text == #"[{"a":1}]"#)
  }

  @Test func `a database in WAL mode is read without a file beside it`() {
    execute("PRAGMA journal_mode = WAL")
    #expect(folder.names == ["a.db"])
    let reader = reader()

    let handle = reader.answer(.openDatabase(path: path, isReadOnly: true)).handle

    #expect(reader.answer(.query(handle: handle, SQLStatement("SELECT a FROM t"))).text == #"[{"a":1}]"#)
    #expect(folder.names == ["a.db"])
  }

  @Test func `a database that another one writes is read as it is written`() {
    let writer = DatabaseCalls(permissions: .all)
    let writing = writer.answer(.openDatabase(path: path, isReadOnly: false)).handle
    _ = writer.answer(
      .execute(handle: writing, SQLStatement("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)")))
    let before = folder.names
    let reader = reader()
    let handle = reader.answer(.openDatabase(path: path, isReadOnly: true)).handle
    let count = SQLStatement("SELECT count(*) AS c FROM t")

    let first = reader.answer(.query(handle: handle, count)).text
    _ = writer.answer(.execute(handle: writing, SQLStatement("INSERT INTO t VALUES (3)")))
    let second = reader.answer(.query(handle: handle, count)).text

    #expect(first == #"[{"c":2}]"#)
    #expect(second == #"[{"c":3}]"#)
    #expect(folder.names == before)
  }

  @Test func `a database that is changed while it is read by itself is opened again`() {
    execute("PRAGMA journal_mode = WAL")
    let reader = reader()
    let handle = reader.answer(.openDatabase(path: path, isReadOnly: true)).handle
    execute("INSERT INTO t VALUES (2)")

    let failure = reader.answer(.query(handle: handle, SQLStatement("SELECT a FROM t"))).failure
    let again = reader.answer(.openDatabase(path: path, isReadOnly: true)).handle

    #expect(failure?.isTransient == true)
    #expect(
      failure?.message == "\(path): another program has changed the file since it was opened: open it again")
    #expect(
      reader.answer(.query(handle: again, SQLStatement("SELECT sum(a) AS s FROM t"))).text == #"[{"s":3}]"#)
  }

  @Test func `changes that were left beside a database are not passed over`() throws {
    let writer = DatabaseCalls(permissions: .all)
    let writing = writer.answer(.openDatabase(path: path, isReadOnly: false)).handle
    _ = writer.answer(
      .execute(handle: writing, SQLStatement("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)")))
    folder.makeFolder("copy")
    for name in ["a.db", "a.db-wal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.file("copy/\(name)"))
    }
    let copy = folder.file("copy/a.db")

    let refused = reader().answer(.openDatabase(path: copy, isReadOnly: true)).failure
    let namesThen = try FileManager.default.contentsOfDirectory(atPath: folder.file("copy")).sorted()
    let permitted = DatabaseCalls(permissions: .all)
    let handle = permitted.answer(.openDatabase(path: copy, isReadOnly: true)).handle

    #expect(
      refused?.message.contains("it has changes in the -wal file beside it") == true,
      "\(refused?.message ?? "")")
    #expect(namesThen == ["a.db", "a.db-wal"])
    #expect(
      permitted.answer(.query(handle: handle, SQLStatement("SELECT count(*) AS c FROM t"))).text
        == #"[{"c":2}]"#)
  }

  @Test func `a pipe is no database`() {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)

    for isReadOnly in [true, false] {
      let reply = DatabaseCalls(permissions: .all).answer(.openDatabase(path: pipe, isReadOnly: isReadOnly))
      #expect(reply.failure?.code == .io)
    }
  }

  @Test func `names that mean something to SQLite are names`() {
    for name in ["a?mode=memory", "file:b.db", "100%.db", "ä#&=.db", ":memory:.db"] {
      let databases = DatabaseCalls(permissions: .all)
      let handle = databases.answer(.openDatabase(path: folder.file(name), isReadOnly: false)).handle
      let made = databases.answer(.execute(handle: handle, SQLStatement("CREATE TABLE t (a)"))).failure
      databases.finish()

      #expect(made == nil && folder.names.contains(name), "\(name)")
    }
  }

  private func reader() -> DatabaseCalls {
    DatabaseCalls(permissions: Permissions(read: Access(.only([folder.path]))))
  }

  private func execute(_ sql: String) {
    let databases = DatabaseCalls(permissions: .all)
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
    databases.finish()
  }
}
