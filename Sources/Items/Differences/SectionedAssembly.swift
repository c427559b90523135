/// Puts the differences of sections and those of their elements together.
@usableFromInline
struct SectionedAssembly {
  /// Sections that are there before and after.
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

  /// What has left a section that stays, and what has come to one; nothing while only one section stays.
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
