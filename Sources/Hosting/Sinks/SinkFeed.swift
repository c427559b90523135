import CSQLite
import Items

/// Items on their way into the table of a stream, many of them in one statement: SQLite reads them itself, as rows of a table.
///
/// It takes items like most of them. One of which something has to be looked at ends the statement before it.
final class SinkFeed {
  private let raw: OpaquePointer
  private let rows: Rows
  private var statement: Statement?

  /// Begins what writes rows of these columns; `upsert` is the statement, by the name of the table that it reads.
  init(
    of schema: SinkSchema, isNumbered: Bool, in database: Database,
    _ upsert: (_ feed: String) throws -> String
  ) throws {
    rows = Rows(schema, isNumbered: isNumbered)
    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(rows).toOpaque()
    database.withConnection {
      made = csqlite_feed_new(
        $0,
        { feed, rows in
          guard let feed, let rows else { return 0 }
          return Unmanaged<Rows>.fromOpaque(rows)._withUnsafeGuaranteedRef { $0.giveNext(to: feed) ? 1 : 0 }
        }, context)
    }
    guard let made else { throw DatabaseError(SQLITE_NOMEM) }
    raw = made
    for (place, name) in schema.members.names.enumerated() {
      let kind = csqlite_kind(schema.type(ofMember: place))
      guard csqlite_feed_member(raw, name, name.utf8.count, kind, place == schema.idMember ? 1 : 0) != 0
      else {
        throw DatabaseError(SQLITE_NOMEM)
      }
    }
    let code = csqlite_feed_open(raw)
    guard code == SQLITE_OK else { throw DatabaseError(code) }
    statement = try database.makeStatement(sql: upsert(String(cString: csqlite_feed_name(raw))))
  }

  deinit {
    statement = nil
    csqlite_feed_free(raw)
  }

  /// Writes items from the front, all those before one that is not like most; answers how many.
  func write(_ items: ArraySlice<Item>, _ row: SinkRow) throws -> Int {
    guard let statement else { return 0 }
    for (index, extra) in row.extras.enumerated() {
      sqlite3_bind_int64(statement.raw, Int32(truncatingIfNeeded: index + 1), Int64(extra.value))
    }
    return try items.withUnsafeBufferPointer { items in
      (rows.items, rows.place) = (items, 0)
      defer { rows.items = UnsafeBufferPointer(start: nil, count: 0) }
      try statement.run()
      return rows.place
    }
  }

  /// The items that wait while the statement runs, and which of them are like most.
  private final class Rows {
    @exclusivity(unchecked) var items = UnsafeBufferPointer<Item>(start: nil, count: 0)
    /// The next one of them.
    @exclusivity(unchecked) var place = 0
    private let isNumbered: Bool
    private let keepsIntegers: Bool
    private let keepsTexts: Bool
    /// Whether an id may have a row in another form.
    private let hasTwins: Bool

    init(_ schema: SinkSchema, isNumbered: Bool) {
      self.isNumbered = isNumbered
      keepsIntegers = schema.keyType.keeps(ids: .integer)
      keepsTexts = schema.keyType.keeps(ids: .text) && schema.keyForm != .integer
      hasTwins = schema.keyForm == .any
    }

    /// Has the feed take the next item, if there is one, and it is like most.
    func giveNext(to feed: OpaquePointer) -> Bool {
      guard place < items.count else { return false }
      let isTaken: Bool
      switch items[place].id {
      case _ where isNumbered:
        isTaken = give(csqlite_id(text: nil, length: 0, number: 0, is_none: 1), to: feed)
      case let id where hasTwins && id.twin != nil: isTaken = false
      case .integer(let number):
        isTaken =
          keepsIntegers && give(csqlite_id(text: nil, length: 0, number: number, is_none: 0), to: feed)
      case .text(var text):
        isTaken =
          keepsTexts
          && text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
              give(csqlite_id(text: $0.baseAddress, length: $0.count, number: 0, is_none: 0), to: feed)
            }
          }
      }
      if isTaken { place += 1 }
      return isTaken
    }

    private func give(_ id: csqlite_id, to feed: OpaquePointer) -> Bool {
      let bytes = items[place].bytes.whileHeld
      return csqlite_feed_take(feed, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, id)
        != 0
    }
  }
}

extension csqlite_kind {
  init(_ type: SinkColumnType) {
    switch type {
    case .any: self = .CSQLITE_ANY
    case .integer: self = .CSQLITE_INTEGER
    case .real: self = .CSQLITE_REAL
    case .text: self = .CSQLITE_TEXT
    }
  }
}
