import CSQLite
import JSON
import Paging

extension HostFailure {
  /// A database error, such as `stats.db: no such table: x (in: SELECT * FROM x)`; the SQL is shown if it is the
  /// script's.
  init(_ error: any Error, database path: String, showsSQL: Bool) {
    switch error {
    case let failure as HostFailure:
      self = failure
      message = "\(path): \(failure.message)"
    case let error as SystemError: self.init(.io, "\(path): \(error.reason)")
    case let error as DatabaseError:
      self.init(.database, "\(path): \(error.explanation)\(showsSQL ? error.sql?.asEvidence ?? "" : "")")
      isTransient = error.code == SQLITE_BUSY
    default: self.init(.database, "\(path): \(error)")
    }
  }
}

extension HostFailure {
  /// A text of a database that is no UTF-8, with its place among the rows of a statement.
  init(_ fault: RowsWriter.NoText, row: Int, column: String, _ way: String) {
    let shown = fault.bytes.map { [$0].hexadecimal }.joined(separator: " ")
    self.init(
      .database,
      "row \(row.grouped), column \(column.escapingControls): bytes that are no UTF-8 (\(shown)): \(way)")
  }
}

extension DatabaseError {
  /// SQLite's message, replaced where it does not say what to do.
  var explanation: String {
    switch code {
    case SQLITE_NOTADB: "it is a file, but not an SQLite database"
    case SQLITE_BUSY: "\(message): another process holds it, and has not let go of it in time"
    case SQLITE_NOMEM: "SQLite has used up the memory that it may have (--max-memory raises it)"
    case SQLITE_TOOBIG:
      "\(message): a value may have as many bytes as an answer (--max-body raises that), and a statement 1,000,000"
    default: message
    }
  }
}

extension String {
  /// SQL at the end of a message, shortened if long.
  var asEvidence: String {
    let line = split(whereSeparator: \.isWhitespace).joined(separator: " ").escapingControls
    return " (in: \(line.count > 200 ? line.prefix(200) + "…" : line))"
  }
}
