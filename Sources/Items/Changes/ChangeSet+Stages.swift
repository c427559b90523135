extension ChangeSet {
  /// The change in steps, each relative to the one before, for readers that can't apply it all at once.
  ///
  /// At most five, as in DifferenceKit: updates at old places; removals; section inserts and moves; item inserts and
  /// moves; last, removals of sections whose items had to move out first. A reload is a single step.
  public func stages(counts: [Int]) throws(ChangeSetMismatch) -> [ChangeSet] {
    let base = baseCounts(over: counts)
    let whole = try Arrangement(blueprint(counts: base))
    try checkUpdates(whole.sections.map(\.count))
    guard !isReload, base == counts else { return isEmpty ? [] : [self] }

    let leaving = Set(moves.map(\.from.section))
    let late = sectionRemovals.filter { leaving.contains($0.section) }
    var going = ChangeSet()
    let gone = Set(sectionRemovals.map(\.section))
    going.removals = removals.filter { !gone.contains($0.section) }
    going.sectionRemovals = sectionRemovals.filter { !leaving.contains($0.section) }
    let afterGoing = try Arrangement(going.blueprint(counts: base))
    let middle = afterGoing.sections.map(\.count)

    let sections = try sectionStage(late: late, after: afterGoing)
    let afterSections = try Arrangement(sections.blueprint(counts: middle))
    let trackers = (
      PathTracker(afterGoing, sectionCount: base.count),
      PathTracker(afterSections, sectionCount: middle.count)
    )
    var items = ChangeSet()
    items.insertions = insertions
    items.moves = moves.compactMap { move in
      guard let path = trackers.0.path(of: move.from).flatMap({ trackers.1.path(of: $0) }) else { return nil }
      return ItemMove(from: path, to: move.to, animation: move.animation)
    }
    var rest = ChangeSet()
    rest.sectionRemovals = late.enumerated().map { offset, place in
      SectionPlace(whole.sections.count + offset, animation: place.animation)
    }
    let updates = updatesBefore(whole)
    items.updates = updates.late
    return [updates.early, going, sections, items, rest].filter { !$0.isEmpty }
  }

  /// Section inserts and moves; sections removed late sort behind the others.
  private func sectionStage(
    late: [SectionPlace], after going: Arrangement
  ) throws(ChangeSetMismatch) -> ChangeSet {
    var places: [Int: Int] = [:]
    for (index, section) in going.sections.enumerated() { places[section.origin ?? -1] = index }
    let count = going.sections.count - late.count + sectionInsertions.count
    var stage = ChangeSet()
    stage.sectionInsertions = sectionInsertions
    stage.sectionMoves =
      sectionMoves.map { SectionMove(from: places[$0.from] ?? -1, to: $0.to, animation: $0.animation) }
      + late.enumerated().map { offset, place in
        SectionMove(from: places[place.section] ?? -1, to: count + offset, animation: place.animation)
      }
    return stage
  }

  /// Updates of old items by old places, and those of inserted items by new ones.
  private func updatesBefore(_ whole: Arrangement) -> (early: ChangeSet, late: [Update]) {
    var early = ChangeSet()
    var late: [Update] = []
    var indices: [Int: RunIndex] = [:]
    for update in updates {
      let section = update.path.section
      let index = indices[section] ?? RunIndex(whole.sections[section].runs)
      indices[section] = index
      let run = index.slice(update.path.item..<update.path.item + 1)[0]
      guard case .old(let origin) = run.source else {
        late.append(update)
        continue
      }
      let path = ItemPath(section: origin, item: run.range.lowerBound)
      early.updates.append(Update(path: path, item: update.item, animation: update.animation))
    }
    return (early, late)
  }
}
