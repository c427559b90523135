import GRDB
import GRDBSQLite

extension UnsafeRawBufferPointer {
  /// Binds this UTF-8 text to a parameter. Uncopied text must stay valid until the statement has run and its values are
  /// cleared.
  func bindText(to statement: SQLiteStatement, at index: Int32, copying: Bool) -> Int32 {
    // A null address would mean NULL.
    let start = baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let start else { return sqlite3_bind_text64(statement, index, "", 0, .copying, utf8) }
    return sqlite3_bind_text64(
      statement, index, start, UInt64(count), copying ? .copying : nil, utf8)
  }

  private var utf8: UInt8 { UInt8(SQLITE_UTF8) }
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
