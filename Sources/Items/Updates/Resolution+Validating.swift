extension Resolution {
  /// Throws the first fault, in Texture's order (2.5); places named twice come last.
  func validate() throws(UpdateError) {
    try checkSectionCount()
    try checkDeletedSections()
    try checkDeletedItems()
    try checkInsertedItems()
    try checkInsertedSections()
    try checkItemCounts()
    try submission.checkDuplicates()
  }

  private func checkSectionCount() throws(UpdateError) {
    let deleted = goneSections.union(submission.sectionMoves.map(\.from)).count
    let unmapped = goneSections.count { !oldCounts.indices.contains($0) && isReloaded($0) }
    let inserted = newSections.union(submission.sectionMoves.map(\.to)).count + unmapped
    guard newCounts.count != oldCounts.count + inserted - deleted else { return }
    var error = UpdateError(.invalidSectionCount)
    (error.old, error.new) = (oldCounts.count, newCounts.count)
    (error.inserted, error.deleted) = (inserted, deleted)
    throw error
  }

  /// A section to reload that never was counts as coming too, so that its own fault is found.
  private func isReloaded(_ section: Int) -> Bool {
    submission.sectionReloads.contains { $0.section == section }
  }

  private func checkDeletedSections() throws(UpdateError) {
    let sections = goneSections.union(submission.sectionMoves.map(\.from))
    if let section = sections.filter({ $0 >= oldCounts.count }).min() {
      throw UpdateError(.deleteSectionOutOfBounds, section: section, old: oldCounts.count)
    }
  }

  private func checkDeletedItems() throws(UpdateError) {
    let paths = deletions.map(\.path) + reloaded.map(\.path) + moves.map(\.from)
    let fault = paths.filter { !($0.section < oldCounts.count && $0.item < oldCounts[$0.section]) }.max()
    guard let path = fault else { return }
    guard path.section < oldCounts.count else {
      throw UpdateError(.deleteItemSectionOutOfBounds, path: path, old: oldCounts.count)
    }
    throw UpdateError(.deleteItemOutOfBounds, path: path, old: oldCounts[path.section])
  }

  private func checkInsertedItems() throws(UpdateError) {
    let paths = insertions.map(\.path) + reloads.map(\.to) + moves.map(\.to)
    let fault = paths.filter { !($0.section < newCounts.count && $0.item < newCounts[$0.section]) }.min()
    guard let path = fault else { return }
    guard path.section < newCounts.count else {
      throw UpdateError(.insertItemSectionOutOfBounds, path: path, new: newCounts.count)
    }
    throw UpdateError(.insertItemOutOfBounds, path: path, new: newCounts[path.section])
  }

  private func checkInsertedSections() throws(UpdateError) {
    let sections = newSections.union(submission.sectionMoves.map(\.to))
    if let section = sections.filter({ $0 >= newCounts.count }).min() {
      throw UpdateError(.insertSectionOutOfBounds, section: section, new: newCounts.count)
    }
  }

  private func checkItemCounts() throws(UpdateError) {
    var deleted: [Int: Set<Int>] = [:]
    var inserted: [Int: Set<Int>] = [:]
    for path in deletions.map(\.path) + moves.map(\.from) {
      deleted[path.section, default: []].insert(path.item)
    }
    for path in insertions.map(\.path) + moves.map(\.to) {
      inserted[path.section, default: []].insert(path.item)
    }
    let both = reloaded.lazy.map(\.path).filter { deleted[$0.section]?.contains($0.item) == true }
    let doubled = Dictionary(grouping: both, by: \.section)
    for section in oldCounts.indices where !goneSections.contains(section) {
      guard let new = sectionMap.new(section) else { continue }
      if let path = doubled[section]?.min() { throw UpdateError(.deleteAndReloadSameItem, path: path) }
      let gone = deleted[section]?.count ?? 0
      let come = inserted[new]?.count ?? 0
      guard newCounts[new] != oldCounts[section] + come - gone else { continue }
      var error = UpdateError(
        .invalidItemCount, section: section, old: oldCounts[section], new: newCounts[new])
      (error.inserted, error.deleted) = (come, gone)
      throw error
    }
  }
}
