internal import Items

/// What the caller changed lately, for as long as answers are on their way that do not know of it.
struct EditMemory: Sendable {
  /// The newest fetch at the time of an edit; nil is an item that was removed.
  private var edits: [ItemID: (fetch: Int, item: Item?)] = [:]

  var isEmpty: Bool { edits.isEmpty }

  mutating func remember(_ edit: Edit, newestFetch: Int) {
    switch edit {
    case .remove(let ids): for id in ids { edits[id] = (newestFetch, nil) }
    case .insert(let items, _), .replace(let items):
      for item in items { edits[item.id] = (newestFetch, item) }
    case .move: break
    }
  }

  /// An answer as it would have been, had the source known of the edits: items that were removed since are left out, and
  /// items that have a new form have it.
  func current(_ items: [Item], fetch: Int) -> [Item] {
    items.compactMap { item in
      guard let edit = edits[item.id], fetch <= edit.fetch else { return item }
      return edit.item
    }
  }

  /// Forgets what every answer to come knows of.
  mutating func forget(olderThan fetch: Int) { edits = edits.filter { $0.value.fetch >= fetch } }
}

extension Feed {
  /// The caller changes what is held. Answers of fetches that were begun before do not undo it.
  mutating func edit(_ edit: Edit) {
    let before = items
    let result = items.edit(edit)
    if !isQuiet { memory.remember(edit, newestFetch: statistics.fetches) }
    if gathering != nil {
      if case .insert = edit { gathering?.insertions.append(edit) } else { editGathered(edit) }
    }
    statistics.inserted += result.counts.inserted
    statistics.updated += result.counts.updated
    effects.append(.note(.edited(result.counts, unknown: result.unknown)))
    guard !result.changes.isEmpty else { return }
    heldPages.follow(result.changes, passed: &passedItems)
    let distance = anchorDistance(from: before, to: items)
    apply(result.changes)
    shiftViewport(by: distance)
  }

  private mutating func editGathered(_ edit: Edit) {
    guard var gathered = gathering else { return }
    let result = gathered.items.edit(edit)
    var passed = 0
    gathered.pages.follow(result.changes, passed: &passed)
    gathering = gathered
  }

  /// Forgets edits that no answer under way is older than.
  mutating func forgetEdits() {
    guard !memory.isEmpty else { return }
    let oldest = (pagers[0].slots + pagers[1].slots).compactMap(\.newestFetch).min()
    memory.forget(olderThan: oldest ?? .max)
  }
}

extension [HeldPage] {
  /// Follows an edit: an item that goes is taken from its page, one that comes belongs to the page before it.
  mutating func follow(_ changes: ChangeSet, passed: inout Int) {
    let gone: [Int] = changes.removals.flatMap(\.range) + changes.moves.map(\.from.item)
    for index in gone.sorted(by: >) { add(-1, at: index, passed: &passed) }
    let come: [Int] = changes.insertions.flatMap { $0.path.item..<$0.path.item + $0.items.count }
    for index in (come + changes.moves.map(\.to.item)).sorted() { add(1, at: index, passed: &passed) }
  }

  private mutating func add(_ count: Int, at index: Int, passed: inout Int) {
    var start = passed
    for page in indices {
      let isInside = count < 0 ? index < start + self[page].count : index <= start + self[page].count
      if index >= start, isInside {
        self[page].count += count
        return
      }
      start += self[page].count
    }
    passed += count
  }
}
