import CSQLite
import Items
import Paging

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
  /// none. While it runs nothing is being read, since SQLite rebuilds no table meanwhile.
  func forEach(_ body: (_ items: [Item], _ stream: String?, _ isNumbered: Bool) throws -> Void) throws {
    var last: Int64 = -1
    while let (items, stream, isNumbered) = try next(behind: &last) { try body(items, stream, isNumbered) }
  }

  /// What waits behind a row; nil where nothing does.
  private func next(
    behind row: inout Int64
  ) throws -> (items: [Item], stream: String?, isNumbered: Bool)? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT row, id, text, item, stream FROM _lookahead_aside WHERE owner = ? AND row > ? ORDER BY row LIMIT 1000
        """)
    let raw = statement.raw
    try statement.bind([owner, Int(row)])
    defer { statement.reset() }
    var items: [Item] = []
    var stream: String?
    var isNumbered = false
    while try statement.hasRow() {
      let next = SQLValue(of: raw, at: 4).text
      let isNext = sqlite3_column_type(raw, 1) == SQLITE_NULL && sqlite3_column_type(raw, 2) == SQLITE_NULL
      if !items.isEmpty, next != stream || isNext != isNumbered { break }
      (stream, isNumbered) = (next, isNext)
      row = sqlite3_column_int64(raw, 0)
      let id = SQLValue(of: raw, at: 2).text.map { ItemID.text($0) } ?? .integer(sqlite3_column_int64(raw, 1))
      items.append(Item(id: id, bytes: Bytes(of: raw, at: 3)))
    }
    return items.isEmpty ? nil : (items, stream, isNumbered)
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
