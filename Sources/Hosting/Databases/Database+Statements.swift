import GRDB
import GRDBSQLite

/// Statements that are stepped without GRDB.
extension Database {
  /// Moves to the next row; false at the end.
  func hasRow(_ statement: SQLiteStatement) throws -> Bool {
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
    return code == SQLITE_ROW
  }

  /// Runs a statement that gives no rows, and makes it ready for the next time.
  func run(_ statement: SQLiteStatement) throws {
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else {
      let failure = failure(code)
      sqlite3_reset(statement)
      throw failure
    }
    sqlite3_reset(statement)
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
  }
}
