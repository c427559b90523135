public import Items

/// What the host has to do for the data controller.
public enum DataEffect<Source: ElementSource>: Sendable {
  /// Run the jobs, concurrently if possible, and answer each with `jobFinished` or `jobFailed`. If synchronous, the
  /// reader waits for them.
  case perform([Job<Source>], isSynchronous: Bool)
  /// The reader now waits for these jobs, started earlier.
  case hurry([JobID])
  /// Cancel these jobs; their answers are ignored.
  case cancel([JobID])
  /// Hand these changes to the reader, in order; it answers with `readerApplied(revision)`.
  case apply(revision: Int, [ElementChange<Source>])
  /// A change set is visible: call its completion.
  case complete(Int)
  /// Resume the waiter with this token.
  case resume(Int)
}

/// One change set with its new elements.
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
