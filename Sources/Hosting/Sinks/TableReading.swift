import Items
import Paging

/// A reading of a source into a table.
final class TableReading {
  private let id: Int
  /// Where its items wait that wait for its end.
  private let aside: any WaitingItems
  private let number: Int
  private let write: WriteMode
  private let isFirst: Bool
  private let isIncremental: Bool
  /// Whether it brings what is new only: one that begins at no bookmark brings all that there is.
  private let bringsOnlyNew: Bool
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
  init(_ beginning: StateTables.Beginning, _ table: any StreamTable, aside: any WaitingItems) throws {
    id = beginning.begun.id
    self.aside = aside
    number = beginning.begun.number
    (write, isFirst, isIncremental) = (beginning.write, beginning.isFirst, beginning.isIncremental)
    bringsOnlyNew =
      isIncremental && (beginning.begun.bookmark != nil || beginning.begun.bookmarkLimit != nil)
    (wasAsked, isRefreshing) = (beginning.wasAsked, beginning.isRefreshing)
    (isOneOfSeveral, isNumbered) = (beginning.isOneOfSeveral, beginning.isNumbered)
    if saysPart(in: table) { try table.addPart() }
    let part = part(in: table)
    if let row = beginning.lastRow {
      lastRow = row
      if isSetAside {
        try aside.clear(above: row)
      } else {
        try table.removeAll(ofPart: part, reading: nil, above: row)
      }
    } else if beginning.begun.position == nil {
      if beginning.isAgain { try removeBegun(from: table) }
      if let outdated = beginning.outdated { try remove(outdated, from: table) }
      try aside.clear(above: nil)
    }
    guard !isSetAside, beginning.begun.position != nil else { return }
    // It was begun as a mirror, and is none any more.
    try aside.forEach { items, _, _ in try table.write(items, as: row(in: table)) }
    try aside.clear(above: nil)
  }

  /// Removes what was written before the first position, where rows are counted.
  private func removeBegun(from table: any StreamTable) throws {
    let part = part(in: table)
    if write == .append {
      try table.removeAll(ofPart: part, reading: number, above: nil)
    } else if isFirst, table.countsRows {
      try table.removeAll(ofPart: part, reading: nil, above: nil)
    }
  }

  /// Removes what the first reading had brought of a list that has become another; of a later one it is set aside, or has become
  /// part of what is merged.
  private func remove(_ outdated: KnownIDs, from table: any StreamTable) throws {
    guard isFirst, write != .append, !table.countsRows else { return }
    var ids: [ItemID] = []
    try table.forEachID(ofPart: part(in: table)) { if outdated.hasKept($0) { ids.append($0) } }
    for id in ids { try table.remove(id, ofPart: part(in: table)) }
  }

  /// Whether its items wait for its end.
  var isSetAside: Bool { write == .mirror && !isFirst && !isOver }

  /// Whether rows have to say who has brought them: a mirror takes no rows of others.
  private func saysPart(in table: any StreamTable) -> Bool {
    isOneOfSeveral || write == .mirror && table.isAdopted
  }

  /// The part of the source, in a table of several.
  private func part(in table: any StreamTable) -> Int? { isOneOfSeveral || table.hasParts ? id : nil }

  private func row(in table: any StreamTable) -> SinkRow {
    var row = SinkRow(isNumbered: isNumbered || write == .append)
    if let part = part(in: table) { row.extras.append((SinkRow.partColumn, part)) }
    if write == .append { row.extras.append((SinkRow.readingColumn, number)) }
    return row
  }

  /// Whether the database counts the rows of a delivery.
  func counts(_ delivery: Delivery) -> Bool { delivery.isNumbered || write == .append }

  func write(_ delivery: Delivery, to table: any StreamTable) throws {
    if saysPart(in: table) { try table.addPart() }
    if !delivery.items.isEmpty {
      isNumbered = delivery.isNumbered
      if isNumbered, write == .merge, !isFirst { throw StateTables.refusal(table.name) }
      if isSetAside {
        try aside.add(delivery.items, stream: nil, isNumbered: false)
      } else {
        try table.write(delivery.items, as: row(in: table))
      }
      if isNumbered || write == .append { lastRow = isSetAside ? aside.lastRow : table.lastRow }
    }
    guard isSetAside else { return try table.apply(delivery.operations, as: row(in: table)) }
    for operation in delivery.operations {
      if case .remove(let id, _) = operation {
        try aside.forget(id)
        // At the end only what such a source says is gone goes.
        if isIncremental { try table.remove(id, ofPart: part(in: table)) }
      }
      if let item = operation.item { try aside.add([item], stream: nil, isNumbered: false) }
    }
  }

