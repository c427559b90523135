public import Paging

/// What a run says of the state of its output.
public struct StateOptions: Sendable, Equatable {
  /// Whether state is kept at all.
  public var isKept = true
  /// Whether readings begin anew that could go on.
  public var isFresh = false
  /// What the command line says of `WriteMode`; nil leaves it to the source.
  public var write: WriteMode?
  /// Whether the sources are read again and again.
  public var isRefreshing = false
  /// What takes the place of bookmarks, as JSON; nil leaves them.
  public var since: String?
  /// Stands for the script and what it loads, to notice that they have changed.
  public var script = ""

  /// State is kept, and readings go on.
  public init() {}
}
