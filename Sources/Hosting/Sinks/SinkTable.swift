import CSQLite
import Items
import JSON
import Paging

/// The table of a stream: it gets the columns the items need, and values keep their types.
///
/// Nested values are JSON text, booleans 0 and 1; integers beyond 64 bits are text, because SQLite would round them.
final class SinkTable: StreamTable {
  let name: String
  private let database: Database
  private let idField: String?
  private let moved: MovedRows
  /// Looked at for each member of each item, by one thread and never while it changes.
  @exclusivity(unchecked) private var schema: SinkSchema
  private var isPrepared = false
  private var upsert: Statement?
  private var removal: Statement?
  private var renaming: Statement?
  /// The columns of our own in the upsert.
  private var extras: [String] = []
  /// Whether the primary key came from a member of an item.
  private var hasKeyMember = false
  @exclusivity(unchecked) private var reader = JSONReader()
  private var scratch = ByteBuffer()

  init(_ name: String, idField: String?, _ moved: MovedRows, in database: Database) throws {
    self.moved = moved
    self.name = name
    self.database = database
    self.idField = idField
    schema = try SinkSchema(table: name, idField: idField, in: database)
  }

  /// Whether it is missing, or was made here, or rows were written into it before.
  var isOurs: Bool { schema.isOurs }

  /// Whether there is any row.
  func hasRows() throws -> Bool {
    guard schema.exists else { return false }
    return try database.row(sql: "SELECT 1 FROM \(name.asIdentifier) LIMIT 1") != nil
  }

  func write(_ items: [Item], as row: SinkRow) throws {
    guard !items.isEmpty else { return }
    try prepare(for: items, as: row)
    try moved.counting(in: name) { for item in items { try replace(item, row) } }
  }

  /// Writes inserted and changed items and deletes the rows of removed ones.
  func apply(_ operations: [ItemOperation]) throws {
    try prepare(for: operations.compactMap(\.item), as: SinkRow())
    for operation in operations {
      switch operation {
      case .insert(let item, _), .update(let item, _): try replace(item, SinkRow())
      case .remove(let id, _): try remove(id)
      case .move: break
      }
    }
  }

  private func prepare(for items: [Item], as row: SinkRow) throws {
    guard !items.isEmpty else { return }
    if extras != row.extras.map(\.column) {
      extras = row.extras.map(\.column)
      upsert = nil
    }
    if !isPrepared {
      try schema.prepare(
        for: items, idField: row.isNumbered ? nil : idField, isNumbered: row.isNumbered, in: database)
      isPrepared = true
    }
    guard row.isNumbered, !schema.countsRows else { return }
    throw HostFailure(
      .invalid,
      "the table \(name.escapingControls) has one row for each \(schema.primaryKey.escapingControls), and these items are "
        + "only counted (they have no ids, or --write append keeps all): write them into a table of their own"
    )
  }

  private func replace(_ item: Item, _ row: SinkRow) throws {
    while let change = try write(item, row) {
      (upsert, removal, renaming) = (nil, nil, nil)
      try schema.apply(change, in: database)
    }
  }

  /// Deletes the row of an id, in whatever form the table has it: SQLite would take `01` for `1` in a column of integers.
  func remove(_ id: ItemID) throws {
    guard schema.exists else { return }
    for form in [id, id.twin].compactMap(\.self) where schema.keyForm.keeps(form) { try removeRow(of: form) }
  }

  private func removeRow(of id: ItemID) throws {
    let statement = try removal ?? database.makeStatement(sql: schema.removal)
    removal = statement
    let raw = statement.raw
    defer { sqlite3_clear_bindings(raw) }
    bind(id, to: raw, at: 1)
    try statement.run()
  }

  /// Has the row of an id the form that the id has now, where SQLite would keep both apart.
  private func unite(_ id: ItemID) throws {
    switch schema.keyForm {
    case .any:
      guard let twin = id.twin else { return }
      let statement = try renaming ?? database.makeStatement(sql: schema.renaming)
      renaming = statement
      defer { sqlite3_clear_bindings(statement.raw) }
      bind(id, to: statement.raw, at: 1)
      bind(twin, to: statement.raw, at: 2)
      try statement.run()
    case .integer:
      guard case .text(let text) = id, id.twin == nil, text.isLikeNumber else { return }
      throw HostFailure(
        .invalid,
        "the item \(text.escapingControls) of \(name.escapingControls) has an id that the table's primary key "
          + "\(schema.primaryKey.escapingControls) would make a number of, so that it would not come back as it was: change the column's "
          + "type to TEXT, or the ids")
    case .text, .real: break
    }
  }

