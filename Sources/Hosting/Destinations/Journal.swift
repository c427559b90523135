/// What is to be done in a transaction, in order: changes that need not follow each other are made together.
final class Journal {
  private var entries: [JournalEntry] = []
  /// Those that are done on the connection that is there.
  private var executed = 0
  /// Entries that have left it.
  private var dropped = 0

  /// How far it has come.
  struct Mark {
    let dropped: Int
    let count: Int
    let open: [(entry: JournalEntry, place: Int, count: Int)]
  }

  var mark: Mark {
    Mark(dropped: dropped, count: entries.count, open: open.map { (entries[$0], $0, entries[$0].count) })
  }

  /// Takes back what was added since; false, and it stays, if some of it is done already.
  func undo(to mark: Mark) -> Bool {
    let isDone = mark.open.contains { $0.place < executed && $0.entry.count > $0.count }
    guard mark.dropped == dropped, executed <= mark.count, !isDone else { return false }
    entries.removeSubrange(mark.count...)
    for (entry, _, count) in mark.open { entry.cut(count) }
    return true
  }

  /// The last entry that is yet to be done.
  var last: JournalEntry? { executed < entries.count ? entries.last : nil }

  func add(_ change: TableChange, to table: DestinationTable) { entry(for: table).append(change) }
  func add(_ items: AsideItems) { entry(for: nil).append(items) }
  func add(_ action: @escaping () throws -> Void) { entries.append(JournalEntry(action)) }

  /// Does what is yet to be done.
  func execute(in store: DestinationStore) throws {
    while executed < entries.count {
      try entries[executed].execute(in: store)
      executed += 1
    }
  }

  /// Nothing is done, on another connection.
  func restart() { executed = 0 }

  /// Drops all.
  func drop() {
    dropped += entries.count
    (entries, executed) = ([], 0)
  }

  /// Those that more can join: nothing else waits behind them. There are few, one for each table.
  private var open: Range<Int> {
    let start = max(executed, entries.lastIndex { !$0.isOpen }.map { $0 + 1 } ?? 0)
    return start..<max(start, entries.count)
  }

  /// The entry that a change of a table joins, or where it is nil what is set aside. It comes before those of other tables then, which
  /// is the same to them: but tables of somebody else may have rows that refer to each other.
  private func entry(for table: DestinationTable?) -> JournalEntry {
    let places = table?.isAdopted == true ? open.suffix(1) : open
    if let place = places.last(where: { entries[$0].table === table }) { return entries[place] }
    let entry = table.map { JournalEntry($0) } ?? JournalEntry()
    entries.append(entry)
    return entry
  }
}

/// Changes of one table, in their order, items that are set aside, or something else to do.
final class JournalEntry {
  let table: DestinationTable?
  private var changes: [TableChange] = []
  private var aside: [AsideItems] = []
  private let action: (() throws -> Void)?

  init(_ table: DestinationTable) { (self.table, action) = (table, nil) }

  /// For items that are set aside.
  init() { (table, action) = (nil, nil) }

  init(_ action: @escaping () throws -> Void) { (table, self.action) = (nil, action) }

  /// Changes, or times that items were set aside.
  var count: Int { changes.count + aside.count }

  /// Whether more can join what is there.
  var isOpen: Bool { action == nil }

  func append(_ change: TableChange) { changes.append(change) }
  func append(_ items: AsideItems) { aside.append(items) }

  /// Keeps the first ones.
  func cut(_ count: Int) {
    if !changes.isEmpty { changes.removeSubrange(count...) }
    if !aside.isEmpty { aside.removeSubrange(count...) }
  }

  func execute(in store: DestinationStore) throws {
    try action?()
    try table?.execute(changes)
    if !aside.isEmpty { try AsideItems.write(aside, in: store) }
  }
}
