import GRDB
import GRDBSQLite
import Items
import Paging

/// A reading of a source into a table.
final class TableReading {
  private let id: Int
  private let number: Int
  private let write: WriteMode
  private let isFirst: Bool
  private let isIncremental: Bool
  private let wasAsked: Bool
  /// Whether it is followed by others of the same run, which bring differences only.
  private let isRefreshing: Bool
  private var isOver = false
  private let isOneOfSeveral: Bool
  /// Whether its items have no ids.
  private(set) var isNumbered = false
  /// The last row of this reading that counts, where rows are counted.
  private(set) var lastRow: Int64?

  /// What came behind the last position is removed where it could not be told from what comes again.
  init(_ beginning: StateTables.Beginning, _ table: SinkTable, in database: Database) throws {
    id = beginning.begun.id
    number = beginning.begun.number
    (write, isFirst, isIncremental) = (beginning.write, beginning.isFirst, beginning.isIncremental)
    (wasAsked, isRefreshing) = (beginning.wasAsked, beginning.isRefreshing)
    isOneOfSeveral = beginning.isOneOfSeveral
    if isOneOfSeveral { try table.addPart(in: database) }
    let part = part(in: table)
    if let row = beginning.lastRow {
      lastRow = row
      if isSetAside {
        try database.execute(
          sql: "DELETE FROM _lookahead_aside WHERE reading = ? AND row > ?", arguments: [id, row])
      } else {
        try table.removeAll(ofPart: part, above: row, in: database)
      }
    } else if beginning.begun.position == nil {
      if beginning.isAgain { try removeBegun(from: table, in: database) }
      try database.execute(sql: "DELETE FROM _lookahead_aside WHERE reading = ?", arguments: [id])
    }
  }

  /// Removes what was written before the first position, where rows are counted.
  private func removeBegun(from table: SinkTable, in database: Database) throws {
    let part = part(in: table)
    if write == .append {
      try table.removeAll(ofPart: part, reading: number, in: database)
    } else if isFirst, table.countsRows {
      try table.removeAll(ofPart: part, in: database)
    }
  }

  /// Whether its items wait for its end.
  private var isSetAside: Bool { write == .mirror && !isFirst && !isOver }

  /// The part of the source, in a table of several.
  private func part(in table: SinkTable) -> Int? { isOneOfSeveral || table.hasParts ? id : nil }

  private func row(in table: SinkTable) -> SinkRow {
    var row = SinkRow(isNumbered: isNumbered || write == .append)
    if let part = part(in: table) { row.extras.append((SinkRow.partColumn, part)) }
    if write == .append { row.extras.append((SinkRow.readingColumn, number)) }
    return row
  }

  func write(_ delivery: Delivery, to table: SinkTable, in database: Database) throws {
    if isOneOfSeveral { try table.addPart(in: database) }
    if !delivery.items.isEmpty {
      isNumbered = delivery.isNumbered
      if isNumbered, write == .merge, !isFirst { throw StateTables.refusal(table.name) }
      if isSetAside {
        for item in delivery.items { try setAside(item, in: database) }
      } else {
        try table.write(delivery.items, as: row(in: table), in: database)
      }
      if isNumbered || write == .append { lastRow = database.lastInsertedRowID }
    }
    if isSetAside {
      for case .remove(let id, _) in delivery.operations { try forget(id, in: database) }
    }
    try table.apply(delivery.operations, in: database)
  }

  /// An item that waits for the end of the reading is gone already.
  private func forget(_ id: ItemID, in database: Database) throws {
    let (name, value): (String, any DatabaseValueConvertible) =
      switch id {
      case .integer(let number): ("id", number)
      case .text(let text): ("text", text)
      }
    try database.execute(
      sql: "DELETE FROM _lookahead_aside WHERE reading = ? AND \(name) = ?", arguments: [self.id, value])
  }

  /// At its end: what the table had and the source has no longer is removed, or counted.
  func complete(
    _ known: () throws -> KnownIDs, in table: SinkTable, _ mark: ReadingMark, in database: Database
  ) throws -> SinkChanges.Stream {
    var changes = SinkChanges.Stream()
    guard case .end(let isComplete) = mark.place, !isOver else { return changes }
    defer { (isOver, lastRow) = (true, nil) }
    if isSetAside {
      if isComplete || isRefreshing { try restore(to: table, in: database) }
      try database.execute(sql: "DELETE FROM _lookahead_aside WHERE reading = ?", arguments: [id])
    }
    guard isComplete, !isFirst, write != .append, !isIncremental, !isNumbered else { return changes }
    let known = try known()
    let removes = write == .mirror && (!known.isEmpty || wasAsked)
    changes.keptAll = write == .mirror && !removes
    var gone: [ItemID] = []
    try table.forEachID(ofPart: part(in: table), in: database) { if !known.contains($0) { gone.append($0) } }
    if removes {
      for id in gone { try table.remove(id, in: database) }
      changes.removed = gone.count
    } else {
      changes.gone = gone.count
    }
    return changes
  }

  private func restore(to table: SinkTable, in database: Database) throws {
    if isNumbered { try table.removeAll(ofPart: part(in: table), in: database) }
    let statement = try database.makeStatement(
      sql: "SELECT id, text, item FROM _lookahead_aside WHERE reading = \(id) ORDER BY row")
    let raw = statement.sqliteStatement
    defer { sqlite3_reset(raw) }
    var items: [Item] = []
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
      let start = sqlite3_column_blob(raw, column)
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
    }
    while sqlite3_step(raw) == SQLITE_ROW {
      let isText = sqlite3_column_type(raw, 1) != SQLITE_NULL
      let id: ItemID =
        isText
        ? .text(String(decoding: bytes(1), as: UTF8.self)) : .integer(sqlite3_column_int64(raw, 0))
      items.append(Item(id: id, bytes: Bytes(copying: bytes(2))))
      guard items.count == 1000 else { continue }
      try table.write(items, as: row(in: table), in: database)
      items = []
    }
    try table.write(items, as: row(in: table), in: database)
  }

  private func setAside(_ item: Item, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO _lookahead_aside (reading, id, text, item) VALUES (?, ?, ?, ?)")
    let raw = statement.sqliteStatement
    sqlite3_bind_int64(raw, 1, Int64(id))
    switch item.id {
    case .integer(let number): sqlite3_bind_int64(raw, 2, number)
    case .text(var text):
      text.withUTF8 { _ = UnsafeRawBufferPointer($0).bindText(to: raw, at: 3, copying: true) }
    }
    let code = item.bytes.withUnsafeBytes { bytes in
      sqlite3_bind_blob64(raw, 4, bytes.baseAddress, UInt64(bytes.count), nil)
      return sqlite3_step(raw)
    }
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    guard code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
  }
}

/// What readings changed beside what they brought, by stream.
public struct SinkChanges: Sendable, Equatable {
  /// What changed in one stream.
  public struct Stream: Sendable, Equatable {
    /// Rows that were removed, since the source no longer has them.
    public var removed = 0
    /// Rows that the source no longer has, and that stay.
    public var gone = 0
    /// Nothing was removed, since the source brought nothing.
    public var keptAll = false
  }

  /// By stream.
  public private(set) var streams: [String: Stream] = [:]

  public init() {}

  mutating func add(_ changes: Stream, to stream: String) {
    streams[stream, default: Stream()].removed += changes.removed
    streams[stream]!.gone += changes.gone
    streams[stream]!.keptAll = streams[stream]!.keptAll || changes.keptAll
  }
}
