extension PathChanges {
  /// The operations of a change by kind, in any order.
  struct Parts {
    var sectionDeletions: [SectionPlace] = []
    var sectionInsertions: [SectionPlace] = []
    var sectionMoves: [SectionMove] = []
    var sectionReloads: [SectionMove] = []
    var deletions: [ItemPlace] = []
    var insertions: [ItemPlace] = []
    var moves: [ItemMove] = []
    var reloads: [ItemMove] = []
  }
}

extension PathChanges.Parts {
  /// For each old section, where its items go within the section that it becomes (Texture 2.4).
  func itemMaps(oldCounts: [Int], sectionMap: IndexMap) -> [IndexMap] {
    var deleted: [Int: [Int]] = [:]
    var inserted: [Int: [Int]] = [:]
    var moved: [Int: [(from: Int, to: Int)]] = [:]
    for place in deletions { deleted[place.path.section, default: []].append(place.path.item) }
    for place in insertions { inserted[place.path.section, default: []].append(place.path.item) }
    for move in moves {
      if sectionMap.new(move.from.section) == move.to.section {
        moved[move.from.section, default: []].append((move.from.item, move.to.item))
      } else {
        deleted[move.from.section, default: []].append(move.from.item)
        inserted[move.to.section, default: []].append(move.to.item)
      }
    }
    return oldCounts.indices.map { section in
      guard let new = sectionMap.new(section) else { return .empty }
      return IndexMap(
        oldCount: oldCounts[section], deleted: deleted[section] ?? [], inserted: inserted[new] ?? [],
        moved: moved[section] ?? [])
    }
  }
}
