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
