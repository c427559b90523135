import GRDB
import Paging

extension HostFailure {
  /// What went wrong in the database, as `stats.db: no such table: x (in: SELECT * FROM x)`; the SQL is shown where it is
  /// the script's.
  init(_ error: any Error, database path: String, showsSQL: Bool) {
    switch error {
    case let failure as HostFailure:
      self = failure
      message = "\(path): \(failure.message)"
    case let error as DatabaseError:
      self.init(.database, "\(path): \(error.explanation)\(showsSQL ? error.sql?.asEvidence ?? "" : "")")
      isTransient = error.resultCode == .SQLITE_BUSY
    default: self.init(.database, "\(path): \(error)")
    }
  }
}

extension DatabaseError {
  /// SQLite's message, in words that say what to do where it does not.
  var explanation: String {
    let text = message ?? "error \(resultCode.rawValue)"
    if text.hasPrefix("too many attached databases") {
      return "a connection is to one file; open the other file by itself"
    }
    return switch resultCode {
    case .SQLITE_NOTADB: "it is a file, but not an SQLite database"
    case .SQLITE_BUSY: "\(text): another program is writing to it"
    default: text
    }
  }
}

extension String {
  /// SQL as the end of a message, cut where it gets long.
  var asEvidence: String {
    let line = split(whereSeparator: \.isWhitespace).joined(separator: " ").escapingControls
    return " (in: \(line.count > 200 ? line.prefix(200) + "…" : line))"
  }
}
