/// How one list becomes another, by offsets; what `difference` of arrays finds.
///
/// Elements with equal ids are the same element. Where an id is there more than once, each counts once.
public struct ListDifference: Sendable, Equatable {
  /// An element of both lists.
  public struct Pair: Sendable, Hashable {
    /// Its old offset.
    public var from: Int
    /// Its new offset.
    public var to: Int

    @inlinable
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Too much changed: the lists count as having nothing in common, and all other parts are empty.
  public var isReload = false
  /// Old offsets of elements that go, ascending.
  public var deletions: [Int] = []
  /// New offsets of elements that come, ascending.
  public var insertions: [Int] = []
  /// Elements that have to move, ascending by where they go; as few as can be when ids are unique.
  public var moves: [Pair] = []
  /// Elements of which the new form differs, ascending by their new offset; some may move too.
  public var updates: [Pair] = []

  /// No difference.
  @inlinable public init() {}

  /// A difference too large to be told.
  @inlinable
  static var reload: ListDifference {
    var difference = ListDifference()
    difference.isReload = true
    return difference
  }

  /// Whether both lists are the same.
  @inlinable
  public var isEmpty: Bool { !isReload && count == 0 }

  /// Elements that go, come and move, and those with a new form.
  @inlinable
  public var count: Int { deletions.count + insertions.count + moves.count + updates.count }

  /// Where each old offset went, for an old list of that many elements.
  public func indexMap(oldCount: Int) -> IndexMap {
    guard !isReload else { return .empty }
    return IndexMap(
      oldCount: oldCount, deleted: deletions, inserted: insertions, moved: moves.map { ($0.from, $0.to) })
  }

  /// The same as a change of one section, for lists of these counts.
  public func pathChanges(oldCount: Int, newCount: Int) -> PathChanges {
    guard !isReload else { return PathChanges(reloading: [oldCount], newCounts: [newCount]) }
    func move(_ pair: Pair) -> ItemMove {
      ItemMove(from: ItemPath(item: pair.from), to: ItemPath(item: pair.to))
    }
    let parts = PathChanges.Parts(
      deletions: deletions.map { ItemPlace(ItemPath(item: $0)) },
      insertions: insertions.map { ItemPlace(ItemPath(item: $0)) },
      moves: moves.map(move), reloads: updates.map(move))
    return PathChanges(parts, oldCounts: [oldCount], newCounts: [newCount])
  }
}
