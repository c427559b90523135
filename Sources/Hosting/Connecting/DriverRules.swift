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

  /// Refuses what a database that is only read must not be asked. DuckDB sees to that itself; of other drivers it is not known.
  func check(_ sql: String) throws(HostFailure) {
    guard isReadOnly, dialect != .file else { return }
    let word = DriverRules.firstWord(of: sql)
    guard DriverRules.reading.contains(word) else {
      throw HostFailure(
        .database,
        "it was opened to be read, and may be asked SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN (readOnly = false in database.open allows more)"
          + sql.asEvidence)
    }
  }

  /// How a statement is run.
  func options(of sql: String, hasValues: Bool) -> [(name: String, value: String)] {
    guard dialect == .postgresql else { return [] }
    // Rows come as COPY has them, which is fastest; not everything that has rows can be copied.
    let isCopied =
      !hasValues && ["SELECT", "WITH", "VALUES", "TABLE"].contains(DriverRules.firstWord(of: sql))
    return [
      ("adbc.postgresql.use_copy", isCopied ? "true" : "false"),
      ("adbc.postgresql.batch_size_hint_bytes", "2097152"),
    ]
  }

  private static let reading: Set = ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN"]

  /// The first word in upper case, behind comments and brackets.
  static func firstWord(of sql: String) -> String {
    var rest = Substring(sql)
    while let first = rest.first {
      if first.isWhitespace || first == "(" {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = afterComment(rest)
      } else {
        return rest.prefix { $0.isLetter }.uppercased()
      }
    }
    return ""
  }

  /// Comments nest.
  private static func afterComment(_ text: Substring) -> Substring {
    var rest = text.dropFirst(2)
    var depth = 1
    while depth > 0, !rest.isEmpty {
      if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    }
    return rest
  }
}
