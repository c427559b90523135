import CSQLite
import Items
import Paging

extension UnsafeRawBufferPointer {
  /// Binds this UTF-8 text to a parameter. Uncopied text must stay valid until the statement has run and its values are
  /// cleared.
  func bindText(to statement: OpaquePointer, at index: Int32, copying: Bool) -> Int32 {
    // A null address would mean NULL.
    let start = baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let start else { return sqlite3_bind_text64(statement, index, "", 0, .copying, utf8) }
    return sqlite3_bind_text64(
      statement, index, start, UInt64(count), copying ? .copying : nil, utf8)
  }

  private var utf8: UInt8 { UInt8(SQLITE_UTF8) }
}

extension SQLValue {
  /// Binds this value to a parameter; SQLite copies it.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .boolean(let value): return sqlite3_bind_int64(statement, index, value ? 1 : 0)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(var text):
      return text.withUTF8 {
        UnsafeRawBufferPointer($0).bindText(to: statement, at: index, copying: true)
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), .copying)
      }
    }
  }
}

extension Optional where Wrapped == sqlite3_destructor_type {
  /// Tells SQLite to copy the value immediately.
  static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The linked SQLite.
public enum SQLiteLibrary {
  /// Such as `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }
}
