import CSQLite

/// Rows that a part of a source has taken over from another one by their ids, and rows that were to be removed and were not there, or
/// are another part's by now.
final class MovedRows {
  /// How many there are of a table.
  struct Counts {
    var moved = 0
    var absent = 0
  }

  private(set) var counts: [String: Counts] = [:]
  /// Those of the open transaction.
  private var waiting: [String: Counts] = [:]
  /// Those that the statement has counted which is under way.
  private var underWay = 0

  /// Notes rows that count once the transaction does.
  func note(_ count: Int, in table: String) { waiting[table, default: Counts()].moved += count }

  /// Notes rows that were not there to be removed.
  func note(absent count: Int, in table: String) { waiting[table, default: Counts()].absent += count }

  /// The transaction counts.
  func commit() {
    for (table, new) in waiting {
      counts[table, default: Counts()].moved += new.moved
      counts[table, default: Counts()].absent += new.absent
    }
    forget()
  }

  /// The transaction is taken back.
  func forget() { waiting = [:] }

  /// Counts what a statement of SQLite moves in a table while it runs.
  func counting<Result>(in table: String, _ body: () throws -> Result) rethrows -> Result {
    underWay = 0
    let result = try body()
    if underWay > 0 { note(underWay, in: table) }
    return result
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
          let isNobodys = sqlite3_value_type(arguments[0]) == SQLITE_NULL
          if old != new, !isNobodys {
            Unmanaged<MovedRows>.fromOpaque(moved).takeUnretainedValue().underWay += 1
          }
          sqlite3_result_int64(context, new)
        }, nil, nil, nil)
    }
  }

  private static let function = "_lookahead_part"
}
