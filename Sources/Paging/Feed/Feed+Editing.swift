internal import Items

extension Feed {
  /// The caller changes what is held. Answers of fetches that were begun before do not undo it.
  mutating func edit(_ edit: Edit) {
    if !isQuiet { memory.remember(edit, newestFetch: statistics.fetches) }
    gathering?.edit(edit, shown: items)
    let place = readingPlace
    let result = items.edit(edit)
    statistics.inserted += result.counts.inserted
    statistics.updated += result.counts.updated
    effects.append(.note(.edited(result.counts, unknown: result.unknown)))
    guard !result.changes.isEmpty else { return }
    heldPages.follow(result.changes)
    apply(result.changes)
    shiftViewport(by: place?.distance(to: items) ?? 0)
    dropFarEnds()
  }

  /// Forgets edits that no answer under way is older than.
  mutating func forgetEdits() {
    guard !memory.isEmpty else { return }
    let oldest = (pagers[0].slots + pagers[1].slots).compactMap(\.newestFetch).min()
    memory.forget(olderThan: oldest ?? .max)
  }
}
