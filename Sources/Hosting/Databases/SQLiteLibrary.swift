import GRDBSQLite

/// The SQLite that this program is linked with.
public enum SQLiteLibrary {
  /// As `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }
}