  /// Writes the item, or returns what the table needs first.
  private func write(_ item: Item, _ row: SinkRow) throws -> SinkSchema.Change? {
    if !row.isNumbered, schema.keyType.keeps(item.id) { try unite(item.id) }
    let statement = try upsert ?? database.makeStatement(sql: schema.upsert(with: extras, in: database))
    upsert = statement
    let raw = statement.raw
    return try item.bytes.withUnsafeBytes { bytes in
      defer { sqlite3_clear_bindings(raw) }
      if let change = try bind(bytes, of: item.id, row, to: raw) { return change }
      do {
        try statement.run()
      } catch let error as DatabaseError where [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(error.code) {
        throw refused(item.id, error.message)
      }
      if sqlite3_changes(sqlite3_db_handle(raw)) == 0, try !(schema.changesNothing && hasRow(of: item.id)) {
        throw refused(item.id, "a trigger keeps it out")
      }
      return nil
    }
  }

  private func bind(
    _ bytes: UnsafeRawBufferPointer, of id: ItemID, _ row: SinkRow, to raw: OpaquePointer
  ) throws -> SinkSchema.Change? {
    if !row.isNumbered, !schema.keyType.keeps(id) { return .loosen(column: schema.keyColumn) }
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
        if case .real = member.value.kind {
          bind(id, to: raw, at: Int32(truncatingIfNeeded: place + 1))
          continue
        }
      } else if !schema.type(ofMember: place).keeps(member.value) {
        return .loosen(column: schema.columnOfMember[place])
      }
      bind(member.value, to: raw, at: Int32(truncatingIfNeeded: place + 1))
    }
    // SQLite counts the rows itself where they have no ids.
    if !isIDBound, !row.isNumbered { bind(id, to: raw, at: Int32(truncatingIfNeeded: schema.idParameter)) }
    for (index, extra) in row.extras.enumerated() {
      sqlite3_bind_int64(raw, Int32(truncatingIfNeeded: schema.firstExtra + index), Int64(extra.value))
    }
    return nil
  }

  private func bind(_ value: JSONValue, to raw: OpaquePointer, at index: Int32) {
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

  private func bind(_ id: ItemID, to raw: OpaquePointer, at index: Int32) {
    switch id {
    case .integer(let number): sqlite3_bind_int64(raw, index, number)
    case .text(var text):
      text.withUTF8 { _ = UnsafeRawBufferPointer($0).bindText(to: raw, at: index, copying: true) }
    }
  }

  /// The ids of its rows, or of those of a part.
  func forEachID(ofPart part: Int?, _ body: (ItemID) throws -> Void) throws {
    guard schema.exists else { return }
    let condition = (hasParts ? part : nil).map { " WHERE \(SinkRow.partColumn) = \($0)" } ?? ""
    let statement = try database.makeStatement(
      sql: "SELECT \(schema.primaryKey.asIdentifier) FROM \(name.asIdentifier)\(condition)")
    while try statement.hasRow() {
      switch SQLValue(of: statement.raw, at: 0) {
      case .integer(let number): try body(.integer(number))
      case .text(let text): try body(.text(text))
      default: break
      }
    }
  }

  /// Whether SQLite counts its rows.
  var lastRow: Int64 { database.lastInsertedRowID }

  var countsRows: Bool { schema.exists && schema.countsRows }

  /// Deletes its rows: those of a part, of a reading, and behind a row, where these are given.
  func removeAll(ofPart part: Int?, reading: Int?, above row: Int64?) throws {
    guard schema.exists else { return }
    var conditions = ["true"]
    if let part, hasParts { conditions.append("\(SinkRow.partColumn) = \(part)") }
    if let reading, schema.has(column: SinkRow.readingColumn) {
      conditions.append("\(SinkRow.readingColumn) = \(reading)")
    }
    if let row { conditions.append("\(schema.primaryKey.asIdentifier) > \(row)") }
    try database.execute(
      sql: "DELETE FROM \(name.asIdentifier) WHERE \(conditions.joined(separator: " AND "))")
  }

  /// Whether rows say which part of the source has brought them.
  var hasParts: Bool { schema.exists && schema.has(column: SinkRow.partColumn) }

  /// Has rows say which part of the source brought them; those that are there belong to the first.
  func addPart() throws {
    guard schema.exists, !hasParts else { return }
    let part = try StateTables.firstPart(of: name, in: database)
    try database.execute(
      sql:
        "ALTER TABLE \(name.asIdentifier) ADD COLUMN \(SinkRow.partColumn.asIdentifier) INTEGER DEFAULT \(part)"
    )
    schema = try SinkSchema(table: name, idField: idField, in: database)
    (upsert, removal, isPrepared) = (nil, nil, false)
  }

  private func hasRow(of id: ItemID) throws -> Bool {
    let key = schema.primaryKey.asIdentifier
    let value: any SQLArgument =
      switch id {
      case .integer(let number): number
      case .text(let text): text
      }
    let row = "SELECT 1 FROM \(name.asIdentifier) WHERE \(key) = ?"
    return try database.row(sql: row, arguments: [value]) != nil
  }

  private func refused(_ id: ItemID, _ reason: String) -> HostFailure {
    HostFailure(
      .invalid,
      "its table \(name.escapingControls) does not take the item \(id.description.escapingControls): \(reason.escapingControls); change the "
        + "item in the source's transform, or the table, or give the source another name (name = \"…\")")
  }

  private func strayID(_ id: ItemID) -> HostFailure {
    let (id, key) = (id.description.escapingControls, schema.primaryKey.escapingControls)
    return HostFailure(
      .invalid, "the item \(id) has another value in its member \(key), the table's primary key")
  }
}

extension String {
  /// Whether SQLite makes a number of it where numbers are kept: more than are numbers, and none that is no number.
  var isLikeNumber: Bool {
    Double(split(whereSeparator: \.isWhitespace).joined(separator: " ")) != nil
  }
}
