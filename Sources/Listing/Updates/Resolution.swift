import Items

/// The operations of a batch, sorted and mapped (Texture 2.3), not yet validated.
struct Resolution {
  let oldCounts: [Int]
  let newCounts: [Int]
  let submission: Submission
  let sectionMap: IndexMap
  let itemMaps: [IndexMap]
  /// Old and new index of each section to reload.
  private(set) var sectionReloads: [SectionMove] = []
  /// Deleted sections, including reloaded but not moved ones.
  private(set) var goneSections: Set<Int>
  /// Inserted sections, including reloaded but not moved ones.
  private(set) var newSections: Set<Int>
  /// Deleted items, except those of deleted sections.
  private(set) var deletions: [ItemPlace]
  /// Inserted items, except those of inserted sections.
  private(set) var insertions: [ItemPlace]
  private(set) var moves: [ItemMove] = []
  /// Old places of all reloaded items, except those of deleted sections.
  private(set) var reloaded: [ItemPlace] = []
  /// Reloaded items that have a new place.
  private(set) var reloads: [ItemMove] = []

  init(_ batch: BatchUpdate, newCounts: [Int]) throws(UpdateError) {
    submission = Submission(batch)
    oldCounts = batch.oldCounts
    self.newCounts = newCounts
    if batch.moveStyle == .real { try submission.checkMoves() }
    sectionMap = IndexMap(
      oldCount: oldCounts.count, deleted: submission.sectionDeletions.map(\.section),
      inserted: submission.sectionInsertions.map(\.section),
      moved: submission.sectionMoves.map { ($0.from, $0.to) })
    itemMaps = submission.parts.itemMaps(oldCounts: oldCounts, sectionMap: sectionMap)
    goneSections = Set(submission.sectionDeletions.map(\.section))
    newSections = Set(submission.sectionInsertions.map(\.section))
    deletions = []
    insertions = []
    try resolveSectionReloads()
    deletions = submission.deletions.filter { !goneSections.contains($0.path.section) }
    insertions = submission.insertions.filter { !newSections.contains($0.path.section) }
    resolveMoves()
    try resolveReloads()
  }

  /// The resulting operations, if valid.
  var parts: PathChanges.Parts {
    var parts = submission.parts
    parts.sectionReloads = sectionReloads
    (parts.deletions, parts.insertions) = (deletions, insertions)
    (parts.moves, parts.reloads) = (moves, reloads)
    return parts
  }

  private mutating func resolveSectionReloads() throws(UpdateError) {
    let leaving = goneSections.union(submission.sectionMoves.map(\.from))
    for place in submission.sectionReloads {
      guard !leaving.contains(place.section) else {
        throw UpdateError(.reloadAndDeleteSameSection, section: place.section)
      }
      goneSections.insert(place.section)
      guard oldCounts.indices.contains(place.section), let new = sectionMap.new(place.section) else {
        continue
      }
      newSections.insert(new)
      sectionReloads.append(SectionMove(from: place.section, to: new, animation: place.animation))
    }
  }

  /// A move with one end in a deleted or inserted section is reduced to its other end.
  private mutating func resolveMoves() {
    for move in submission.moves {
      switch (goneSections.contains(move.from.section), newSections.contains(move.to.section)) {
      case (false, false): moves.append(move)
      case (true, false): insertions.append(ItemPlace(move.to, animation: move.animation))
      case (false, true): deletions.append(ItemPlace(move.from, animation: move.animation))
      case (true, true): break
      }
    }
  }

  /// A call that names only items without a new place is empty, unless one of them moves or never existed: those have
  /// faults of their own.
  private mutating func resolveReloads() throws(UpdateError) {
    let leaving = submission.reloads.isEmpty ? [] : Set(submission.moves.map(\.from))
    for places in submission.reloads {
      var isEmpty = true
      for place in places {
        let path = place.path
        let isThere = oldCounts.indices.contains(path.section) && path.item < oldCounts[path.section]
        let target = isThere ? newPath(of: path) : nil
        if target != nil || !isThere || leaving.contains(path) { isEmpty = false }
        guard !goneSections.contains(path.section) else { continue }
        reloaded.append(place)
        if let target, !newSections.contains(target.section) {
          reloads.append(ItemMove(from: path, to: target, animation: place.animation))
        }
      }
      if isEmpty { throw UpdateError(.emptyChange, path: places[0].path) }
    }
  }

  private func newPath(of old: ItemPath) -> ItemPath? {
    guard let section = sectionMap.new(old.section) else { return nil }
    return itemMaps[old.section].new(old.item).map { ItemPath(section: section, item: $0) }
  }

  /// Throws the first fault, in Texture's order (2.5); duplicate places come last.
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

  /// A reloaded section that never existed counts as inserted too, so that its own fault is found.
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
