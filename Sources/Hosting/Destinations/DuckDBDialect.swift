import Items

/// DuckDB. Its tables have no primary keys, whose indexes would cost more memory than the rest; a row is found by its id
/// all the same.
struct DuckDBDialect: Dialect {
  let name = "DuckDB"
  let mostColumns = 2000
  let longestName = 1000
  let ignoresCase = true
  let keepsNull = true
  let refusesTwins = false
  let takesStreams = false
  let begin = "BEGIN"
  let temporary = "temp"
  let lock = ""
  // One more thread would compress what another copies, and hold as much again.
  let settings = ["SET TimeZone = 'UTC'", "SET threads = 1"]

  func declaration(of type: ColumnType) -> String {
    switch type {
    case .boolean: "BOOLEAN"
    case .integer: "BIGINT"
    case .real: "DOUBLE"
    case .decimal(let precision, let scale): "DECIMAL(\(precision),\(scale))"
    case .date: "DATE"
    case .timestamp: "TIMESTAMP WITH TIME ZONE"
    case .json: "JSON"
    case .text: "VARCHAR"
    case .bytes: "BLOB"
    case .other(let name): name
    }
  }

  func type(ofDeclared name: String) -> ColumnType {
    switch name {
    case "BOOLEAN": return .boolean
    case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
      "UBIGINT", "UHUGEINT":
      return .integer
    case "DOUBLE", "FLOAT": return .real
    case "DATE": return .date
    case "JSON": return .json
    case "VARCHAR": return .text
    case "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_NS": return .timestamp(digits: 6)
    case "TIMESTAMP_MS": return .timestamp(digits: 3)
    case "TIMESTAMP_S": return .timestamp(digits: 0)
    default: break
    }
    guard let (precision, scale) = name.precisionAndScale(of: "DECIMAL") else { return .other(name) }
    return .decimal(precision: precision, scale: scale)
  }

  func doubt(of key: String, in table: String, schema: String) -> String {
    "SELECT 1 FROM \(self.table(table, in: schema)) GROUP BY \(key.asIdentifier) HAVING count(*) > 1 OR \(key.asIdentifier) IS NULL LIMIT 1"
  }

  func way(toFindBy key: String, in table: String, schema: String) -> String {
    "it has rows with the same \(key), or with none, so that rows can't be merged by it"
  }

  func folds(_ key: String, in table: String, schema: String) -> String? {
    let none = "SELECT \(key.asIdentifier) AS id FROM \(self.table(table, in: schema)) WHERE false"
    return "SELECT 1 FROM (\(none) UNION ALL SELECT 'a') WHERE id = 'A' OR id = 'á'"
  }

  func kind(of table: String, schema: String) -> String? {
    """
    SELECT 'view' FROM duckdb_views() WHERE database_name = current_database() AND schema_name = \(schema.asLiteral) \
    AND lower(view_name) = lower(\(table.asLiteral))
    """
  }

  func rules(of table: String, schema: String) -> String? {
    let names = ["c.column_name", "'\"' || c.column_name || '\"'"]
    let generated = names.flatMap { name in
      ["(", ", "].map { "contains(t.sql, '\($0)' || \(name) || ' ' || c.data_type || ' GENERATED ALWAYS')" }
    }
    return """
      SELECT c.column_name, CAST(NOT c.is_nullable AS INTEGER), CAST(c.column_default IS NOT NULL AS INTEGER), \
      CASE WHEN \(generated.joined(separator: " OR ")) THEN 'GENERATED ALWAYS AS' ELSE '' END \
      FROM duckdb_columns() AS c JOIN duckdb_tables() AS t USING (database_name, schema_name, table_name) \
      WHERE database_name = current_database() AND schema_name = \(schema.asLiteral) \
      AND lower(table_name) = lower(\(table.asLiteral)) AND (NOT c.is_nullable OR c.column_default IS NOT NULL)
      """
  }

  func isDeclared(_ declared: String, as type: ColumnType) -> Bool { declared == declaration(of: type) }

  func columns(of table: String, schema: String) -> String {
    """
    SELECT column_name, data_type FROM duckdb_columns() WHERE database_name = current_database() \
    AND schema_name = \(schema.asLiteral) AND lower(table_name) = lower(\(table.asLiteral)) ORDER BY column_index
    """
  }

  /// DuckDB keeps the expression in its log, which it reads before it has more than it begins with: no casts that know of time zones,
  /// and no functions that an extension brings.
  func widening(_ column: String, of table: String, from old: ColumnType, to new: ColumnType) -> [String] {
    let value =
      switch (old, new) {
      case (.timestamp, .timestamp): column
      case (.timestamp(let digits), _): "strftime(CAST(\(column) AS TIMESTAMP), '\(pattern(digits))')"
      case (.real, .text): spelt(column)
      default: "CAST(\(column) AS \(declaration(of: new)))"
      }
    return [
      "ALTER TABLE \(table) ALTER COLUMN \(column) SET DATA TYPE \(declaration(of: new)) USING \(value)"
    ]
  }

  /// As `Double.columnText` has it.
  private func spelt(_ column: String) -> String {
    let (most, integer) = (1 << 54, "TRY_CAST(\(column) AS BIGINT)")
    return """
      CASE WHEN \(column) > -\(most) AND \(column) < \(most) AND \(column) = CAST(\(integer) AS DOUBLE) \
      THEN CAST(\(integer) AS VARCHAR) ELSE CAST(\(column) AS VARCHAR) END
      """
  }

  private func pattern(_ digits: Int) -> String {
    "%Y-%m-%dT%H:%M:%S\(digits == 3 ? ".%g" : digits == 6 ? ".%f" : "")Z"
  }

  func value(_ column: String, as type: ColumnType, declared: String?) -> String {
    switch type {
    case .real where declared == "FLOAT": "CAST(\(column) AS FLOAT)"
    case .decimal, .other: "CAST(\(column) AS \(declared ?? declaration(of: type)))"
    case .timestamp where declared.map { $0 != declaration(of: type) } ?? false:
      "CAST(\(column) AT TIME ZONE 'UTC' AS \(declared ?? ""))"
    case .boolean, .integer, .real, .date, .timestamp, .json, .text, .bytes: column
    }
  }

  func literal(_ bytes: Bytes) -> String { "'\(bytes.digits(each: "\\x"))'::BLOB" }

  func merge(_ merge: Merge) -> [String] {
    let insert =
      "INSERT INTO \(merge.table) (\(merge.names)) SELECT \(merge.values) FROM \(merge.batch) AS _lookahead_new"
    if merge.isNew { return [insert] }
    let updates = merge.columns.filter { $0.name != merge.key }.map { "\($0.name) = \($0.value)" }
    let isThere = "_lookahead_old.\(merge.key) = \(merge.keyValue)"
    let update =
      "UPDATE \(merge.table) AS _lookahead_old SET \(updates.joined(separator: ", ")) FROM \(merge.batch) AS _lookahead_new WHERE \(isThere)"
    return (updates.isEmpty ? [] : [update]) + [
      "\(insert) WHERE NOT EXISTS (\(merge.match))"
    ]
  }
}
