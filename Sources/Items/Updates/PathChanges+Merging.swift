extension PathChanges {
  /// This change and the one after it as one, for a reader that was busy.
  ///
  /// What came and went between leaves no trace, and no more moves than have to.
  public func merged(with later: PathChanges) -> PathChanges {
    precondition(newCounts == later.oldCounts, "\(later.oldCounts) items after a change to \(newCounts)")
    guard !isReload, !later.isReload else {
      return PathChanges(reloading: oldCounts, newCounts: later.newCounts)
    }
    let first = arrangement
    let second = later.arrangement
    var parts = Parts(first.followed(by: second, lotCount: lotCount))
    let (gone, new) = (parts.goneSections, parts.newSections)
    parts.reloads = survivingReloads(first, later, second).filter {
      !gone.contains($0.from.section) && !new.contains($0.to.section)
    }
    return PathChanges(parts, oldCounts: oldCounts, newCounts: later.newCounts)
  }

  /// Reloads of both, by the places before the first and after the later one; an item that came between is
  /// new anyway.
  private func survivingReloads(
    _ first: Arrangement, _ later: PathChanges, _ second: Arrangement
  ) -> [ItemMove] {
    guard !reloads.isEmpty || !later.reloads.isEmpty else { return [] }
    let tracker = PathTracker(second, sectionCount: newCounts.count)
    var result: [ItemPath: ItemMove] = [:]
    for reload in reloads {
      guard let path = tracker.path(of: reload.to) else { continue }
      result[path] = ItemMove(from: reload.from, to: path, animation: reload.animation)
    }
    let indices = Dictionary(
      uniqueKeysWithValues: Set(later.reloads.map(\.from.section)).map {
        ($0, RunIndex(first.sections[$0].runs))
      })
    for reload in later.reloads {
      let middle = reload.from
      guard let run = indices[middle.section]?.slice(middle.item..<middle.item + 1).first,
        case .old(let section) = run.source
      else { continue }
      let from = ItemPath(section: section, item: run.range.lowerBound)
      result[reload.to] = ItemMove(from: from, to: reload.to, animation: reload.animation)
    }
    return Array(result.values)
  }
}

extension PathChanges.Parts {
  /// Reads the operations off an arrangement.
  ///
  /// Items move between sections that stay; from a section that goes they come, to one that comes they go.
  init(_ arrangement: Arrangement) {
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
