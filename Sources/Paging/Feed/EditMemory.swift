internal import Items

/// The caller's recent edits, as long as answers are in flight that predate them.
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

  /// An answer adjusted to the edits: removed items are left out, replaced items keep their new form.
  func current(_ items: [Item], fetch: Int) -> [Item] {
    items.compactMap { item in
      guard let edit = edits[item.id], fetch <= edit.fetch else { return item }
      return edit.item
    }
  }

  /// Forgets edits that no answer in flight predates.
  mutating func forget(olderThan fetch: Int) { edits = edits.filter { $0.value.fetch >= fetch } }
}
