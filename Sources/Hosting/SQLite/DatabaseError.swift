import CSQLite

/// What SQLite says against a statement or a file.
struct DatabaseError: Error {
  /// SQLite's code, such as `SQLITE_BUSY`, without what it adds to some.
  let code: Int32
  /// What happened.
  let message: String
  /// What was to be run, if anything.
  let sql: String?

  /// An error with the message that SQLite has for such a code, or another one.
  init(_ code: Int32 = SQLITE_ERROR, message: String? = nil, sql: String? = nil) {
    self.code = code & 0xff
    self.message = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
    self.sql = sql
  }

  /// The error of a connection's last call.
  init(_ code: Int32, of connection: OpaquePointer?, sql: String? = nil) {
    self.init(code, message: sqlite3_errmsg(connection).map { String(cString: $0) }, sql: sql)
  }
}
