import Glibc
import Paging

/// An SQLite file that takes rows.
final class SQLiteStore: RowStore {
  private let path: String
  private let wait: Duration
  private let isShared: Bool
  private let adopts: Bool
  private let remembers: Bool
  private let database: Database
  private let checkpointer: Checkpointer
  private var isJournalChosen = false
  /// Which tables there are, and how they are made, when this process last looked.
  private var schemaVersion = 0
  private(set) var mayHaveChanged = false
  private(set) var log: String?
  let moved = MovedRows()

  var memory: Database { database }
  var dueAt: ContinuousClock.Instant? { nil }

  /// Opens the file of an output.
  init(_ configuration: SinkConfiguration) throws(SinkError) {
    path = configuration.path.escapingControls
    wait = configuration.lockWait
    isShared = configuration.state.isShared
    adopts = configuration.adopts
    remembers = configuration.state.isKept
    let file = try SQLiteStore.check(configuration)
    do {
      database = try SQLiteStore.open(file, wait)
      checkpointer = Checkpointer(of: database, at: file)
      moved.install(in: database)
    } catch {
      throw SinkError(error, database: path)
    }
  }

  func begin() throws {
    try chooseJournal()
    try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    guard isShared else { return }
    // Another process may have made columns.
    let version = try database.row(sql: "PRAGMA schema_version")?.integer() ?? 0
    mayHaveChanged = version != schemaVersion
    schemaVersion = version
  }

  /// Readers and this writer don't block each other. Must be written first.
  private func chooseJournal() throws {
    guard !isJournalChosen else { return }
    try DatabaseWait(timeout: wait).repeating { try database.execute(sql: "PRAGMA journal_mode = WAL") }
    isJournalChosen = true
  }

  func table(_ name: String, idField: String?, keys: [String]) throws -> any StreamTable {
    let table = try SinkTable(
      name, idField: idField, keys: keys, remembers: remembers, moved, in: database)
    guard table.isOurs || adopts else {
      throw HostFailure(
        .invalid,
        "it has a table \(name.escapingControls) already, which lookahead did not make: --adopt writes into it, or give the "
          + "source another name (name = \"…\"), or write another file")
    }
    if !table.isOurs, let reason = try adoptionFault(of: name) {
      throw HostFailure(.invalid, "its table \(name.escapingControls) can't be adopted (--adopt): \(reason)")
    }
    return table
  }

  func droppedTables() throws -> Set<String> {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    guard try database.row(sql: "\(tables) AND name = ?", arguments: [StateMirror.tables]) != nil else {
      return []
    }
    let dropped = "SELECT name FROM \(StateMirror.tables) WHERE name COLLATE NOCASE NOT IN (\(tables))"
    return Set(try database.rows(sql: dropped).compactMap(\.text))
  }

  func forget(table name: String) throws {
    try database.execute(sql: "DELETE FROM \(StateMirror.tables) WHERE name = ?", arguments: [name])
  }

  /// Why different ids might have one row in a table that somebody else has made.
  private func adoptionFault(of table: String) throws -> String? {
    let folded = """
      SELECT info.name AS key FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS info \
      WHERE list.origin = 'pk' AND info.key AND info.coll <> 'BINARY' COLLATE NOCASE
      """
    if let key = try database.row(sql: folded, arguments: [table])?.text { return HostFailure.foldedKey(key) }
    let rounding = """
      SELECT name FROM pragma_table_info(?) WHERE pk AND type NOT LIKE '%INT%' \
      AND (type LIKE '%REAL%' OR type LIKE '%FLOA%' OR type LIKE '%DOUB%')
      """
    return try database.row(sql: rounding, arguments: [table])?.text.map {
      "its column \($0.escapingControls), by which rows are found, makes doubles of ids, which round what is large"
    }
  }

  func recall(stream: String, partition: String) {}

  func aside(_ owner: Int) -> any WaitingItems { Aside(owner: owner, database: database) }

  func attempt(_ body: () throws -> Void) throws {
    try database.cachedStatement(sql: "SAVEPOINT delivery").execute()
    do {
      try body()
      try database.cachedStatement(sql: "RELEASE delivery").execute()
    } catch {
      if database.isInsideTransaction {
        try database.execute(sql: "ROLLBACK TO delivery; RELEASE delivery")
      }
      throw error
    }
  }

  /// Nothing waits here.
  func advance() {}

  /// SQLite ends a transaction by itself when, say, the disk is full: what is written behind that, such as a position, would count at
  /// once, without the rows before it.
  func checkTransaction() throws {
    guard database.isInsideTransaction else {
      throw DatabaseError(message: "the last items could not be written")
    }
  }

  func commit() throws {
    try checkTransaction()
    try database.cachedStatement(sql: "COMMIT").execute()
    moved.commit()
    checkpointer.advance()
  }

  func rollBack() {
    moved.forget()
    if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
  }

  func close(_ ending: StoreEnding) throws {
    checkpointer.finish()
    if ending == .whole { try chooseJournal() }
    if isJournalChosen, ending != .broken { moveLog() }
    try database.close()
  }

  /// Moves what is in the log into the file. Closing it does so too, but says nothing where the disk refuses.
  private func moveLog() {
    do {
      try checkpointer.moveRest()
    } catch {
      if explain(error).isDiskFailure { log = path + "-wal" }
    }
  }

  func explain(_ error: any Error) -> SinkError { SinkError(error, database: path) }

  /// The path for SQLite: absolute, so that it is never parsed as a URI. Throws if it can't be a database.
  @discardableResult
  static func check(_ configuration: SinkConfiguration) throws(SinkError) -> String {
    let path = configuration.path
    if let stream = StandardStream(path: path) {
      throw SinkError(
        HostFailure(.invalid, "a database can't go to \(stream.name): name a file, as -o items.db"))
    }
    guard !configuration.isFolder else {
      throw SinkError(HostFailure(.invalid, "\(path.escapingControls) is a folder, not a database"))
    }
    guard let resolved = ResolvedPath(path)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: path)
    }
    let folder = String(resolved[..<resolved.lastIndex(of: "/")!])
    if !folder.isEmpty && Glibc.access(folder, F_OK) != 0 {
      let folder = folder.escapingControls
      throw SinkError(
        HostFailure(
          .notFound, "can't write \(path.escapingControls): the folder \(folder) does not exist"))
    }
    return resolved
  }

  private static func open(_ file: String, _ wait: Duration) throws -> Database {
    try Database(path: file, waiting: wait) { database in
      // A rebuilt table is dropped for a moment; that must not affect tables that refer to it. And temporary files could
      // not be made in the cage.
      try database.execute(
        sql: """
          PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL; PRAGMA legacy_alter_table = ON;
          PRAGMA temp_store = MEMORY
          """)
    }
  }
}
