import CSQLite
import Glibc
import Items
import Paging

/// A database opened by a script. Cursors and statements share the connection, so a script can change a table while
/// reading it; whether a cursor sees the change is up to SQLite.
final class DatabaseConnection {
  /// The path of an in-memory database.
  static let inMemory = ":memory:"

  private let path: String
  private let limits: DatabaseLimits
  private let rules: DatabaseRules
  private let place: DatabasePlace?
  private let connection: OpaquePointer
  /// The initial state of the file, if it is read on condition that nobody changes it.
  private let stillness: DatabasePlace.Stillness?
  /// Unused statements, by their SQL.
  private var idleStatements: [String: DatabaseStatement] = [:]

  /// Opens the database at the place, or one in memory.
  init(
    path: String, at place: DatabasePlace?, to use: DatabaseUse, limits: DatabaseLimits
  ) throws(HostFailure) {
    self.path = path.escapingControls
    self.limits = limits
    self.place = place
    rules = DatabaseRules(isReadOnly: use != .write)
    do {
      (connection, stillness) = try DatabaseConnection.open(place, use) { [rules] in
        try DatabaseConnection.prepare($0, limits, rules)
      }
    } catch {
      throw HostFailure(error, database: self.path, showsSQL: false)
    }
  }

  deinit {
    idleStatements = [:]
    DatabaseConnection.close(connection, of: place)
  }

  /// All rows as one JSON array of objects.
  func query(_ statement: SQLStatement) throws(HostFailure) -> IndexedJSON {
    try access {
      let prepared = try self.statement(statement)
      let rows = try prepared.allRows(upTo: limits.largestAnswer)
      release(prepared)
      return rows
    }
  }

  /// A cursor before its first row.
  func openRows(_ statement: SQLStatement) throws(HostFailure) -> DatabaseRows {
    try access { DatabaseRows(try self.statement(statement), of: self, upTo: limits.largestAnswer) }
  }

  /// Runs all statements of the text and counts the changed rows. They share the named values, and consume the others
  /// in turn.
  func execute(_ statement: SQLStatement) throws(HostFailure) -> Int {
    try access {
      if let prepared = idleStatements.removeValue(forKey: statement.sql) {
        try prepared.bind(statement)
        defer { release(prepared) }
        return try prepared.execute()
      }
      return try executeAll(statement)
    }
  }

  /// Calls the body if the database may be used.
  func access<Result>(_ body: () throws -> Result) throws(HostFailure) -> Result {
    do {
      rules.begin()
      let result = try body()
      try checkStillness()
      return result
    } catch {
      if limits.meter.isSpent { throw .processorTime("\(path): the statement") }
      if (error as? DatabaseError)?.code == SQLITE_AUTH, let refusal = rules.refusal {
        let sql = (error as? DatabaseError)?.sql?.asEvidence ?? ""
        throw HostFailure(.database, "\(path): \(refusal)\(sql)")
      }
      throw HostFailure(error, database: path, showsSQL: true)
    }
  }

  /// Keeps a statement for reuse; the number is limited, as scripts may put values into their SQL.
  func release(_ statement: DatabaseStatement) {
    statement.reset()
    if idleStatements.count >= DatabaseConnection.idleLimit { idleStatements = [:] }
    idleStatements[statement.sql] = statement
  }

  private func executeAll(_ statement: SQLStatement) throws -> Int {
    var values = statement.positional[...]
    var changes = 0
    var executed: [DatabaseStatement] = []
    try compile(statement.sql) { prepared in
      try prepared.bind(&values, named: statement.named)
      changes += try prepared.execute()
      if executed.count < 2 { executed.append(prepared) }
      // Compiling can't be interrupted.
      if !limits.meter.pay() { throw HostFailure.processorTime("the statement") }
    }
    guard values.isEmpty else { throw DatabaseStatement.surplus(of: statement, left: values.count) }
    if executed.count == 1 { release(executed[0]) }
    return changes
  }

  /// The single statement in the text, with its values bound.
  private func statement(_ statement: SQLStatement) throws -> DatabaseStatement {
    let prepared = try idleStatements.removeValue(forKey: statement.sql) ?? prepare(statement.sql)
    try prepared.bind(statement)
    return prepared
  }

  private func prepare(_ sql: String) throws -> DatabaseStatement {
    var only: DatabaseStatement?
    try compile(sql) { statement in
      guard only == nil else {
        throw HostFailure(.invalid, "a query is one statement, not several\(sql.asEvidence)")
      }
      only = statement
    }
    guard let only else { throw HostFailure(.invalid, "there is no statement\(sql.asEvidence)") }
    return only
  }

