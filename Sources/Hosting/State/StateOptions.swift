public import Paging

/// What a run says of the state of its output.
public struct StateOptions: Sendable, Equatable {
  /// Whether state is kept at all.
  public var isKept = true
  /// The file for the state of a text or of standard output; nil is the one beside a text.
  public var path: String?
  /// Whether readings begin anew that could go on.
  public var isFresh = false
  /// What the command line says of `WriteMode`; nil leaves it to the source.
  public var write: WriteMode?
  /// Whether the sources are read again and again.
  public var isRefreshing = false
  /// Whether several processes of one run write the output, each the partitions that it has claimed.
  public var isShared = false
  /// Whether the run is a share of one, of which others write the same output before or after it.
  public var isShare = false
  /// The run of which they are processes, by a name that all of them are given; nil is the one that is open.
  public var run: String?

  /// State is kept, and readings go on.
  public init() {}
}
