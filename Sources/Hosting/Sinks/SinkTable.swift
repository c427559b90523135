import CSQLite
import Items
import JSON
import Paging

/// The table of a stream: it gets the columns the items need, and values keep their types.
///
/// Nested values are JSON text, booleans 0 and 1; integers beyond 64 bits, and numbers with more digits than a
/// double keeps, are text, because SQLite would round them.
final class SinkTable: StreamTable {
  let name: String
  private let database: Database
  private let idField: String?
  private let keys: [String]
  private let remembers: Bool
  private let moved: MovedRows
  /// Looked at for each member of each item, by one thread and never while it changes.
  @exclusivity(unchecked) private var schema: SinkSchema
  private var isPrepared = false
  private var statements = Statements()
  /// The columns of our own in the upsert.
  private var extras: [String] = []
  /// Whether the primary key came from a member of an item.
  private var hasKeyMember = false
  @exclusivity(unchecked) private var reader = JSONReader()
  private var scratch = ByteBuffer()

  /// `remembers` says that the database remembers which members its columns are for.
  init(
    _ name: String, idField: String?, keys: [String], remembers: Bool, _ moved: MovedRows,
    in database: Database
  ) throws {
    self.moved = moved
    self.remembers = remembers
    self.name = name
    self.database = database
    self.idField = idField
    self.keys = keys
    schema = try SinkSchema(table: name, keys: keys, remembers: remembers, in: database)
  }

  /// Compiled for the table as it is.
  private struct Statements {
    var upsert: Statement?
    var removal: Statement?
    var renaming: Statement?
    /// What writes many items at once; nil inside where each has to be looked at.
    var feed: (SinkFeed?, isNumbered: Bool)?
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
    var (rest, isFed) = (items[...], true)
    try prepare(for: rest, as: row)
    while !rest.isEmpty {
      if isFed {
        let count = try feed(rest, row)
        rest = rest.dropFirst(count)
        isFed = count >= SinkTable.fewAtOnce
      }
      if !rest.isEmpty { try moved.counting(in: name) { try replace(rest, row) } }
      rest = rest.dropFirst()
    }
  }

  /// Writes items from the front, as long as there is nothing to be looked at; answers how many. Where the table refuses one,
  /// nothing is written: one by one, it turns out which it is.
  private func feed(_ items: ArraySlice<Item>, _ row: SinkRow) throws -> Int {
    if statements.feed?.isNumbered != row.isNumbered {
      statements.feed = (try makeFeed(isNumbered: row.isNumbered), row.isNumbered)
    }
    guard let feed = statements.feed?.0 else { return 0 }
    try database.cachedStatement(sql: "SAVEPOINT feed").execute()
    do {
      let count = try moved.counting(in: name) {
        let count = try feed.write(items, row)
        guard count == 0 || database.changesCount == count else { throw DatabaseError(SQLITE_CONSTRAINT) }
        return count
      }
      try database.cachedStatement(sql: "RELEASE feed").execute()
      hasKeyMember = hasKeyMember || count > 0 && schema.idMember != nil
      return count
    } catch  where error is DatabaseError && database.isInsideTransaction {
      try database.execute(sql: "ROLLBACK TO feed; RELEASE feed")
      return 0
    }
  }

  /// Nil where triggers have a say in each row, or where a row that is there already does not count as changed.
  private func makeFeed(isNumbered: Bool) throws -> SinkFeed? {
    guard try !schema.hasTriggers(in: database) else { return nil }
    let feed = try SinkFeed(of: schema, isNumbered: isNumbered, in: database) {
      try schema.upsert(with: extras, from: $0, in: database)
    }
    return schema.changesNothing ? nil : feed
  }

  func apply(_ operations: [ItemOperation], as row: SinkRow) throws {
    var items = operations.compactMap(\.item)[...]
    try prepare(for: items, as: row)
    for operation in operations {
      switch operation {
      case .insert, .update:
        try moved.counting(in: name) { try replace(items, row) }
        items = items.dropFirst()
      case .remove(let id, _): try remove(id, ofPart: row.part)
      case .move: break
      }
    }
  }

  private func prepare(for items: ArraySlice<Item>, as row: SinkRow) throws {
    guard !items.isEmpty else { return }
    if extras != row.extras.map(\.column) {
      extras = row.extras.map(\.column)
      statements = Statements()
    }
    if !isPrepared {
      try fit(items, row)
      isPrepared = true
    }
    guard row.isNumbered, !schema.countsRows else { return }
    throw HostFailure(
      .invalid,
      "the table \(name.escapingControls) has one row for each \(schema.primaryKey.escapingControls), and these items are "
        + "only counted (they have no ids, or --write append keeps all): write them into a table of their own"
    )
  }