  /// Passes on the statements of the text one after another: a later one may need what an earlier one creates.
  private func compile(_ sql: String, _ body: (DatabaseStatement) throws -> Void) throws {
    guard !sql.utf8.contains(0) else { throw HostFailure(.invalid, "the SQL holds a NUL") }
    try sql.withCString { text in
      var rest: UnsafePointer<CChar>? = text
      while let start = rest, start.pointee != 0 {
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, start, -1, 0, &compiled, &rest)
        guard code == SQLITE_OK else {
          throw DatabaseError(code, of: connection, sql: sql)
        }
        // Between statements, and after the last, there may be only comments.
        guard let compiled else { continue }
        try body(DatabaseStatement(compiled, sql: sql, connection: connection, wait: limits.wait))
      }
    }
  }

  private func checkStillness() throws {
    guard let stillness, let place else { return }
    guard try place.stillness() == stillness else {
      throw HostFailure(
        .database, "another program has changed the file since it was opened: open it again",
        isTransient: true)
    }
  }

  private static let idleLimit = 100
}

/// How a database is opened.
enum DatabaseUse {
  /// Read-only; no file is created or changed.
  case readOnly
  /// Read-only; SQLite may create its files next to it.
  case read
  /// Read and write.
  case write
}

extension DatabaseConnection {
  /// Opens the database and prepares the connection; returns the state of a file that must not change while it is read.
  ///
  /// Without write access, a database in WAL mode has nowhere to put its shared index. While another program has it
  /// open, the index exists and is used. Otherwise all data is in the file itself, which is read as long as it stays
  /// unchanged.
  static func open(
    _ place: DatabasePlace?, _ use: DatabaseUse, _ prepare: (OpaquePointer) throws -> Void
  ) throws -> (OpaquePointer, DatabasePlace.Stillness?) {
    guard let place else {
      var connection: OpaquePointer?
      let code = csqlite_open_in_memory(&connection)
      guard code == SQLITE_OK, let connection else {
        defer { csqlite_close(connection, -1) }
        throw DatabaseError(code)
      }
      return (try prepared(connection, of: nil, prepare), nil)
    }
    switch use {
    case .write: return (try prepared(try place.open(.CSQLITE_WRITING), of: place, prepare), nil)
    case .read: return (try prepared(try place.open(.CSQLITE_READING), of: place, prepare), nil)
    case .readOnly:
      do {
        return (try prepared(try place.open(.CSQLITE_READING_ONLY), of: place, prepare), nil)
      } catch let error as DatabaseError where error.code == SQLITE_CANTOPEN {
        guard let stillness = try place.stillness() else { throw unsettled }
        let connection = try prepared(try place.open(.CSQLITE_READING_STILL), of: place, prepare)
        if try place.stillness() == stillness { return (connection, stillness) }
        close(connection, of: place)
        throw unsettled
      }
    }
  }

  /// Closes a connection opened here; its statements are gone.
  static func close(_ connection: OpaquePointer, of place: DatabasePlace?) {
    if let place { place.close(connection) } else { csqlite_close(connection, -1) }
  }

  /// Sets up a new connection and reads the file header: a file that is not a database is rejected here.
  static func prepare(
    _ connection: OpaquePointer, _ limits: DatabaseLimits, _ rules: DatabaseRules
  ) throws {
    csqlite_harden(connection)
    sqlite3_busy_timeout(connection, limits.wait.milliseconds)
    limits.install(on: connection)
    for sql in ["PRAGMA temp_store = MEMORY", "SELECT 1 FROM sqlite_master LIMIT 1"] {
      let code = sqlite3_exec(connection, sql, nil, nil, nil)
      guard code == SQLITE_OK else { throw DatabaseError(code, of: connection) }
    }
    rules.install(on: connection)
  }

  private static func prepared(
    _ connection: OpaquePointer, of place: DatabasePlace?, _ prepare: (OpaquePointer) throws -> Void
  ) throws -> OpaquePointer {
    do {
      try prepare(connection)
      return connection
    } catch {
      close(connection, of: place)
      throw error
    }
  }

  private static var unsettled: HostFailure {
    HostFailure(
      .database,
      "it has changes in the -wal file beside it, and to read them something must be written there: "
        + "allow that with --allow-write, or have the program that made them finish")
  }
}
