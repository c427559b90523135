import Paging

/// What statements may do, and how a driver runs them best.
struct DriverRules {
  private enum Dialect { case postgresql, file, other }

  private let dialect: Dialect
  private let isReadOnly: Bool
  private let shown: String

  init(_ address: ScriptAddress, isReadOnly: Bool) {
    dialect =
      switch address {
      case .postgresql: .postgresql
      case .duckDB, .parquet: .file
      case .driver: .other
      }
    self.isReadOnly = isReadOnly
    shown = address.shown
  }

  /// Run before each statement: with it the transaction that PostgreSQL begins for a statement is read-only, whatever statements
  /// before have set. None can end that transaction and begin another: statements that do so are refused, and there is one at a time.
  var before: [String] {
    isReadOnly && dialect == .postgresql ? ["SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"] : []
  }

  /// Whether arrays of several dimensions come as flat ones.
  var losesShapes: Bool { dialect == .postgresql }

  /// The statements of a text, each to be run and counted by itself: a driver counts the rows of the last one alone. How databases
  /// that are not known read SQL is not known.
  func parts(of sql: String) -> [String] { dialect == .other ? [sql] : SQLText(sql).statements }

  /// Whether several statements that come as one are a transaction: none of them is about transactions.
  func joins(_ parts: [String]) -> Bool {
    dialect == .postgresql && !isReadOnly && parts.count > 1
      && !parts.contains { DriverRules.ofTransactions.contains(SQLText($0).firstWord) }
  }

  /// A text as it is sent: PostgreSQL's driver writes a query into another, where no semicolon may be.
  func sent(_ sql: String) -> String {
    let parts = dialect == .postgresql ? parts(of: sql) : []
    return parts.count == 1 ? parts[0] : sql
  }

  /// Refuses what a database that is only read must not be asked. DuckDB sees to that itself; of other drivers it is not known.
  func check(_ sql: String) throws(HostFailure) {
    guard isReadOnly, dialect != .file, !DriverRules.reading.contains(SQLText(sql).firstWord) else { return }
    throw HostFailure(
      .database,
      "it was opened to be read, and may be asked SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN (readOnly = false in database.open allows more)"
        + sql.asEvidence)
  }

  /// Refuses what has no statement where rows are asked for, and several, of which DuckDB would give those of the last. PostgreSQL
  /// takes only one; how other databases read SQL is not known.
  func checkQuery(_ sql: String) throws(HostFailure) {
    let count = dialect == .other ? 1 : SQLText(sql).statements.count
    guard count > 0 else { throw HostFailure(.invalid, "there is no statement\(sql.asEvidence)") }
    guard count == 1 || dialect != .file else {
      throw HostFailure(.invalid, "a query is one statement, not several\(sql.asEvidence)")
    }
  }

  /// How a statement is run.
  func options(of sql: String, hasValues: Bool) -> [(name: String, value: String)] {
    guard dialect == .postgresql else { return [] }
    // Rows come as COPY has them, which is fastest; not everything that has rows can be copied.
    let isCopied = !hasValues && SQLText(sql).isQuery
    return [
      ("adbc.postgresql.use_copy", isCopied ? "true" : "false"),
      ("adbc.postgresql.batch_size_hint_bytes", "2097152"),
    ]
  }

  private static let reading: Set = ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN"]

  private static let ofTransactions: Set = [
    "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE",
  ]
}
