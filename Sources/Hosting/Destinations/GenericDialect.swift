import Items

/// A database of which nothing is known but its driver: SQL that all have, with names in double quotes.
///
/// Moments and days stay texts, and so do decimals and JSON: of types, only those are used that mean the same everywhere. Tables have
/// no primary keys; a row is found by its id all the same.
struct GenericDialect: Dialect {
  let name: String
  let mostColumns = 1000
  let longestName = 60
  let ignoresCase = false
  let keepsNull = true
  let refusesTwins = false
  /// Drivers find columns by their names or by their places.
  let takesRows = false
  let takesStreams = false
  let hasBytes = false
  let recognizesTimes = false
  let writesReals = false
  let begin = ""
  /// Without one the connection's own tables are found by their names.
  let temporary = ""
  let lock = ""
  let settings: [String] = []

  func declaration(of type: ColumnType) -> String {
    switch type {
    case .boolean: "BOOLEAN"
    case .integer: "BIGINT"
    case .real: "DOUBLE PRECISION"
    case .date: "DATE"
    case .timestamp: "TIMESTAMP WITH TIME ZONE"
    case .decimal, .json, .text, .bytes: "TEXT"
    case .other(let name): name
    }
  }

  /// Drivers tell types as Arrow has them, which are not those of the database.
  func isDeclared(_ declared: String, as type: ColumnType) -> Bool { true }

  func columns(of table: String, schema: String) -> String { "" }

  /// By the format of Arrow.
  func type(ofDeclared name: String) -> ColumnType {
    switch name {
    case "b": .boolean
    case "c", "C", "s", "S", "i", "I", "l", "L": .integer
    case "e", "f", "g": .real
    case "tdD", "tdm": .date
    default: name.hasPrefix("ts") ? .timestamp(digits: 6) : .text
    }
  }

  func doubt(of key: String, in table: String, schema: String) -> String {
    let key = key.asIdentifier
    return
      "SELECT \(key) FROM \(self.table(table, in: schema)) GROUP BY \(key) HAVING count(*) > 1 OR \(key) IS NULL"
  }

  func way(toFindBy key: String, in table: String, schema: String) -> String {
    "it has rows with the same \(key), or with none, so that rows can't be merged by it"
  }

  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String? { nil }

  /// The new column stands behind the others.
  func widening(_ column: String, of table: String, from old: ColumnType, to new: ColumnType) -> [String] {
    let other = "_lookahead_wider".asIdentifier
    let type = declaration(of: new)
    let value =
      switch (old, new) {
      case (.boolean, .text): "CASE WHEN \(column) THEN 'true' WHEN NOT \(column) THEN 'false' END"
      default: "CAST(\(column) AS \(type))"
      }
    return [
      "ALTER TABLE \(table) ADD COLUMN \(other) \(type)", "UPDATE \(table) SET \(other) = \(value)",
      "ALTER TABLE \(table) DROP COLUMN \(column)",
      "ALTER TABLE \(table) RENAME COLUMN \(other) TO \(column)",
    ]
  }

  func value(_ column: String, as type: ColumnType, declared: String?) -> String { column }

  /// As a text, since each database writes bytes in its own way.
  func literal(_ bytes: Bytes) -> String { "'\(bytes.digits())'" }

  func bytes(_ stored: UnsafeRawBufferPointer) -> Bytes {
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: stored.count - 1, by: 2) {
      let digits = String(decoding: stored[place..<place + 2], as: UTF8.self)
      bytes.append(UInt8(digits, radix: 16) ?? 0)
    }
    return bytes.withUnsafeBytes { Bytes(copying: $0) }
  }

  func merge(_ merge: Merge) -> [String] {
    let insert =
      "INSERT INTO \(merge.table) (\(merge.names)) SELECT \(merge.values) FROM \(merge.batch) AS _lookahead_new"
    if merge.isNew { return [insert] }
    let isThere = "\(merge.key) IN (SELECT \(merge.key) FROM \(merge.batch))"
    if merge.isWhole { return ["DELETE FROM \(merge.table) WHERE \(isThere)", insert] }
    // What the rows say nothing of stays.
    let updates = merge.columns.filter { $0.name != merge.key }.map { column in
      "\(column.name) = (SELECT \(column.value) FROM \(merge.batch) AS _lookahead_new WHERE _lookahead_new.\(merge.key) = \(merge.table).\(merge.key))"
    }
    let update = "UPDATE \(merge.table) SET \(updates.joined(separator: ", ")) WHERE \(isThere)"
    return (updates.isEmpty ? [] : [update]) + [
      "\(insert) WHERE _lookahead_new.\(merge.key) NOT IN (SELECT \(merge.key) FROM \(merge.table))"
    ]
  }
}
