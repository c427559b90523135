/// What turns one item set into the next, with the items it brings.
///
/// Applied in this order: `isReload`; what goes (removed and moved items, then removed and moved sections), by
/// old indices, descending; what comes (inserted and moved sections, then inserted and moved items), by new
/// indices, ascending; updates, by new indices. So no order of the parts matters to whoever makes one.
public struct ChangeSet: Sendable, Equatable {
  /// Everything that was there before is gone: what follows begins with one empty section, or with none when
  /// sections are inserted.
  public var isReload = false
  /// Runs of items that go; none overlaps another.
  public var removals: [Removal] = []
  /// Sections that go, with all their items but those that move.
  public var sectionRemovals: [SectionPlace] = []
  /// Sections that keep their items and change their place.
  public var sectionMoves: [SectionMove] = []
  /// Sections that come.
  public var sectionInsertions: [SectionInsertion] = []
  /// Items that change their place among those that stay.
  public var moves: [ItemMove] = []
  /// Runs of items that come.
  public var insertions: [Insertion] = []
  /// Items in a new form; of several forms of one item the last counts.
  public var updates: [Update] = []

  public init() {}

  /// Whether it changes nothing.
  public var isEmpty: Bool {
    !isReload && removals.isEmpty && sectionRemovals.isEmpty && sectionMoves.isEmpty
      && sectionInsertions.isEmpty && moves.isEmpty && insertions.isEmpty && updates.isEmpty
  }

  /// All items that it brings: those of new sections, then those of old ones, each in order.
  public var insertedItems: [Item] {
    if sectionInsertions.isEmpty, insertions.count == 1 { return insertions[0].items }
    return sectionInsertions.flatMap(\.items) + insertions.flatMap(\.items)
  }

  /// Adds a run of new items; none is no insertion.
  public mutating func insert(_ items: [Item], at path: ItemPath, animation: Int = 0) {
    if !items.isEmpty { insertions.append(Insertion(path: path, items: items, animation: animation)) }
  }

  /// Adds a run of items to go; an empty one is no removal.
  public mutating func remove(_ range: Range<Int>, section: Int = 0, animation: Int = 0) {
    if !range.isEmpty {
      removals.append(Removal(section: section, range: range, animation: animation))
    }
  }
}
