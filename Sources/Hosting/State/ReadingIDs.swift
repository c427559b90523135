import CSQLite
import Items
import Paging

/// Ids of the items that a reading has brought so far, a row for each part of it.
struct ReadingIDs {
  let reading: Int

  /// All of them.
  func known(in database: Database) throws -> KnownIDs {
    let count = try countAtMost(in: database)
    let statement = try database.makeStatement(
      sql: "SELECT part, ids FROM _lookahead_ids WHERE reading = \(reading) ORDER BY part")
    let raw = statement.raw
    defer { sqlite3_reset(raw) }
    func next() throws -> (part: Int, ids: Bytes)? {
      guard try statement.hasRow() else { return nil }
      return (Int(sqlite3_column_int64(raw, 0)), Bytes(of: raw, at: 1))
    }
    var removed = RemovedIDs()
    var first = try next()
    while let (part, ids) = first, part < 0 {
      removed.add(IDList(ids), of: ~part)
      first = try next()
    }
    return try KnownIDs(count: count, removed: removed) {
      if let part = first.take() { return part }
      return try next()
    }
  }

  /// How many integers are among them, at the most.
  private func countAtMost(in database: Database) throws -> Int {
    let statement = try database.makeStatement(
      sql:
        "SELECT substr(ids, 1, 8), length(ids) FROM _lookahead_ids WHERE reading = \(reading) AND part >= 0")
    var count = 0
    while try statement.hasRow() {
      let size = Int(sqlite3_column_int64(statement.raw, 1))
      count += IDList.mostIntegers(Bytes(of: statement.raw, at: 0), of: size)
    }
    return count
  }

  /// Adds those of the next part. What it removes from the parts before has a row below zero.
  func add(_ brought: BroughtIDs, part: Int, in database: Database) throws {
    try insert(brought.ids.bytes, part: part, in: database)
    if !brought.removed.isEmpty { try insert(brought.removed.bytes, part: ~part, in: database) }
  }

  /// Those of one part.
  func known(part: Int, in database: Database) throws -> KnownIDs {
    let statement = try database.makeStatement(
      sql: "SELECT ids FROM _lookahead_ids WHERE reading = \(reading) AND part = \(part)")
    defer { sqlite3_reset(statement.raw) }
    return try statement.hasRow() ? KnownIDs(IDList(Bytes(of: statement.raw, at: 0))) : KnownIDs()
  }

  /// Forgets them.
  func clear(in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM _lookahead_ids WHERE reading = ?").execute(
      arguments: [reading])
  }

  /// Forgets those of one part.
  func clear(part: Int, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM _lookahead_ids WHERE reading = ? AND part = ?").execute(
      arguments: [reading, part])
  }

  /// Adds ids as a part.
  func insert(_ ids: Bytes, part: Int, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO _lookahead_ids (reading, part, ids) VALUES (?, ?, ?)")
    let raw = statement.raw
    defer { sqlite3_clear_bindings(raw) }
    try ids.withUnsafeBytes { bytes in
      sqlite3_bind_int64(raw, 1, Int64(reading))
      sqlite3_bind_int64(raw, 2, Int64(part))
      sqlite3_bind_blob64(raw, 3, bytes.baseAddress, UInt64(bytes.count), nil)
      try statement.run()
    }
  }

  static let schema = """
    CREATE TABLE IF NOT EXISTS _lookahead_ids (
      reading INTEGER NOT NULL, part INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (reading, part));
    """
}

extension Bytes {
  /// Those in a column of the row at which a statement is.
  init(of statement: OpaquePointer, at column: Int32) {
    self.init(
      copying: UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))))
  }
}

extension Delivery {
  /// Ids of the items that it brings, as far as they have some, and of those that it removes; `asUUIDs` notes too which UUIDs they
  /// are, where a database would write them in another way.
  func broughtIDs(asUUIDs: Bool = false) -> BroughtIDs {
    var brought = BroughtIDs()
    guard !isNumbered else { return brought }
    func uuid(of id: ItemID) -> ItemID? { asUUIDs && id.canonicalUUID != id ? id.noteOfUUID : nil }
    brought.append(items)
    if asUUIDs { for item in items { if let note = uuid(of: item.id) { brought.append(note) } } }
    for operation in operations {
      switch operation {
      case .insert(let item, _):
        brought.append(item.id)
        if let note = uuid(of: item.id) { brought.append(note) }
      case .remove(let id, _):
        brought.remove(id)
        if let note = uuid(of: id) { brought.remove(note) }
      case .update, .move: break
      }
    }
    return brought
  }
}

extension ItemID {
  /// What tells, among ids of which digests are kept only, that a UUID came, in whatever form; nil for another text. No item has it as
  /// its id: to the list, one that is called as a database writes that UUID is another item.
  var noteOfUUID: ItemID? { canonicalUUID.map { .text("uuid \($0)") } }
}
