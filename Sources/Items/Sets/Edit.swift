/// An edit by the caller, by ids, so that pages fetched in the meantime don't change its meaning.
///
/// ```swift
/// var set = ItemSet()
/// let result = set.edit(.insert([item], .end))
/// ```
public enum Edit: Sendable, Equatable {
  /// Inserts items; one whose id is already in the set replaces the old item in place.
  case insert([Item], Placement)
  /// Removes items.
  case remove([ItemID])
  /// Replaces items in place.
  case replace([Item])
  /// Moves items as one run, in the order given; they stay where they are if the item beside the target is unknown.
  case move([ItemID], Placement)

  /// Where items are put.
  public enum Placement: Sendable, Hashable {
    /// Before the first held item.
    case start
    /// After the last held item.
    case end
    /// New items go to the end if the id is unknown.
    case before(ItemID)
    /// New items go to the end if the id is unknown.
    case after(ItemID)
  }
}

/// The result of an edit.
public struct EditResult: Sendable, Equatable {
  /// The change from the set before to the set after.
  public var changes = ChangeSet()
  /// Ids in the edit that are not in the set, in its order.
  public var unknown: [ItemID] = []

  public init() {}

  /// Numbers of inserted, removed, moved and updated items.
  public var counts: EditCounts { EditCounts(changes) }
}

/// The size of a change set, in items.
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

/// What to do with an item whose id is already in the set.
public enum Merge: String, Sendable, CaseIterable {
  /// Keeps the old item and drops the new one.
  case keep
  /// Replaces the old item.
  case replace
}

/// What happened to the items added to an item set.
public struct MergeResult: Sendable, Equatable {
  /// The new items, in order.
  public var inserted: [Item] = []
  /// The place of the first of them.
  public var path = ItemPath(item: 0)
  /// Items that replaced a different older one.
  public var updated: [ChangeSet.Update] = []
  /// Items whose id was already in the set, updated or not.
  public var duplicates = 0
  /// Those of them that changed nothing, in order.
  public var repeated: [Item] = []

  public init() {}

  /// The same, as a change set.
  public var changeSet: ChangeSet {
    var changes = ChangeSet()
    changes.insert(inserted, at: path)
    changes.updates = updated
    return changes
  }
}
