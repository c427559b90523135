import CSQLite
import Items
import Paging

/// A compiled statement of a `Database`.
final class Statement {
  /// SQLite's own, for values that are bound and read without a copy.
  let raw: OpaquePointer

  /// Adopts a compiled statement.
  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { sqlite3_finalize(raw) }

  /// Runs it with these values to its end, and makes it ready for the next time.
  func execute(arguments: [(any SQLArgument)?] = []) throws {
    try bind(arguments)
    defer { reset() }
    while try hasRow() {}
  }

  /// Runs it with the values that are bound, which stay; it gives no rows.
  func run() throws {
    defer { sqlite3_reset(raw) }
    while try hasRow() {}
  }

  /// Moves to the next row; false at the end.
  func hasRow() throws -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code, of: sqlite3_db_handle(raw), sql: sql)
    }
  }

  /// Gives its parameters their values, one for each.
  func bind(_ arguments: [(any SQLArgument)?]) throws {
    let count = Int(sqlite3_bind_parameter_count(raw))
    precondition(arguments.count == count, "\(arguments.count) values for \(count) parameters: \(sql)")
    for (index, argument) in arguments.enumerated() {
      let value = argument?.sqlValue ?? .null
      let code = value.bind(to: raw, at: Int32(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else { throw DatabaseError(code, sql: sql) }
    }
  }

  /// Makes it ready for the next time, without values.
  func reset() {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
  }

  private var sql: String { sqlite3_sql(raw).map { String(cString: $0) } ?? "" }
}

/// What a parameter of a statement may be given.
protocol SQLArgument {
  var sqlValue: SQLValue { get }
}

extension Int: SQLArgument {
  var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLArgument {
  var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLArgument {
  var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLArgument {
  var sqlValue: SQLValue { .text(self) }
}
