import Foundation
import Hosting
import Paging
import Testing

/// What SQL may do; see also `DatabaseSafetyTests`.
@Suite struct DatabaseRulesTests {
  private let folder = TemporaryFolder()
  private let databases = DatabaseCalls(permissions: .all)
  private let path: String
  private let handle: Int

  init() {
    path = folder.file("a.db")
    handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    _ = databases.answer(
      .execute(handle: handle, SQLStatement("CREATE TABLE t (a); INSERT INTO t VALUES (1)")))
  }

  @Test(arguments: [
    "temp_store_directory = '/tmp'", "temp_store_directory", "data_store_directory = '/tmp'",
    "temp_store = FILE",
    "writable_schema = ON", "writable_schema = RESET", "trusted_schema = ON", "cache_spill = ON",
    "cache_size = -9999999",
    "mmap_size = 1000000", "hard_heap_limit = 1", "soft_heap_limit = 1", "threads = 8",
    "busy_timeout = 2000000000",
    "lock_proxy_file = 'x'", "key = 'x'", "rekey = 'x'", "schema_version = 7", "database_list", "stats",
    "no_such_pragma", "main.temp_store_directory('/tmp')", "TEMP_STORE_DIRECTORY = '/tmp'",
  ])
  func `a pragma that reaches beyond the database is refused`(pragma: String) {
    for sql in ["PRAGMA \(pragma)", "/**/pragma \(pragma)", "EXPLAIN PRAGMA \(pragma)"] {
      let failure = databases.answer(.execute(handle: handle, SQLStatement(sql))).failure
      #expect(failure?.message.contains("scripts") == true, "\(sql): \(failure?.message ?? "allowed")")
    }
  }

  @Test(arguments: [
    "table_info(t)", "index_list(t)", "table_list", "foreign_key_list(t)", "user_version", "user_version = 7",
    "application_id", "foreign_keys = OFF", "journal_mode", "journal_mode = WAL", "synchronous = OFF",
    "page_count",
    "integrity_check", "quick_check", "encoding", "wal_checkpoint(TRUNCATE)", "optimize", "busy_timeout",
    "cache_size",
  ])
  func `a pragma about the database is answered`(pragma: String) {
    #expect(databases.answer(.execute(handle: handle, SQLStatement("PRAGMA \(pragma)"))).failure == nil)
  }

  @Test func `a pragma in the clothes of a table is a pragma`() {
    let asked = databases.answer(
      .query(handle: handle, SQLStatement("SELECT name FROM pragma_table_info('t')")))
    let refused = databases.answer(.query(handle: handle, SQLStatement("SELECT * FROM pragma_database_list")))

    #expect(asked.text == #"[{"name":"a"}]"#)
    #expect(refused.failure?.message.contains("PRAGMA database_list is not available to scripts") == true)
  }

  @Test(arguments: [
    "ATTACH ? AS b", "ATTACH 'b.db' AS b", "ATTACH 'b' || '.db' AS b", "DETACH main", "VACUUM INTO 'b.db'",
  ])
  func `a connection stays at its file`(sql: String) {
    let statement = SQLStatement(sql, positional: sql.contains("?") ? [.text("b.db")] : [])

    #expect(databases.answer(.execute(handle: handle, statement)).failure?.code == .database)
    #expect(folder.names == ["a.db"])
  }

  @Test func `a database is rewritten in its place`() {
    let sql = "DELETE FROM t; VACUUM"

    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
    #expect(folder.names == ["a.db"])
  }

  @Test(arguments: [
    "SELECT load_extension('x')", "SELECT LOAD_EXTENSION('x', 'y')", "SELECT fts3_tokenizer('simple')",
    "CREATE VIEW v AS SELECT load_extension('x'); SELECT * FROM v",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('x'); END; INSERT INTO t VALUES (2)",
    "SELECT readfile('/etc/passwd')", "SELECT writefile('x', 'y')", "SELECT edit('x')",
  ])
  func `code and files are out of reach of functions`(sql: String) {
    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .database)
  }

  @Test func `virtual tables are those that keep to the database`() {
    for module in ["fts5(a)", "fts4(a)", "rtree(id, a, b)"] {
      let name = module.prefix(4)
      let sql = "CREATE VIRTUAL TABLE \(name)_table USING \(module); DROP TABLE \(name)_table"
      #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil, "\(module)")
    }
    for module in ["csv(filename = '/etc/passwd')", "dbstat", "zipfile('x')"] {
      let sql = "CREATE VIRTUAL TABLE v USING \(module)"
      #expect(
        databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .database, "\(module)")
    }
  }

  @Test func `the tables behind a virtual table, and the schema, can't be written by hand`() {
    _ = databases.answer(.execute(handle: handle, SQLStatement("CREATE VIRTUAL TABLE f USING fts5(a)")))

    for sql in ["UPDATE f_data SET block = x'00'", "UPDATE sqlite_master SET sql = ''"] {
      #expect(
        databases.answer(.execute(handle: handle, SQLStatement(sql))).failure?.code == .database, "\(sql)")
    }
  }

  @Test func `work that needs room is done in memory`() {
    let sql = """
      CREATE TEMP TABLE big AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      SELECT i, hex(randomblob(50)) AS a FROM n; CREATE INDEX temp.i ON big (a); SELECT * FROM big ORDER BY a DESC
      """

    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
    #expect(folder.names == ["a.db"])
  }

  /// A journal beside a database may name another file, which SQLite deletes once it has rolled the journal back.
  @Test(arguments: [true, false]) func `a journal that names another file deletes nothing`(isWriting: Bool) {
    databases.finish()
    let victim = folder.write("precious", to: "victim.txt")
    try! journal(naming: victim).write(to: URL(fileURLWithPath: path + "-journal"))
    let others = DatabaseCalls(permissions: .all)

    let opened = others.answer(.openDatabase(path: path, isReadOnly: !isWriting))
    _ = others.answer(.query(handle: opened.handle, SQLStatement("SELECT * FROM t")))
    others.finish()

    #expect(folder.text(of: "victim.txt") == "precious")
  }

  /// A hot journal without pages, of a change to many databases at once that the named file lists.
  private func journal(naming name: String) -> Data {
    func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    var journal = magic + number(0) + number(7) + number(2) + number(512) + number(4096)
    journal += Data(count: 512 - journal.count)
    let lockedPage = UInt32(0x4000_0000 / 4096 + 1)
    let sum = name.utf8.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    return journal + number(lockedPage) + Data(name.utf8) + number(UInt32(name.utf8.count)) + number(sum)
      + magic
  }
}
