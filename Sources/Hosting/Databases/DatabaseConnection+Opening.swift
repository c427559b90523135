import CSQLite
import GRDB
import GRDBSQLite
import Paging

extension DatabaseConnection {
  /// Opens the database and prepares the connection; with the state of a file that must not change while it is read.
  ///
  /// Where nothing may be written, a database in WAL mode has no place for the index that its readers and writers share. As long
  /// as another program has it open, the index is there, and is read. When none has, all there is stands in the file itself, and
  /// is read as long as that stays so.
  static func open(
    _ place: DatabasePlace?, _ use: DatabaseUse, _ prepare: (OpaquePointer) throws -> Void
  ) throws -> (OpaquePointer, DatabasePlace.Stillness?) {
    guard let place else {
      var connection: OpaquePointer?
      let code = csqlite_open_in_memory(&connection)
      guard code == SQLITE_OK, let connection else {
        defer { csqlite_close(connection, -1) }
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
      return (try prepared(connection, of: nil, prepare), nil)
    }
    switch use {
    case .write: return (try prepared(try place.open(.CSQLITE_WRITING), of: place, prepare), nil)
    case .read: return (try prepared(try place.open(.CSQLITE_READING), of: place, prepare), nil)
    case .readOnly:
      do {
        return (try prepared(try place.open(.CSQLITE_READING_ONLY), of: place, prepare), nil)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
        guard let stillness = try place.stillness() else { throw unsettled }
        let connection = try prepared(try place.open(.CSQLITE_READING_STILL), of: place, prepare)
        if try place.stillness() == stillness { return (connection, stillness) }
        close(connection, of: place)
        throw unsettled
      }
    }
  }

  /// Closes a connection that was opened here; its statements are gone.
  static func close(_ connection: OpaquePointer, of place: DatabasePlace?) {
    if let place { place.close(connection) } else { csqlite_close(connection, -1) }
  }

  /// Sets up a new connection, and looks into the file: one that is no database is refused here, before anything is asked of it.
  static func prepare(
    _ connection: OpaquePointer, _ limits: DatabaseLimits, _ rules: DatabaseRules
  ) throws {
    csqlite_harden(connection)
    sqlite3_busy_timeout(connection, 5000)
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

extension DatabaseError {
  /// What the connection says of its last call.
  init(_ code: CInt, of connection: OpaquePointer?, sql: String? = nil) {
    let message = sqlite3_errmsg(connection).map { String(cString: $0) }
    self.init(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
  }
}