  private func fit(_ items: ArraySlice<Item>, _ row: SinkRow) throws {
    try schema.fit(
      items, idField: row.isNumbered ? nil : idField, isNumbered: row.isNumbered, in: database)
  }

  /// Writes the first of some items; what it needs the table gets for all of them.
  private func replace(_ items: ArraySlice<Item>, _ row: SinkRow) throws {
    while let item = items.first, let change = try write(item, row) {
      statements = Statements()
      switch change {
      case .fit: try fit(items, row)
      case .keepKeyApart(let copying): try schema.keepKeyApart(copying: copying, in: database)
      }
    }
  }

  /// Deletes the row of an id, in whatever form the table has it: SQLite would take `01` for `1` in a column of integers.
  func remove(_ id: ItemID, ofPart part: Int?) throws {
    var count = 0
    for form in [id, id.twin].compactMap(\.self)
    where schema.exists && schema.keyForm.keeps(ids: SinkValueKinds(of: form)) {
      count += try removeRow(of: form, ofPart: part)
    }
    if count == 0 { moved.note(absent: 1, in: name) }
  }

  private func removeRow(of id: ItemID, ofPart part: Int?) throws -> Int {
    let statement = try statements.removal ?? database.makeStatement(sql: schema.removal)
    statements.removal = statement
    let raw = statement.raw
    defer { sqlite3_clear_bindings(raw) }
    bind(id, to: raw, at: 1)
    if let part, hasParts { sqlite3_bind_int64(raw, 2, Int64(part)) }
    try statement.run()
    return database.changesCount
  }

  /// Has the row of an id the form that the id has now, where SQLite would keep both apart.
  private func unite(_ id: ItemID) throws {
    switch schema.keyForm {
    case .any:
      guard let twin = id.twin else { return }
      let statement = try statements.renaming ?? database.makeStatement(sql: schema.renaming)
      statements.renaming = statement
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
    if !row.isNumbered, schema.keyType.keeps(ids: SinkValueKinds(of: item.id)) { try unite(item.id) }
    let statement =
      try statements.upsert ?? database.makeStatement(sql: schema.upsert(with: extras, in: database))
    statements.upsert = statement
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
        let hasTriggers = try schema.hasTriggers(in: database)
        throw refused(
          item.id, "\(hasTriggers ? "a trigger" : "a constraint with ON CONFLICT IGNORE") keeps it out")
      }
      return nil
    }
  }

  private func bind(
    _ bytes: UnsafeRawBufferPointer, of id: ItemID, _ row: SinkRow, to raw: OpaquePointer
  ) throws -> SinkSchema.Change? {
    if !row.isNumbered, !schema.keyType.keeps(ids: SinkValueKinds(of: id)) { return .fit }
    var likely = 0
    var isIDBound = false
    for member in try ItemMembers(bytes, of: id, &reader) {
      guard let place = schema.members.place(of: member, likely: likely) else { return .fit }
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
      } else if !schema.type(ofMember: place).keeps(SinkValueKinds(of: member.value)) {
        return .fit
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
    case .real:
      if let real = value.exactReal {
        sqlite3_bind_double(raw, index, real)
      } else {
        _ = value.bytes.bindText(to: raw, at: index, copying: false)
      }
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

  func countOthers() throws -> Int {
    guard hasParts else { return 0 }
    let query = "SELECT count(*) FROM \(name.asIdentifier) WHERE \(SinkRow.partColumn) IS NULL"
    return try database.row(sql: query)?.integer() ?? 0
  }

  /// Whether SQLite counts its rows.
  var lastRow: Int64 { database.lastInsertedRowID }

  var countsRows: Bool { schema.exists && schema.countsRows }
  /// One that does not say it may have been made by an earlier version.
  var isCounted: Bool? { schema.isCounted ? true : nil }

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

  var isAdopted: Bool { schema.exists && !schema.isOwn }

  func addPart() throws {
    guard schema.exists, !hasParts else { return }
    let part = isAdopted ? "NULL" : "\(try StateTables.firstPart(of: name, in: database))"
    let column = "\(SinkRow.partColumn.asIdentifier) INTEGER DEFAULT \(part)"
    try database.execute(sql: "ALTER TABLE \(name.asIdentifier) ADD COLUMN \(column)")
    schema = try SinkSchema(table: name, keys: keys, remembers: remembers, in: database)
    (statements, isPrepared) = (Statements(), false)
  }

  /// Items that are fewer are not worth a statement for many.
  private static let fewAtOnce = 8

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
