extension ChangeSet {
  /// This change set and then a later one as one, over sections of that many items.
  ///
  /// What came and went between leaves no trace, an item that came and was updated comes in its new form, and
  /// no more items move than have to.
  public func merged(with later: ChangeSet, counts: [Int]) throws(ChangeSetMismatch) -> ChangeSet {
    var first = try Arrangement(blueprint(counts: baseCounts(over: counts)))
    let middle = first.sections.map(\.count)
    try checkUpdates(middle)
    let base = later.baseCounts(over: middle)
    let second = try Arrangement(later.blueprint(counts: base))
    try later.checkUpdates(second.sections.map(\.count))
    guard !later.isReload else { return later }
    if first.sections.isEmpty { first.sections = base.map { _ in Arrangement.Section() } }
    let firstLots = lots
    let arrangement = first.followed(by: second, lotCount: firstLots.count)
    let tracker = PathTracker(second, sectionCount: first.sections.count)
    let surviving = updates.compactMap { update in
      tracker.path(of: update.path).map {
        Update(path: $0, item: update.item, animation: update.animation)
      }
    }
    return ChangeSet(
      arrangement, lots: firstLots + later.lots, updates: surviving + later.updates, isReload: isReload)
  }

  private init(_ arrangement: Arrangement, lots: [[Item]], updates: [Update], isReload: Bool) {
    var lots = lots
    self.isReload = isReload
    self.updates = ChangeSet.fold(updates, into: &lots, arrangement)
    let gone = Set(arrangement.sectionRemovals.map(\.section))
    removals = arrangement.removals.filter { !gone.contains($0.section) }
    sectionRemovals = arrangement.sectionRemovals
    sectionMoves = arrangement.sectionMoves
    for (index, section) in arrangement.sections.enumerated() {
      moves += arrangement.movedRuns(ofSection: index).flatMap { $0.placed.moves(from: $0.from) }
      let fresh = arrangement.freshRuns(ofSection: index)
      if section.origin == nil {
        let items = fresh.flatMap { ChangeSet.items(of: $0.run, lots) }
        sectionInsertions.append(
          SectionInsertion(section: index, items: items, animation: section.animation))
      } else {
        for placed in fresh { append(ChangeSet.items(of: placed.run, lots), placed) }
      }
    }
  }

  /// Adds a run of items, to the last one where it goes on with it.
  private mutating func append(_ items: [Item], _ placed: Arrangement.PlacedRun) {
    if let last = insertions.last, last.animation == placed.run.animation,
      last.path.section == placed.path.section, last.path.item + last.items.count == placed.path.item
    {
      insertions[insertions.count - 1].items += items
    } else {
      insert(items, at: placed.path, animation: placed.run.animation)
    }
  }

  private static func items(of run: Arrangement.Run, _ lots: [[Item]]) -> [Item] {
    guard case .fresh(let number) = run.source else { return [] }
    return Array(lots[number][run.range])
  }

  /// Puts updates of fresh items into their lots; returns the others, the last of each item.
  private static func fold(
    _ updates: [Update], into lots: inout [[Item]], _ arrangement: Arrangement
  ) -> [Update] {
    var rest: [Update] = []
    var places: [ItemPath: Int] = [:]
    var indices: [Int: RunIndex] = [:]
    for update in updates {
      let section = update.path.section
      let index = indices[section] ?? RunIndex(arrangement.sections[section].runs)
      indices[section] = index
      let run = index.slice(update.path.item..<update.path.item + 1)[0]
      if case .fresh(let number) = run.source {
        lots[number][run.range.lowerBound] = update.item
      } else if let place = places[update.path] {
        rest[place] = update
      } else {
        places[update.path] = rest.count
        rest.append(update)
      }
    }
    return rest
  }
}
