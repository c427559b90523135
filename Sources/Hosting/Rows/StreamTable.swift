import Items
import Paging

/// The rows of a stream in a database, whichever that is.
protocol StreamTable: AnyObject {
  /// The stream's name.
  var name: String { get }
  /// Whether the database counts its rows, since the items have no ids.
  var countsRows: Bool { get }
  /// Whether its rows are those of items without ids, which are only counted; nil where that is not known.
  var isCounted: Bool? { get }
  /// Whether rows say which part of the source has brought them.
  var hasParts: Bool { get }
  /// Whether somebody else has made it.
  var isAdopted: Bool { get }
  /// Whether its ids are UUIDs, which it gives back in one form, however they came.
  var hasUUIDs: Bool { get }
  /// The number of the row that was written last, where rows are counted.
  var lastRow: Int64 { get }

  /// Whether there is any row.
  func hasRows() throws -> Bool

  /// Has rows say which part of the source brought them; those that are there belong to the first, and to none where somebody else
  /// has made the table.
  func addPart() throws

  /// Writes items; one with the id of a row takes its place.
  func write(_ items: [Item], as row: SinkRow) throws

  /// Writes inserted and changed items, and deletes the rows of removed ones that are of the part of `row`, where it has one.
  func apply(_ operations: [ItemOperation], as row: SinkRow) throws

  /// Deletes the row of an id, unless it is of another part of the source than the one that is given: a row of none goes.
  func remove(_ id: ItemID, ofPart part: Int?) throws

  /// Deletes its rows: those of a part, of a reading, and behind a row, where these are given.
  func removeAll(ofPart part: Int?, reading: Int?, above row: Int64?) throws

  /// How many rows are of no part, since others have written them, or nothing said yet who did.
  func countOthers() throws -> Int

  /// The ids of its rows, or of those of a part.
  func forEachID(ofPart part: Int?, _ body: (ItemID) throws -> Void) throws
}

extension StreamTable {
  var hasUUIDs: Bool { false }
}

extension HostFailure {
  /// The error for a stream whose table a database takes for that of another one, as their names differ only in case.
  static func sameTable(_ other: String, _ stream: String, _ database: String) -> HostFailure {
    HostFailure(
      .invalid,
      "its table \(other.escapingControls) has the rows of a stream of that name, and \(database) takes "
        + "\(stream.escapingControls) for the same: give the source another name (name = \"…\"), or write elsewhere"
    )
  }
}

/// Items that wait in a database until they may be seen: those of a reading that mirrors its source, and those of a step.
protocol WaitingItems {
  /// The number of the item that was added last.
  var lastRow: Int64 { get }

  /// Adds items, whose ids may only count them.
  func add(_ items: [Item], stream: String?, isNumbered: Bool) throws

  /// Calls `body` with what waits, in order, many items at a time: each time of one stream, all with ids of their own or
  /// none.
  func forEach(_ body: (_ items: [Item], _ stream: String?, _ isNumbered: Bool) throws -> Void) throws

  /// Forgets what came behind a row; nil forgets all.
  func clear(above row: Int64?) throws

  /// Forgets an item.
  func forget(_ id: ItemID) throws
}
