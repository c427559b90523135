/// A change that the caller makes, by ids: it means the same whatever has come in meanwhile.
public enum Edit: Sendable, Equatable {
  /// Items that come; one whose id is held already takes the place of the held form.
  case insert([Item], Placement)
  /// Items that go.
  case remove([ItemID])
  /// Items in a new form, where they are.
  case replace([Item])
  /// Items that go elsewhere, as one run in the order given; they stay where the item beside them is not held.
  case move([ItemID], Placement)

  /// Where items come.
  public enum Placement: Sendable, Hashable {
    /// Before the first item that is held.
    case start
    /// Behind the last item that is held.
    case end
    /// New items come at the end where that one is not held.
    case before(ItemID)
    /// New items come at the end where that one is not held.
    case after(ItemID)
  }
}

/// What an edit came to.
public struct EditResult: Sendable, Equatable {
  /// From the set before it to the set after it.
  public var changes = ChangeSet()
  /// Ids that the edit named and that are not held, in its order.
  public var unknown: [ItemID] = []

  public init() {}

  /// Items that came, went, changed their place and got a new form.
  public var counts: EditCounts { EditCounts(changes) }
}

/// How much a change set changes, in items.
public struct EditCounts: Sendable, Hashable {
  public var inserted: Int
  public var removed: Int
  public var moved: Int
  public var updated: Int

  public init(_ changes: ChangeSet) {
    inserted = changes.insertions.reduce(0) { $0 + $1.items.count }
    removed = changes.removals.reduce(0) { $0 + $1.range.count }
    moved = changes.moves.count
    updated = changes.updates.count
  }
}

/// What happens to an item whose id is already held.
public enum Merge: String, Sendable, CaseIterable {
  /// The held one stays; the new one is dropped.
  case keep
  /// The new one takes its place.
  case replace
}

/// What became of the items given to an item set.
public struct MergeResult: Sendable, Equatable {
  /// Items that were new, in order.
  public var inserted: [Item] = []
  /// Where the first of them is.
  public var path = ItemPath(item: 0)
  /// Items that took the place of an older form that differed.
  public var updated: [ChangeSet.Update] = []
  /// Items whose id was held before, updated or not.
  public var duplicates = 0

  public init() {}

  /// The same as a change set.
  public var changeSet: ChangeSet {
    var changes = ChangeSet()
    changes.insert(inserted, at: path)
    changes.updates = updated
    return changes
  }
}
