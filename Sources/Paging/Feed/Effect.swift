public import Items

/// An output of a feed; carried out in order.
public enum Effect: Sendable, Equatable {
  /// Call the fetch handler.
  case fetch(FetchRequest)
  /// The answer is no longer wanted.
  case cancel(FetchID)
  /// Send `.woke` then; replaces earlier ones.
  case wake(at: Instant)
  /// Show or write it, then answer `applied`. Revisions count up by one.
  indirect case apply(ChangeSet, revision: Int)
  /// The visible items have moved by so many places, positive is further back: the reader shifts its viewport to see the same.
  /// Follows the change set that moved them; the feed has already adjusted.
  ///
  /// Emitted for pages prepended or dropped at the front, edits and refreshes. A reader that shows changes later still sends
  /// its viewport in places of the newest change set. One that looks at places has nothing to do.
  case shiftViewport(by: Int)
  /// The items whose details will be wanted have changed (`FeedConfiguration.Options.prefetchesDetails`).
  case prefetch(PrefetchRange.Change)
  /// The source says that these items are gone, whether they are held or not.
  indirect case removed([ItemID])
  /// The items of that page, or those that its handler has appended so far, were applied, but for those of known ids, which are
  /// given as they came; said if `tellsRepeated` is set. `isCompared`: the page came before, and is compared with what did.
  indirect case delivered(FetchID, repeated: [Item], isCompared: Bool)
  /// What was applied so far is all that comes before that position; said if `tellsPosition` is set.
  indirect case reached(Position)
  /// The list has been read to its end; with any disagreement with the source's total.
  case ended(TotalMismatch?)
  /// What happened, for traces and people; needs no action.
  indirect case note(Note)
}
