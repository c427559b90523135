public import Items

/// What the data controller wants of its host.
public enum DataEffect<Source: ElementSource>: Sendable {
  /// Do the jobs, side by side where that is possible, and answer each with `jobFinished` or `jobFailed`. Nothing
  /// else may happen before when the reader is to wait for them.
  case perform([Job<Source>], isSynchronous: Bool)
  /// The reader waits for these jobs after all, which were given to be performed before.
  case hurry([JobID])
  /// Nobody wants what comes of these jobs any more; answers are ignored.
  case cancel([JobID])
  /// Tell the reader of these changes, in order, at once; it answers with `readerApplied(revision)` when it has
  /// them.
  case apply(revision: Int, [ElementChange<Source>])
  /// A change set is visible: call its completion.
  case complete(Int)
  /// What somebody waited for has come.
  case resume(Int)
  /// A new layout is visible; these elements came out different.
  case relaidOut([ElementID])
}

/// One change set with the elements it brings.
public struct ElementChange<Source: ElementSource>: Sendable {
  /// Where everything goes.
  public let paths: PathChanges
  /// New sections, in the order of `paths.insertedSections`, or all of them for a reload.
  public let sections: [ElementMap<Source>.Section]
  /// New items, in the order of `paths.insertedItems`.
  public let items: [Element<Source.Model>]
  /// New supplementary elements of old sections, by new index.
  public let supplementaries: [Int: [String: [Element<Source.Model>]]]
}
