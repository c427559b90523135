/// What turns one item set into the next.
///
/// Applied in this order: `isReload`, removals (old indices, descending), insertions (new indices,
/// ascending), updates (new indices).
public struct ChangeSet: Sendable, Equatable {
  /// Items that go, in one run.
  public struct Removal: Sendable, Hashable {
    /// The section they leave.
    public var section: Int
    /// Their indices before the change.
    public var range: Range<Int>

    public init(section: Int = 0, range: Range<Int>) {
      self.section = section
      self.range = range
    }
  }

  /// Items that come, in one run from `path` on.
  public struct Insertion: Sendable, Equatable {
    /// Where the first of them is after the change.
    public var path: ItemPath
    /// In their order.
    public var items: [Item]

    public init(path: ItemPath, items: [Item]) {
      self.path = path
      self.items = items
    }
  }

  /// An item in its new form.
  public struct Update: Sendable, Equatable {
    /// Where it is after the change.
    public var path: ItemPath
    /// The new form.
    public var item: Item

    public init(path: ItemPath, item: Item) {
      self.path = path
      self.item = item
    }
  }

  /// Everything that was there before is gone.
  public var isReload = false
  /// Runs that go; none overlaps another.
  public var removals: [Removal] = []
  /// Runs that come, in ascending order.
  public var insertions: [Insertion] = []
  /// Items in a new form; of several forms of one item the last counts.
  public var updates: [Update] = []

  public init() {}

  /// Whether it changes nothing.
  public var isEmpty: Bool {
    !isReload && removals.isEmpty && insertions.isEmpty && updates.isEmpty
  }

  /// All items that it brings, in order.
  public var insertedItems: [Item] {
    insertions.count == 1 ? insertions[0].items : insertions.flatMap(\.items)
  }

  /// Adds a run of new items; none is no insertion.
  public mutating func insert(_ items: [Item], at path: ItemPath) {
    if !items.isEmpty { insertions.append(Insertion(path: path, items: items)) }
  }

  /// Adds a run of items to go; an empty one is no removal.
  public mutating func remove(_ range: Range<Int>, section: Int = 0) {
    if !range.isEmpty { removals.append(Removal(section: section, range: range)) }
  }
}
