/// One section of a list, for differences of sectioned lists.
public struct ListSection<ID: Hashable, Element> {
  /// The identity of the section.
  public var id: ID
  /// Its elements, in order.
  public var elements: [Element]

  public init(id: ID, elements: [Element]) {
    self.id = id
    self.elements = elements
  }
}

extension ListSection: Sendable where ID: Sendable, Element: Sendable {}

extension Array {
  /// How older sections became these; sections with equal ids are the same section, elements with equal ids the same
  /// element.
  ///
  /// An element that stays in its section is not searched for in others. One that went to another section moves if both
  /// sections exist before and after; else it is deleted or inserted with its section. The parameters are those of the
  /// difference of two lists.
  @inlinable
  public func difference<SectionID: Hashable, Member, ID: Hashable>(
    from old: [ListSection<SectionID, Member>], id: (Member) -> ID,
    isContentEqual: (_ old: Member, _ new: Member) -> Bool, limit: Int? = nil
  ) -> PathChanges where Element == ListSection<SectionID, Member> {
    let sections = difference(from: old, id: { $0.id }, limit: limit)
    var assembly = SectionedAssembly(
      sections, oldCounts: old.map(\.elements.count), newCounts: map(\.elements.count), limit: limit)
    for (from, to) in assembly.keptSections {
      let members = self[to].elements.difference(
        from: old[from].elements, id: id, isContentEqual: isContentEqual, limit: limit)
      assembly.add(members, from: from, to: to)
    }
    let strays = assembly.strays
    if !strays.old.isEmpty, !strays.new.isEmpty {
      let leaving = strays.old.map { old[$0.section].elements[$0.item] }
      let coming = strays.new.map { self[$0.section].elements[$0.item] }
      let found = coming.difference(from: leaving, id: id, isContentEqual: isContentEqual)
      assembly.link(strays, found)
    }
    return assembly.pathChanges
  }
}

/// Combines the differences of sections and of their elements.
@usableFromInline
struct SectionedAssembly {
  /// Item counts of sections that exist before and after.
  @usableFromInline let keptSections: [(from: Int, to: Int)]
  private let oldCounts: [Int]
  private let newCounts: [Int]
  private let limit: Int
  private var parts = PathChanges.Parts()
  private var isReload: Bool

  @usableFromInline
  init(_ sections: ListDifference, oldCounts: [Int], newCounts: [Int], limit: Int?) {
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    self.limit = limit ?? .max
    isReload = sections.isReload
    parts.sectionDeletions = sections.deletions.map { SectionPlace($0) }
    parts.sectionInsertions = sections.insertions.map { SectionPlace($0) }
    parts.sectionMoves = sections.moves.map { SectionMove(from: $0.from, to: $0.to) }
    let map = sections.indexMap(oldCount: oldCounts.count)
    keptSections = newCounts.indices.compactMap { to in map.old(to).map { ($0, to) } }
  }

  /// Adds the difference of one section's elements.
  @usableFromInline
  mutating func add(_ members: ListDifference, from: Int, to: Int) {
    func move(_ pair: ListDifference.Pair) -> ItemMove {
      ItemMove(from: ItemPath(section: from, item: pair.from), to: ItemPath(section: to, item: pair.to))
    }
    isReload = isReload || members.isReload
    parts.deletions += members.deletions.map { ItemPlace(ItemPath(section: from, item: $0)) }
    parts.insertions += members.insertions.map { ItemPlace(ItemPath(section: to, item: $0)) }
    parts.moves += members.moves.map(move)
    parts.reloads += members.updates.map(move)
  }

  /// Items that left or entered a section that stays; empty if only one section stays.
  @usableFromInline
  var strays: (old: [ItemPath], new: [ItemPath]) {
    guard keptSections.count > 1, !isReload else { return ([], []) }
    return (parts.deletions.map(\.path), parts.insertions.map(\.path))
  }

  /// Turns strays that are in both lists into moves; `found` is the difference between the two lists.
  @usableFromInline
  mutating func link(_ strays: (old: [ItemPath], new: [ItemPath]), _ found: ListDifference) {
    let map = found.indexMap(oldCount: strays.old.count)
    func move(_ from: Int, _ to: Int) -> ItemMove { ItemMove(from: strays.old[from], to: strays.new[to]) }
    parts.moves += strays.new.indices.compactMap { to in map.old(to).map { move($0, to) } }
    parts.reloads += found.updates.map { move($0.from, $0.to) }
    parts.deletions = found.deletions.map { ItemPlace(strays.old[$0]) }
    parts.insertions = found.insertions.map { ItemPlace(strays.new[$0]) }
  }

  @usableFromInline
  var pathChanges: PathChanges {
    let sections =
      parts.sectionDeletions.count + parts.sectionInsertions.count + parts.sectionMoves.count
    let items = parts.deletions.count + parts.insertions.count + parts.moves.count + parts.reloads.count
    guard !isReload, sections + items <= limit else {
      return PathChanges(reloading: oldCounts, newCounts: newCounts)
    }
    return PathChanges(parts, oldCounts: oldCounts, newCounts: newCounts)
  }
}
