extension PathChanges {
  /// The same change with its items; `item` gives what comes or is reloaded, by its new place.
  public func changeSet(item: (ItemPath) -> Item) -> ChangeSet {
    func items(_ section: Int, _ range: Range<Int>) -> [Item] {
      range.map { item(ItemPath(section: section, item: $0)) }
    }
    func whole(_ section: Int, _ animation: Int) -> ChangeSet.SectionInsertion {
      ChangeSet.SectionInsertion(
        section: section, items: items(section, 0..<newCounts[section]), animation: animation)
    }
    var changes = ChangeSet()
    changes.isReload = isReload
    guard !isReload else {
      changes.sectionInsertions = newCounts.indices.map { whole($0, 0) }
      return changes
    }
    changes.removals = removals
    changes.sectionRemovals = sectionDeletions
    changes.sectionMoves = movedSections
    changes.sectionInsertions = sectionInsertions.map { whole($0.section, $0.animation) }
    changes.moves = movedItems
    for run in PathChanges.runs(of: insertions) {
      let range = run.path.item..<run.path.item + run.count
      changes.insert(items(run.path.section, range), at: run.path, animation: run.animation)
    }
    for reload in sectionReloads {
      let path = ItemPath(section: reload.to, item: 0)
      changes.insert(items(reload.to, 0..<newCounts[reload.to]), at: path, animation: reload.animation)
    }
    changes.updates = reloads.map {
      ChangeSet.Update(path: $0.to, item: item($0.to), animation: $0.animation)
    }
    return changes
  }
}
