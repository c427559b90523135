import Items
import JSON
import Paging

/// A row of the readings' table, checked: what is damaged is an error, never a wrong reading.
struct StoredReading {
  enum State: String {
    case open, complete
    case givenUp = "given up"
    /// Somebody forgot it; its rows are still known to be of its part of the source.
    case forgotten
  }

  let id: Int
  let stream: String
  let partition: String
  let number: Int
  var state: State
  let chain: Int
  var position: Position?
  var items: Int
  /// Lists of ids that are kept of it; of one that is complete none is, and these are its pages.
  let parts: Int
  var bookmark: Bytes?
  var newBookmark: Bytes?
  let declaration: String
  let script: String
  let isFirst: Bool
  let isNumbered: Bool
  var lastRow: Int64?

  /// Whether what came with the bookmark is still in the output as it was. Of items without ids nobody knows how many of them have
  /// come again before the place at which it goes on.
  var leavesBoundary: Bool { state == .complete || state == .open && !(isNumbered && position != nil) }

  /// The reading that a request asks for, as if nothing of it had come yet; a bookmark of another field is dropped.
  mutating func begun(for request: ReadingRequest, in database: Database) throws -> BegunReading {
    var begun = BegunReading(id: id)
    begun.number = number
    begun.isBookmarkChanged = try BookmarkField(of: id).drop(&self, for: request, in: database)
    (begun.bookmark, begun.bookmarkLimit) = (request.since ?? bookmark, request.until)
    return begun
  }

  /// Pages that it has brought.
  var pages: Int { state == .complete ? parts : position?.pages ?? 0 }

  /// Whether items of it may be in the output.
  var hasItems: Bool { items > 0 || state == .forgotten && number > 0 }

  init(_ row: Row) throws(HostFailure) {
    let fields = StoredFields(row)
    id = try fields.count("id")
    stream = try fields.text("stream")
    partition = try fields.text("partition")
    number = try fields.count("number")
    guard let state = State(rawValue: try fields.text("state")) else { throw .damaged("state") }
    self.state = state
    chain = try fields.count("chain")
    if let text = try fields.textIfAny("position") {
      guard let position = Position(text: text) else { throw .damaged("position") }
      self.position = position
    }
    items = try fields.count("items")
    parts = try fields.count("parts")
    bookmark = try fields.jsonIfAny("bookmark")
    newBookmark = try fields.jsonIfAny("newBookmark")
    declaration = try fields.text("declaration")
    script = try fields.text("script")
    isFirst = try fields.count("isFirst") != 0
    isNumbered = try fields.count("isNumbered") != 0
    lastRow = try fields.integerIfAny("lastRow")
  }

  /// A row that was inserted for a reading of which nothing was known.
  init(newAs id: Int, of request: ReadingRequest, stream: String, chain: Int, isFirst: Bool) {
    (self.id, self.stream, partition) = (id, stream, request.partition)
    (number, state, self.chain, items, parts) = (1, .open, chain, 0, 0)
    (declaration, script) = (request.declaration, request.parts)
    (self.isFirst, isNumbered) = (isFirst, false)
  }

  /// Forgets the readings that fulfil the condition, whatever is in them. They keep their numbers, for rows have these.
  static func forget(
    where condition: String, _ arguments: [String], in database: Database
  ) throws -> Int {
    try database.execute(
      sql: """
        UPDATE _lookahead_readings SET state = 'forgotten', chain = 0, position = NULL, items = 0, parts = 0, \
        bookmark = NULL, newBookmark = NULL, declaration = '', script = '', isFirst = 0, lastRow = NULL, isAddedTo = 0, \
        number = CASE WHEN typeof(number) = 'integer' AND number BETWEEN 0 AND \(StoredFields.most) THEN number ELSE 0 END, \
        isNumbered = CASE WHEN isNumbered IS 1 THEN 1 ELSE 0 END
        WHERE (\(condition)) AND state IS NOT 'forgotten'
        """, arguments: arguments)
    let count = database.changesCount
    try database.execute(
      sql: """
        DELETE FROM _lookahead_ids
          WHERE max(reading, -1 - reading) IN (SELECT id FROM _lookahead_readings WHERE state = 'forgotten');
        DELETE FROM _lookahead_aside WHERE owner IN (SELECT id FROM _lookahead_readings WHERE state = 'forgotten');
        """)
    return count
  }
}

/// Columns of a row, each of the kind that it has to be.
struct StoredFields {
  private let row: Row

  init(_ row: Row) { self.row = row }

  /// A whole number that is none of those no count comes to.
  func count(_ name: String) throws(HostFailure) -> Int {
    guard case .integer(let number) = row[name], 0...Int64(StoredFields.most) ~= number else {
      throw .damaged(name)
    }
    return Int(number)
  }

  func integerIfAny(_ name: String) throws(HostFailure) -> Int64? {
    switch row[name] {
    case .null: return nil
    case .integer(let number): return number
    default: throw .damaged(name)
    }
  }

  func text(_ name: String) throws(HostFailure) -> String {
    guard let text = try textIfAny(name) else { throw .damaged(name) }
    return text
  }

  func textIfAny(_ name: String) throws(HostFailure) -> String? {
    switch row[name] {
    case .null: return nil
    case .text(let text): return text
    default: throw .damaged(name)
    }
  }

  func jsonIfAny(_ name: String) throws(HostFailure) -> Bytes? {
    guard let text = try textIfAny(name) else { return nil }
    guard (try? JSONTree(text)) != nil else { throw .damaged(name) }
    return Bytes(text)
  }

  /// The greatest count: more than any source has, and still far from where numbers end.
  static let most = 1 << 52
}

extension HostFailure {
  /// What state says is nothing that a run can have written.
  static func damaged(_ what: String) -> HostFailure {
    HostFailure(.io, "its state is damaged (\(what)): --fresh begins anew")
  }
}
