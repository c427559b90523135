import Paging

/// Gives a column that is there another type, with its values: a text of a number is the same whatever the column was before.
struct ColumnWidening {
  /// The table, quoted.
  private let table: String
  private let store: DestinationStore

  init(_ table: String, _ store: DestinationStore) { (self.table, self.store) = (table, store) }

  /// Widens a column; answers the type that it has then, which is text where doubles do not hold its integers.
  func widen(_ column: String, from old: ColumnType, to wanted: ColumnType) throws -> ColumnType {
    var new = wanted
    if case (.integer, .real) = (old, wanted), try !isSmall(column) { new = .text }
    let name = column.asIdentifier
    if case (.real, .text) = (old, new), !store.dialect.writesReals {
      try spell(name)
    } else {
      for sql in store.dialect.widening(name, of: table, from: old, to: new) { try store.execute(sql) }
      if case (.real, .text) = (old, new) { try respell(name) }
    }
    return new
  }

  /// Whether a column has no integer that a double does not hold.
  func isSmall(_ column: String) throws -> Bool {
    let most = 1 << 53
    return try !store.connection.hasRow(
      "SELECT 1 FROM \(table) WHERE \(column.asIdentifier) NOT BETWEEN -\(most) AND \(most) LIMIT 1")
  }

  /// Gives texts that the database has made of doubles the digits that we write, where there is a choice: of two as near to a large
  /// double, as 1e+23 and 9.999999999999999e+22, it may take the longer one.
  private func respell(_ column: String) throws {
    let (written, texts) = (ColumnBuilder("value", .text), ColumnBuilder("spelt", .text))
    try store.connection.forEachRow("SELECT DISTINCT \(column) FROM \(table) WHERE \(column) LIKE '%e+%'") {
      guard let text = $0.text(0), let spelt = Double(text)?.columnText, spelt != text else { return }
      written.append(text)
      texts.append(spelt)
    }
    guard written.count > 0 else { return }
    let count = written.count
    try store.withBatch(BuiltRows([written, texts], count: count)) { batch in
      let value = "_lookahead_new.\("value".asIdentifier)"
      let text =
        "SELECT \("spelt".asIdentifier) FROM \(batch) AS _lookahead_new WHERE \(value) = \(table).\(column)"
      let isOther = "\(column) IN (SELECT \(value) FROM \(batch) AS _lookahead_new)"
      try store.execute("UPDATE \(table) SET \(column) = (\(text)) WHERE \(isOther)")
    }
  }

  /// Makes texts of doubles where the database itself would cut their digits.
  private func spell(_ column: String) throws {
    let (values, texts) = (ColumnBuilder("value", .real), ColumnBuilder("spelt", .text))
    try store.connection.forEachRow("SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL") {
      guard let real = $0.real(0) else { return }
      values.append(word: real)
      texts.append(real.columnText)
    }
    let other = "_lookahead_wider".asIdentifier
    try store.execute("ALTER TABLE \(table) ADD COLUMN \(other) \(store.dialect.declaration(of: .text))")
    if values.count > 0 {
      let count = values.count
      try store.withBatch(BuiltRows([values, texts], count: count)) { batch in
        let text =
          "SELECT \("spelt".asIdentifier) FROM \(batch) AS _lookahead_new WHERE _lookahead_new.\("value".asIdentifier) = \(table).\(column)"
        try store.execute("UPDATE \(table) SET \(other) = (\(text))")
      }
    }
    try store.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
    try store.execute("ALTER TABLE \(table) RENAME COLUMN \(other) TO \(column)")
  }
}

extension Double {
  /// As a column of texts has it: an integer as one, and else the fewest digits that tell it from others, with an exponent
  /// where it is very small or large.
  var columnText: String {
    if magnitude < 0x1p54, self == rounded() { return "\(Int64(self))" }
    return "\(self)"
  }
}
