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
