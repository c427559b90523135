import GRDB
import GRDBSQLite
import Items
import JSON
import Paging

/// The table of a stream: it gets the columns the items need, and values keep their types.
///
/// Nested values are JSON text, booleans 0 and 1; integers beyond 64 bits are text, because SQLite would round them.
final class SinkTable {
  let name: String
  /// Whether it had rows before this run.
  let hadRows: Bool
  private let idField: String?
  private var schema: SinkSchema
  private var isPrepared = false
  private var upsert: Statement?
  private var removal: Statement?
  /// Whether the primary key came from a member of an item.
  private var hasKeyMember = false
  private var reader = JSONReader()
  private var scratch = ByteBuffer()

  init(_ name: String, idField: String?, in database: Database) throws {
    self.name = name
    self.idField = idField
    schema = try SinkSchema(table: name, idField: idField, in: database)
    let first = "SELECT 1 FROM \(name.asIdentifier) LIMIT 1"
    hadRows = try schema.exists && Row.fetchOne(database, sql: first) != nil
  }

  func write(_ items: [Item], in database: Database) throws {
    try prepare(for: items, in: database)
    for item in items { try replace(item, in: database) }
  }

  /// Writes inserted and changed items and deletes the rows of removed ones.
  func apply(_ operations: [ItemOperation], in database: Database) throws {
    try prepare(for: operations.compactMap(\.item), in: database)
    for operation in operations {
      switch operation {
      case .insert(let item, _), .update(let item, _): try replace(item, in: database)
      case .remove(let id, _): try remove(id, in: database)
      case .move: break
      }
    }
  }

  private func prepare(for items: [Item], in database: Database) throws {
    guard !items.isEmpty, !isPrepared else { return }
    try schema.prepare(for: items, idField: idField, in: database)
    isPrepared = true
  }

  private func replace(_ item: Item, in database: Database) throws {
    while let change = try write(item, in: database) {
      upsert = nil
      removal = nil
      try schema.apply(change, in: database)
    }
  }

  /// Deletes the row of an id. A key column that holds only ids of the other kind has none; SQLite would take `1` for
  /// `"1"` there.
  private func remove(_ id: ItemID, in database: Database) throws {
    guard schema.exists, schema.keyType.keeps(id) else { return }
    let statement = try removal ?? database.makeStatement(sql: schema.removal)
    removal = statement
    let raw = statement.sqliteStatement
    defer { sqlite3_clear_bindings(raw) }
    bind(id, to: raw, at: 1)
    try step(raw, in: database)
  }

  /// Writes the item, or returns what the table needs first.
  private func write(_ item: Item, in database: Database) throws -> SinkSchema.Change? {
    let statement = try upsert ?? database.makeStatement(sql: schema.upsert)
    upsert = statement
    let raw = statement.sqliteStatement
    return try item.bytes.withUnsafeBytes { bytes in
      defer { sqlite3_clear_bindings(raw) }
      if let change = try bind(bytes, of: item.id, to: raw) { return change }
      try step(raw, in: database)
      return nil
    }
  }

  private func step(_ raw: SQLiteStatement, in database: Database) throws {
    let code = sqlite3_step(raw)
    guard code == SQLITE_DONE else {
      let message = database.lastErrorMessage
      sqlite3_reset(raw)
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
    sqlite3_reset(raw)
  }

  private func bind(
    _ bytes: UnsafeRawBufferPointer, of id: ItemID, to raw: SQLiteStatement
  ) throws -> SinkSchema.Change? {
    if !schema.keyType.keeps(id) { return .loosen(column: schema.keyColumn) }
    var likely = 0
    var isIDBound = false
    for member in try ItemMembers(bytes, of: id, &reader) {
      guard let place = schema.members.place(of: member, likely: likely) else {
        return .addMember(member.name, SinkColumnType(of: member.value))
      }
      likely = place + 1
      if place == schema.idMember {
        guard member.value.isID(id) else {
          guard schema.primaryKey == SinkSchema.ownKey else { throw strayID(id) }
          return .keepKeyApart(copying: hasKeyMember)
        }
        isIDBound = true
        hasKeyMember = true
      } else if !schema.type(ofMember: place).keeps(member.value) {
        return .loosen(column: schema.columnOfMember[place])
      }
      bind(member.value, to: raw, at: Int32(truncatingIfNeeded: place + 1))
    }
    if !isIDBound { bind(id, to: raw, at: Int32(truncatingIfNeeded: schema.idParameter)) }
    return nil
  }

  private func bind(_ value: JSONValue, to raw: SQLiteStatement, at index: Int32) {
    switch value.kind {
    case .null: sqlite3_bind_null(raw, index)
    case .boolean(let flag): sqlite3_bind_int64(raw, index, flag ? 1 : 0)
    case .integer:
      if let number = value.integer {
        sqlite3_bind_int64(raw, index, number)
      } else {
        _ = value.bytes.bindText(to: raw, at: index, copying: false)
      }
    case .real: sqlite3_bind_double(raw, index, value.real ?? .nan)
    case .array, .object, .text(isEscaped: false):
      _ = value.bytes.bindText(to: raw, at: index, copying: false)
    case .text(isEscaped: true):
      scratch.removeAll()
      value.unescape(into: &scratch)
      _ = scratch.contents.bindText(to: raw, at: index, copying: true)
    }
  }

  private func bind(_ id: ItemID, to raw: SQLiteStatement, at index: Int32) {
    switch id {
    case .integer(let number): sqlite3_bind_int64(raw, index, number)
    case .text(var text):
      text.withUTF8 { _ = UnsafeRawBufferPointer($0).bindText(to: raw, at: index, copying: true) }
    }
  }

  private func strayID(_ id: ItemID) -> HostFailure {
    let (id, key) = (id.description.escapingControls, schema.primaryKey.escapingControls)
    return HostFailure(
      .invalid, "the item \(id) has another value in its member \(key), the table's primary key")
  }
}
