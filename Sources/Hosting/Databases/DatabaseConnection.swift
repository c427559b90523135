import GRDB
import Glibc
import Items
import Paging

/// A database that a script opened. Cursors and statements share the connection, so a script can change a table while
/// it reads it; whether a cursor sees such a change is up to SQLite.
final class DatabaseConnection {
  /// The path of a database that is in no file.
  static let inMemory = ":memory:"

  private let path: String
  private let queue: DatabaseQueue
  private let stop: StopFlag
  /// Statements that are not in use, by their SQL.
  private var idleStatements: [String: DatabaseStatement] = [:]

  init(path: String, isReadOnly: Bool, stop: StopFlag) throws(HostFailure) {
    self.path = path.escapingControls
    self.stop = stop
    let file = try DatabaseConnection.file(path, mustExist: isReadOnly)
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      database.closeBackDoors()
      database.interrupt(when: stop)
    }
    do {
      queue = try DatabaseQueue(path: file, configuration: configuration)
    } catch {
      throw HostFailure(error, database: self.path, showsSQL: false)
    }
  }

  /// All rows as one JSON array of objects.
  func query(_ statement: SQLStatement) throws(HostFailure) -> Bytes {
    try access { database in
      let prepared = try self.statement(statement, in: database)
      let json = try prepared.rows(limit: .max).json
      self.release(prepared)
      return json
    }
  }

  /// A cursor that is before its first row.
  func openRows(_ statement: SQLStatement) throws(HostFailure) -> DatabaseRows {
    try access { database in
      DatabaseRows(try self.statement(statement, in: database), of: self)
    }
  }

  /// Runs all statements of the text and counts the rows that they change. They share the named values, and take the
  /// others in turn.
  func execute(_ statement: SQLStatement) throws(HostFailure) -> Int {
    try access { database in
      if let prepared = self.idleStatements.removeValue(forKey: statement.sql) {
        try prepared.bind(statement)
        defer { self.release(prepared) }
        return try prepared.execute()
      }
      return try self.executeAll(statement, in: database)
    }
  }

  /// Calls the body where the database may be used.
  func access<Result>(_ body: (Database) throws -> Result) throws(HostFailure) -> Result {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw HostFailure(error, database: path, showsSQL: true)
    }
  }

  private func executeAll(_ statement: SQLStatement, in database: Database) throws -> Int {
    guard !statement.sql.utf8.contains(0) else { throw HostFailure(.invalid, "the SQL holds a NUL") }
    var values = statement.positional[...]
    var changes = 0
    var executed: [DatabaseStatement] = []
    let statements = try database.allStatements(sql: statement.sql)
    while let next = try statements.next() {
      let prepared = DatabaseStatement(next, sql: statement.sql, connection: database.sqliteConnection)
      try prepared.bind(&values, named: statement.named)
      changes += try prepared.execute()
      executed.append(prepared)
    }
    guard values.isEmpty else { throw DatabaseStatement.surplus(of: statement, left: values.count) }
    if executed.count == 1 { release(executed[0]) }
    return changes
  }

  /// A statement for the one that the text holds, with its values.
  private func statement(_ statement: SQLStatement, in database: Database) throws -> DatabaseStatement {
    let prepared =
      try idleStatements.removeValue(forKey: statement.sql) ?? prepare(statement.sql, in: database)
    try prepared.bind(statement)
    return prepared
  }

  private func prepare(_ sql: String, in database: Database) throws -> DatabaseStatement {
    guard !sql.utf8.contains(0) else { throw HostFailure(.invalid, "the SQL holds a NUL") }
    let statements = try database.allStatements(sql: sql)
    guard let first = try statements.next() else {
      throw HostFailure(.invalid, "there is no statement\(sql.asEvidence)")
    }
    guard try statements.next() == nil else {
      throw HostFailure(.invalid, "a query is one statement, not several\(sql.asEvidence)")
    }
    return DatabaseStatement(first, sql: sql, connection: database.sqliteConnection)
  }

  /// Takes a statement back for the next time; scripts that write values into their SQL would fill the memory.
  func release(_ statement: DatabaseStatement) {
    statement.reset()
    if idleStatements.count >= DatabaseConnection.idleLimit { idleStatements = [:] }
    idleStatements[statement.sql] = statement
  }

  private static let idleLimit = 100

  /// The path for SQLite: absolute, so that it is never taken for a URI.
  private static func file(_ path: String, mustExist: Bool) throws(HostFailure) -> String {
    guard path != inMemory else { return path }
    guard let resolved = ResolvedPath(path)?.path else {
      throw HostFailure(SystemError(number: EINVAL), "open", path)
    }
    if mustExist && Glibc.access(resolved, F_OK) != 0 { throw HostFailure(.last, "open", path) }
    return resolved
  }
}
