import CSQLite
import Paging

/// A database of our own: an output, or what is remembered of one. Those of scripts are a `DatabaseConnection`.
///
/// SQLite does the work: this hands it texts and values, and throws what it says. Used on one thread at a time.
///
///     let database = try Database(path: "items.db", waiting: .seconds(5))
///     try database.execute(sql: "DELETE FROM items WHERE id = ?", arguments: [7])
///     let isEmpty = try database.row(sql: "SELECT 1 FROM items LIMIT 1") == nil
final class Database {
  /// Nil once it is closed.
  private var connection: OpaquePointer?
  /// Compiled once, by their text.
  private var statements: [String: Statement] = [:]

  /// Opens a file, which is made where it is missing, unless it `isThere`, and waits so long for other processes that hold it. Fails
  /// if it is no database, or can't be read after `setUp` was executed.
  init(
    path: String, waiting: Duration, isReadOnly: Bool = false, isThere: Bool = false,
    setUp: (Database) throws -> Void = { _ in }
  ) throws {
    let make = isThere ? 0 : SQLITE_OPEN_CREATE
    let way = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | make
    let code = sqlite3_open_v2(
      path, &connection, way | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    do {
      guard code == SQLITE_OK else { throw DatabaseError(code) }
      csqlite_refuse_quoted_texts(connection)
      sqlite3_busy_timeout(connection, DatabaseWait(timeout: waiting).milliseconds)
      try setUp(self)
      _ = try row(sql: "SELECT 1 FROM sqlite_schema LIMIT 1")
    } catch {
      abandon()
      throw error
    }
  }

  deinit { abandon() }

  /// Closes it; fails while there are statements that somebody still holds, or if SQLite can't end what is under way.
  func close() throws {
    statements = [:]
    let code = sqlite3_close(connection)
    guard code == SQLITE_OK else { throw DatabaseError(code, of: connection) }
    connection = nil
  }

  /// Closes it as soon as its last statement is gone.
  private func abandon() {
    statements = [:]
    sqlite3_close_v2(connection)
    connection = nil
  }

  /// SQLite's connection, for what only its own functions do.
  func withConnection(_ body: (OpaquePointer?) -> Void) { body(connection) }

  /// Runs all statements of a text; values are for a text of one.
  func execute(sql: String, arguments: [(any SQLArgument)?] = []) throws {
    try sql.withCString { text in
      var rest = text
      while let statement = try makeStatement(&rest) { try statement.execute(arguments: arguments) }
    }
  }

  /// The first row of a statement's answer.
  func row(sql: String, arguments: [(any SQLArgument)?] = []) throws -> Row? {
    let statement = try cachedStatement(sql: sql)
    try statement.bind(arguments)
    defer { statement.reset() }
    return try statement.hasRow() ? Row(statement) : nil
  }

  /// All rows of a statement's answer.
  func rows(sql: String, arguments: [(any SQLArgument)?] = []) throws -> [Row] {
    let statement = try cachedStatement(sql: sql)
    try statement.bind(arguments)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.hasRow() { rows.append(Row(statement)) }
    return rows
  }

  /// A compiled statement that stays with the database; whoever uses it leaves it reset.
  func cachedStatement(sql: String) throws -> Statement {
    if let statement = statements[sql] { return statement }
    let new = try makeStatement(sql: sql)
    statements[sql] = new
    return new
  }

  /// A compiled statement; it must be gone before the database is closed.
  func makeStatement(sql: String) throws -> Statement {
    try sql.withCString { text in
      var rest = text
      guard let statement = try makeStatement(&rest) else { throw DatabaseError(SQLITE_MISUSE, sql: sql) }
      return statement
    }
  }

  /// The next statement of a text; nil at its end.
  private func makeStatement(_ text: inout UnsafePointer<CChar>) throws -> Statement? {
    guard let connection else { throw DatabaseError(SQLITE_MISUSE, message: "the database is closed") }
    while text.pointee != 0 {
      var raw: OpaquePointer?
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(connection, text, -1, 0, &raw, &rest)
      guard code == SQLITE_OK else {
        throw DatabaseError(code, of: connection, sql: String(cString: text))
      }
      text = rest ?? text
      if let raw { return Statement(raw) }
    }
    return nil
  }

  /// Does all of it, or nothing.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute(sql: "BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute(sql: "COMMIT")
      return result
    } catch {
      if isInsideTransaction { try? execute(sql: "ROLLBACK") }
      throw error
    }
  }

  /// Whether a transaction is under way; SQLite ends one by itself when, say, the disk is full.
  var isInsideTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// How many rows the last statement has changed that changes any.
  var changesCount: Int { connection.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// The number of the row that was inserted last.
  var lastInsertedRowID: Int64 { connection.map { sqlite3_last_insert_rowid($0) } ?? 0 }
}
