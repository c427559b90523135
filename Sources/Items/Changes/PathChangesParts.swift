extension PathChanges {
  /// The operations of a change by kind, in any order.
  public struct Parts: Sendable {
    /// Sections that go, by old indices.
    public var sectionDeletions: [SectionPlace]
    /// Sections that come, by new indices.
    public var sectionInsertions: [SectionPlace]
    /// Sections that keep their items and change their place.
    public var sectionMoves: [SectionMove]
    /// Sections that get all their items anew.
    public var sectionReloads: [SectionMove] = []
    /// Items that go, by old places.
    public var deletions: [ItemPlace]
    /// Items that come, by new places.
    public var insertions: [ItemPlace]
    /// Items that change their place.
    public var moves: [ItemMove]
    /// Items with a new form.
    public var reloads: [ItemMove]

    public init(
      sectionDeletions: [SectionPlace] = [], sectionInsertions: [SectionPlace] = [],
      sectionMoves: [SectionMove] = [], deletions: [ItemPlace] = [], insertions: [ItemPlace] = [],
      moves: [ItemMove] = [], reloads: [ItemMove] = []
    ) {
      self.sectionDeletions = sectionDeletions
      self.sectionInsertions = sectionInsertions
      self.sectionMoves = sectionMoves
      self.deletions = deletions
      self.insertions = insertions
      self.moves = moves
      self.reloads = reloads
    }
  }
}

extension PathChanges.Parts {
  /// For each old section, where its items go within the section that it becomes (Texture 2.4).
  public func itemMaps(oldCounts: [Int], sectionMap: IndexMap) -> [IndexMap] {
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

  /// Reads the operations off an arrangement.
  ///
  /// Items move between sections that stay; from a section that goes they come, to one that comes they go.
  init(_ arrangement: Arrangement) {
    self.init()
    sectionDeletions = arrangement.sectionRemovals
    sectionMoves = arrangement.sectionMoves
    for (index, section) in arrangement.sections.enumerated() {
      if section.origin == nil {
        sectionInsertions.append(SectionPlace(index, animation: section.animation))
      } else if let origin = section.origin, section.isReloaded {
        sectionReloads.append(SectionMove(from: origin, to: index, animation: section.animation))
      }
    }
    let gone = goneSections
    for removal in arrangement.removals where !gone.contains(removal.section) {
      delete(removal.range, removal.section, removal.animation)
    }
    for (index, section) in arrangement.sections.enumerated() {
      let moved = arrangement.movedRuns(ofSection: index).filter { !gone.contains($0.from) }
      if section.origin == nil || section.isReloaded {
        for (from, placed) in moved { delete(placed.run.range, from, placed.run.animation) }
      } else {
        moves += moved.flatMap { $0.placed.moves(from: $0.from) }
        for placed in arrangement.placedRuns(ofSection: index) where !stays(placed.run, gone) {
          insert(placed)
        }
      }
    }
  }

  /// Old sections that go or are reloaded.
  var goneSections: Set<Int> { Set(sectionDeletions.map(\.section) + sectionReloads.map(\.from)) }

  /// New sections that come or are reloaded.
  var newSections: Set<Int> { Set(sectionInsertions.map(\.section) + sectionReloads.map(\.to)) }

  private func stays(_ run: Arrangement.Run, _ gone: Set<Int>) -> Bool {
    if case .old(let section) = run.source { !gone.contains(section) } else { false }
  }

  private mutating func delete(_ range: Range<Int>, _ section: Int, _ animation: Int) {
    deletions += range.map { ItemPlace(ItemPath(section: section, item: $0), animation: animation) }
  }

  private mutating func insert(_ placed: Arrangement.PlacedRun) {
    insertions += placed.run.range.indices.map {
      let item = placed.path.item + $0 - placed.run.range.lowerBound
      return ItemPlace(
        ItemPath(section: placed.path.section, item: item), animation: placed.run.animation)
    }
  }
}
