import Paging

/// What the database says of a table beside its columns.
extension DestinationStore {
  /// The columns of a table, with the database's own names of their types.
  func columns(of table: String) throws -> [(name: String, type: String)] {
    // Not while rows are copied over its connection.
    _ = try connection
    return try link.columns(of: table)
  }

  /// The type of a new column whose first value is of that type.
  func type(of wanted: ColumnType) -> ColumnType {
    if !dialect.recognizesTimes, wanted == .json { return .text }
    return recognizesTimes ? wanted : wanted.withoutTimes
  }

  /// Notes that the open transaction has made a table.
  func hasMade(table: String) { link.hasMade(table: table) }

  /// Whether there is a table.
  func has(table: String) throws -> Bool { try !columns(of: table).isEmpty }

  /// A table with all of its rows, for SQL.
  func whole(_ table: String) throws -> String {
    _ = try connection
    try link.restore(table)
    return dialect.table(table, in: schema)
  }

  /// Whether a table has rows.
  func hasRows(_ table: String) throws -> Bool {
    if link.keepsRows(of: table) { return true }
    return try connection.hasRow("SELECT 1 FROM \(dialect.table(table, in: schema)) LIMIT 1")
  }

  /// How a table is, by what is kept of it; nil if there is none. One that is not ours is refused, or adopted: its rows are found
  /// by the first of `keys` that it has.
  func schema(of table: String, keys: [String]) throws -> TableSchema? {
    let declared = try columns(of: table)
    guard !declared.isEmpty else { return nil }
    guard let text = try kept(of: table) else {
      if let other = try namesake(of: table) { throw HostFailure.sameTable(other, table, dialect.name) }
      if let kind = try kind(of: table) {
        throw HostFailure(
          .invalid,
          "its \(table.escapingControls) is a \(kind), and rows are written into tables only: give the source another name "
            + "(name = \"…\"), as that of the table behind it, or write into another schema or database")
      }
      guard adopts else {
        throw HostFailure(
          .invalid,
          "it has a table \(table.escapingControls) already, which lookahead did not make: --adopt writes into it, or give the "
            + "source another name (name = \"…\"), or write into another schema or database")
      }
      return try adopt(table, declared, keys)
    }
    guard var schema = TableSchema(text: text, declared: declared, dialect) else {
      throw HostFailure(
        .invalid,
        "its table \(table.escapingControls) is not as lookahead left it (the column of the ids is gone, or what is kept of it "
          + "in \(StateMirror.tables) is damaged): drop or rename it")
    }
    schema.rules = try rules(of: table)
    return schema
  }

  /// The stream whose table this one is for a database that ignores the case of names.
  private func namesake(of table: String) throws -> String? {
    let there = dialect.table(StateMirror.tables, in: schema)
    guard dialect.ignoresCase, try has(table: StateMirror.tables) else { return nil }
    let (name, wanted) = ("name".asIdentifier, table.asLiteral)
    return try connection.first("SELECT \(name) FROM \(there) WHERE lower(\(name)) = lower(\(wanted))") {
      $0.text(0)
    } ?? nil
  }

  /// What something is that has columns and is no table; nil for a table.
  private func kind(of table: String) throws -> String? {
    guard let query = dialect.kind(of: table, schema: schema) else { return nil }
    return try connection.first(query) { $0.text(0) } ?? nil
  }

  /// What the database asks of columns.
  func rules(of table: String) throws -> [String: TableSchema.Rule] {
    var rules: [String: TableSchema.Rule] = [:]
    guard let query = dialect.rules(of: table, schema: schema) else { return rules }
    try connection.forEachRow(query) { row in
      let filling = row.text(3) ?? ""
      rules[row.text(0) ?? ""] = TableSchema.Rule(
        isNeverNull: row.integer(1) == 1, hasDefault: row.integer(2) == 1,
        filling: filling.isEmpty ? nil : filling)
    }
    return rules
  }

  /// Whether something may keep rows out of a table in silence.
  func isWatched(_ table: String) throws -> Bool {
    guard let query = dialect.watchers(of: table, schema: schema) else { return false }
    return try connection.hasRow(query)
  }

  /// Why columns can't be as the command line wants them: nil if they can.
  func refusal(of schema: TableSchema, of table: String) -> HostFailure? {
    guard keepsTimesAsTexts else { return nil }
    let declared = types(of: table)
    let times = schema.columns.filter { column in
      column.choice == nil && column.type != column.type.withoutTimes
        && column.member.map { declared[$0] == nil } ?? true
    }
    guard let first = times.first else { return nil }
    let names = times.map { "\($0.name.escapingControls) (\($0.type.title))" }.joined(separator: ", ")
    return HostFailure(
      .invalid,
      "--types text: its table \(table.escapingControls) has columns with days or times already, as an earlier run made them: \(names); "
        + "types = { [\"\(first.member?.escapingControls ?? first.name.escapingControls)\"] = \"text\" } of the source makes texts of them, or "
        + "leave --types text out")
  }
}
