import CSQLite

/// Rows that a part of a source has taken over from another one by their ids, by table.
final class MovedRows {
  private(set) var counts: [String: Int] = [:]
  /// Those of the open transaction.
  private var waiting: [String: Int] = [:]
  /// Those that the statement has counted which is under way.
  private var underWay = 0

  /// Notes rows that count once the transaction does.
  func note(_ count: Int, in table: String) { waiting[table, default: 0] += count }

  /// The transaction counts.
  func commit() {
    for (table, count) in waiting { counts[table, default: 0] += count }
    forget()
  }

  /// The transaction is taken back.
  func forget() { waiting = [:] }

  /// Counts what a statement of SQLite moves in a table while it runs.
  func counting(in table: String, _ body: () throws -> Void) rethrows {
    underWay = 0
    try body()
    if underWay > 0 { note(underWay, in: table) }
  }

  /// What a statement of SQLite has for the part that a row gets: the part itself, and a row of another one counts.
  static func part(_ old: String, _ new: String) -> String { "\(MovedRows.function)(\(old), \(new))" }

  /// Makes it known to a database, which must not outlive this.
  func install(in database: Database) {
    database.withConnection { connection in
      _ = sqlite3_create_function_v2(
        connection, MovedRows.function, 2, SQLITE_UTF8, Unmanaged.passUnretained(self).toOpaque(),
        { context, _, arguments in
          guard let arguments, let moved = sqlite3_user_data(context) else { return }
          let (old, new) = (sqlite3_value_int64(arguments[0]), sqlite3_value_int64(arguments[1]))
          if old != new { Unmanaged<MovedRows>.fromOpaque(moved).takeUnretainedValue().underWay += 1 }
          sqlite3_result_int64(context, new)
        }, nil, nil, nil)
    }
  }

  private static let function = "_lookahead_part"
}