  /// At its end: what the table had and the source has no longer is removed, or counted.
  func complete(
    _ known: () throws -> KnownIDs, in table: any StreamTable, _ mark: ReadingMark
  ) throws -> SinkChanges.Stream {
    var changes = SinkChanges.Stream()
    guard case .end(let isComplete) = mark.place, !isOver else { return changes }
    defer { (isOver, lastRow) = (true, nil) }
    if isSetAside {
      // Rows without ids take the place of all that were there, which only a whole list may.
      if isComplete || isRefreshing || !isNumbered { try restore(to: table) }
      try aside.clear(above: nil)
    }
    changes.bringsOnlyNew = write == .mirror && bringsOnlyNew && isComplete && !isFirst
    guard isComplete, !mark.mayMiss, !isFirst, write != .append, !bringsOnlyNew, !isNumbered else {
      return changes
    }
    let known = try known()
    let removes = write == .mirror && (!known.isEmpty || wasAsked)
    changes.keptAll = write == .mirror && !removes
    var gone: [ItemID] = []
    try table.forEachID(ofPart: part(in: table)) { if !known.hasKept($0) { gone.append($0) } }
    if removes {
      for id in gone { try table.remove(id, ofPart: part(in: table)) }
      changes.removed = gone.count
      if table.isAdopted { changes.others = try table.countOthers() }
    } else {
      changes.gone = gone.count
    }
    return changes
  }

  private func restore(to table: any StreamTable) throws {
    if isNumbered { try table.removeAll(ofPart: part(in: table), reading: nil, above: nil) }
    try aside.forEach { items, _, _ in try table.write(items, as: row(in: table)) }
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
    /// Rows of a table that somebody else has made which no part of the source is known to have brought, and that stay.
    public var others = 0
    /// Nothing was removed, since the source brought nothing.
    public var keptAll = false
    /// Nothing was removed, since the source has a bookmark.
    public var bringsOnlyNew = false
    /// Rows that another part of the source had brought, and that belong to the part now that has brought their ids again.
    public var moved = 0
    /// Rows that were to be removed, since the source said that they are gone, and that were not there, or are another part's by now.
    public var absent = 0
    /// Items that are gone, and that stay where lines or rows are only added.
    public var kept = 0
    /// Parts of a mirrored source that are no longer among those that are read, and their rows, which stay.
    public var unlistedParts = 0
    public var unlistedRows = 0
  }

  /// By stream.
  public private(set) var streams: [String: Stream] = [:]
  /// Readings with which nobody goes on.
  public internal(set) var left: [LeftReading] = []

  public init() {}

  mutating func add(_ changes: Stream, to stream: String) {
    streams[stream, default: Stream()].removed += changes.removed
    streams[stream]!.gone += changes.gone
    streams[stream]!.others = max(streams[stream]!.others, changes.others)
    streams[stream]!.absent += changes.absent
    streams[stream]!.moved += changes.moved
    streams[stream]!.kept += changes.kept
    streams[stream]!.unlistedParts += changes.unlistedParts
    streams[stream]!.unlistedRows += changes.unlistedRows
    streams[stream]!.keptAll = streams[stream]!.keptAll || changes.keptAll
    streams[stream]!.bringsOnlyNew = streams[stream]!.bringsOnlyNew || changes.bringsOnlyNew
  }
}

extension SinkChanges {
  /// Notes what a delivery says is gone, and stays.
  mutating func keep(_ delivery: Delivery, in stream: String) {
    let count = delivery.operations.count { if case .remove = $0 { true } else { false } }
    if count > 0 { add(Stream(absent: count, kept: count), to: stream) }
  }
}

extension KnownIDs {
  /// Whether it has the id of a row, in whatever form the row's table keeps it: a column of texts has 1 as "1", and one of UUIDs
  /// has them in one form, which is noted beside the ids. A row of which that is not sure stays.
  func hasKept(_ id: ItemID) -> Bool {
    if contains(id) || id.twin.map(contains) ?? false { return true }
    guard case .text(let text) = id, let note = id.noteOfUUID else { return false }
    // An earlier version noted none.
    return contains(note) || contains(.text(text.uppercased()))
  }
}
