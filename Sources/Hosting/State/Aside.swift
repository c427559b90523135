import CSQLite
import Items

/// Items that wait in an SQLite database until they may be seen.
struct Aside: WaitingItems {
  /// The reading, or the step, below zero.
  let owner: Int
  let database: Database

  static func of(step: Int, in database: Database) -> Aside { Aside(owner: -step, database: database) }

  var lastRow: Int64 { database.lastInsertedRowID }

  /// Adds items, whose ids may only count them.
  func add(_ items: [Item], stream: String?, isNumbered: Bool) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO _lookahead_aside (owner, stream, id, text, item) VALUES (?, ?, ?, ?, ?)")
    let raw = statement.raw
    for item in items {
      sqlite3_bind_int64(raw, 1, Int64(owner))
      if var stream {
        stream.withUTF8 { _ = UnsafeRawBufferPointer($0).bindText(to: raw, at: 2, copying: true) }
      }
      switch item.id {
      case _ where isNumbered: break
      case .integer(let number): sqlite3_bind_int64(raw, 3, number)
      case .text(var text):
        text.withUTF8 { _ = UnsafeRawBufferPointer($0).bindText(to: raw, at: 4, copying: true) }
      }
      defer { sqlite3_clear_bindings(raw) }
      try item.bytes.withUnsafeBytes { bytes in
        sqlite3_bind_blob64(raw, 5, bytes.baseAddress, UInt64(bytes.count), nil)
        try statement.run()
      }
    }
  }

  /// Calls `body` with what waits, in order, many items at a time: each time of one stream, all with ids of their own or
  /// none.
  func forEach(_ body: (_ items: [Item], _ stream: String?, _ isNumbered: Bool) throws -> Void) throws {
    let statement = try database.makeStatement(
      sql: "SELECT id, text, item, stream FROM _lookahead_aside WHERE owner = \(owner) ORDER BY row")
    let raw = statement.raw
    defer { sqlite3_reset(raw) }
    var items: [Item] = []
    var stream: String?
    var isNumbered = false
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
      guard sqlite3_column_type(raw, column) != SQLITE_NULL else { return nil }
      let start = sqlite3_column_blob(raw, column)
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
    }
    while try statement.hasRow() {
      let next = bytes(3).map { String(decoding: $0, as: UTF8.self) }
      let isNext = sqlite3_column_type(raw, 0) == SQLITE_NULL && sqlite3_column_type(raw, 1) == SQLITE_NULL
      if next != stream || isNext != isNumbered || items.count == 1000 {
        if !items.isEmpty { try body(items, stream, isNumbered) }
        (items, stream, isNumbered) = ([], next, isNext)
      }
      let id =
        bytes(1).map { ItemID.text(String(decoding: $0, as: UTF8.self)) }
        ?? .integer(sqlite3_column_int64(raw, 0))
      items.append(Item(id: id, bytes: bytes(2).map { Bytes(copying: $0) } ?? Bytes("null")))
    }
    if !items.isEmpty { try body(items, stream, isNumbered) }
  }

  /// Forgets what waits, or what came behind a row.
  func clear(above row: Int64? = nil) throws {
    try database.cachedStatement(sql: "DELETE FROM _lookahead_aside WHERE owner = ? AND row > ?").execute(
      arguments: [owner, row ?? -1])
  }

  /// Forgets an item.
  func forget(_ id: ItemID) throws {
    let (name, value): (String, any SQLArgument) =
      switch id {
      case .integer(let number): ("id", number)
      case .text(let text): ("text", text)
      }
    try database.execute(
      sql: "DELETE FROM _lookahead_aside WHERE owner = ? AND \(name) = ?", arguments: [owner, value])
  }

  static let schema = """
    CREATE TABLE IF NOT EXISTS _lookahead_aside (
      row INTEGER PRIMARY KEY, owner INTEGER NOT NULL, stream TEXT, id INTEGER, text TEXT, item BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS _lookahead_aside_owner ON _lookahead_aside (owner, row);
    """
}
