extension ChangeSet {
  /// Applies the change to sections of items; on failure they are left as they were.
  ///
  /// Takes time in proportion to the change and to the sections it touches elsewhere than at their ends.
  public func apply(to sections: inout [[Item]]) throws(ChangeSetMismatch) {
    let counts = baseCounts(over: sections.map(\.count))
    let arrangement = try Arrangement(blueprint(counts: counts))
    try checkUpdates(arrangement.sections.map(\.count))
    if isReload || sections.count != counts.count { sections = counts.map { _ in [] } }
    let lots = lots
    arrangement.apply(to: &sections) { run, _ in
      guard case .fresh(let number) = run.source else { return [] }
      return run.range.count == lots[number].count ? lots[number] : Array(lots[number][run.range])
    }
    for update in updates { sections[update.path.section][update.path.item] = update.item }
  }

  /// Items per section that the change begins with.
  func baseCounts(over counts: [Int]) -> [Int] {
    let isBare = isReload || (counts.isEmpty && !insertions.isEmpty)
    return isBare ? (sectionInsertions.isEmpty ? [0] : []) : counts
  }

  /// Its parts without the items.
  func blueprint(counts: [Int]) -> Blueprint {
    Blueprint(
      counts: counts, removals: removals, sectionRemovals: sectionRemovals, sectionMoves: sectionMoves,
      sectionInsertions: sectionInsertions.map {
        Blueprint.Lot(
          path: ItemPath(section: $0.section, item: 0), count: $0.items.count, animation: $0.animation)
      },
      moves: moves,
      insertions: insertions.map {
        Blueprint.Lot(path: $0.path, count: $0.items.count, animation: $0.animation)
      })
  }

  /// The items it brings, numbered as in a blueprint.
  var lots: [[Item]] { insertions.map(\.items) + sectionInsertions.map(\.items) }

  func checkUpdates(_ counts: [Int]) throws(ChangeSetMismatch) {
    for path in updates.map(\.path) {
      guard counts.indices.contains(path.section), 0..<counts[path.section] ~= path.item else {
        throw ChangeSetMismatch(part: .update, path: path, counts: counts)
      }
    }
  }
}
