/// How one list becomes another, by offsets: the result of `difference` on arrays.
///
/// Elements with equal ids are the same element. Duplicates of an id are matched one by one.
///
/// ```swift
/// let change = [1, 3].difference(from: [1, 2], id: { $0 })
/// change.deletions == [1], change.insertions == [1]
/// ```
public struct ListDifference: Sendable, Equatable {
  /// An element that is in both lists.
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

  /// Too much changed: the lists count as unrelated, and all other parts are empty.
  public var isReload = false
  /// Old offsets of deleted elements, ascending.
  public var deletions: [Int] = []
  /// New offsets of inserted elements, ascending.
  public var insertions: [Int] = []
  /// Elements that have to move, ascending by new offset; as few as possible if ids are unique.
  public var moves: [Pair] = []
  /// Elements whose content differs, ascending by new offset; some may move too.
  public var updates: [Pair] = []

  /// No difference.
  @inlinable public init() {}

  /// A difference too large to list.
  @inlinable
  static var reload: ListDifference {
    var difference = ListDifference()
    difference.isReload = true
    return difference
  }

  /// Whether both lists are the same.
  @inlinable
  public var isEmpty: Bool { !isReload && count == 0 }

  /// Number of deleted, inserted, moved and updated elements.
  @inlinable
  public var count: Int { deletions.count + insertions.count + moves.count + updates.count }

  /// The new offset of each old one, for an old list of `oldCount` elements.
  public func indexMap(oldCount: Int) -> IndexMap {
    guard !isReload else { return .empty }
    return IndexMap(
      oldCount: oldCount, deleted: deletions, inserted: insertions, moved: moves.map { ($0.from, $0.to) })
  }

  /// The same change for a single section with these counts.
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

extension Array {
  /// How an older list became this one; elements with equal ids are the same element.
  ///
  /// Takes linear time, O(n log n) with moves. Strings are compared byte by byte. More than `limit` changes are a
  /// reload, detected as early as possible.
  @inlinable
  public func difference<ID: Hashable>(
    from old: [Element], id: (Element) -> ID, limit: Int? = nil
  ) -> ListDifference {
    difference(from: old, id: id, isContentEqual: { _, _ in true }, limit: limit)
  }

  /// The same, with updates: elements of both lists that are not equal.
  @inlinable
  public func difference<ID: Hashable>(
    from old: [Element], id: (Element) -> ID, isContentEqual: (_ old: Element, _ new: Element) -> Bool,
    limit: Int? = nil
  ) -> ListDifference {
    let limit = limit ?? .max
    let found = old.withUnsafeBufferPointer { old in
      withUnsafeBufferPointer { new -> ListDifference? in
        guard let links = Links(old, new, id: id, limit: limit) else { return nil }
        var difference = ListDifference(links)
        difference.addUpdates(links, old, new, isContentEqual)
        return difference
      }
    }
    guard let found, found.count <= limit else { return .reload }
    return found
  }
}

extension ListDifference {
  /// Derives deletions, insertions and moves from the links.
  @inlinable
  init(_ links: Links) {
    let chain = StayingChain(links.sources)
    for (offset, isKept) in links.isKept.enumerated() where !isKept {
      deletions.append(links.prefix + offset)
    }
    var staying = chain.first
    for (offset, source) in links.sources.enumerated() {
      if source == 0 {
        insertions.append(links.prefix + offset)
      } else if offset == staying {
        staying = Int(chain.next[offset])
      } else if !chain.isWhole {
        moves.append(Pair(from: links.prefix + Int(source) - 1, to: links.prefix + offset))
      }
    }
  }

  @inlinable
  mutating func addUpdates<Element>(
    _ links: Links, _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>,
    _ isContentEqual: (Element, Element) -> Bool
  ) {
    func compare(_ from: Int, _ to: Int) {
      if !isContentEqual(old[from], new[to]) { updates.append(Pair(from: from, to: to)) }
    }
    for offset in 0..<links.prefix { compare(offset, offset) }
    for (offset, source) in links.sources.enumerated() where source != 0 {
      compare(links.prefix + Int(source) - 1, links.prefix + offset)
    }
    for offset in links.prefix + links.sources.count..<new.count {
      compare(offset - new.count + old.count, offset)
    }
  }
}
