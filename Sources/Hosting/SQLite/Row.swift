import CSQLite
import Items
import Paging

/// A row of an answer, as it was read.
struct Row {
  private let names: [String]
  private let values: [SQLValue]

  /// Copies the row at which a statement is.
  init(_ statement: Statement) {
    let columns = 0..<sqlite3_column_count(statement.raw)
    names = columns.map { sqlite3_column_name(statement.raw, $0).map { String(cString: $0) } ?? "" }
    values = columns.map { SQLValue(of: statement.raw, at: $0) }
  }

  /// The value of a column; NULL where there is none of that name.
  subscript(name: String) -> SQLValue { names.firstIndex(of: name).map { values[$0] } ?? .null }

  /// The value in the first column as text; nil for NULL.
  var text: String? {
    switch values.first ?? .null {
    case .null: nil
    case .boolean(let value): "\(value)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): bytes.string
    }
  }

  /// The number in the first column, if there is one; fails if it is a value of another kind.
  func integer() throws -> Int? {
    switch values.first ?? .null {
    case .null: return nil
    case .integer(let number): return Int(number)
    default: throw DatabaseError(SQLITE_MISMATCH)
    }
  }
}

extension SQLValue {
  /// The text, if it is one.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The whole number, if it is one.
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The value in a column of the row at which a statement is.
  init(of statement: OpaquePointer, at column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .blob(Bytes(copying: UnsafeRawBufferPointer(start: start, count: count)))
    default: self = .null
    }
  }
}
