public import Items

/// What a feed asks for, to be carried out in order.
public enum Effect: Sendable, Equatable {
  /// Call the fetch handler.
  case fetch(FetchRequest)
  /// The answer is no longer wanted.
  case cancel(FetchID)
  /// Send `.woke` then; the newest one holds, earlier ones are forgotten.
  case wake(at: Instant)
  /// Show or write it, then answer `applied`. Revisions count up by one.
  case apply(ChangeSet, revision: Int)
  /// The items that the reader sees have moved by so many places, further back where it is positive: it moves its own
  /// viewport by as much, and sees the same. Comes behind the change set that did it; the feed knows already.
  ///
  /// One way for all that moves items: pages prepended or dropped at the front, edits and refreshes. A reader that shows
  /// changes later tells its viewport in the places of the newest change set all the same. One that looks at places has nothing
  /// to do.
  case shiftViewport(by: Int)
  /// Other items are near whose details will be wanted (`FeedConfiguration.Options.prefetchesDetails`).
  case prefetch(PrefetchRange.Change)
  /// The list has been read to its end; what its source said otherwise, if anything.
  case ended(TotalMismatch?)
  /// What happened, for traces and people; nothing follows from it.
  case note(Note)
}
