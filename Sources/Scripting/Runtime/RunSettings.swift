public import Items
public import Paging

/// When the sources that a script returned are read again. The differences from the previous reading are delivered as
/// one change set at the end of a reading.
///
/// ```swift
/// options.refresh = RefreshRule(every: .seconds(60), times: 3)
/// ```
public struct RefreshRule: Sendable, Equatable {
  /// From the end of a reading, when the sink has accepted it, to the start of the next.
  public var every: Duration
  /// Readings after the first; nil continues until the run is interrupted.
  public var times: Int?
  /// What was asked for of a reading; a source may say it itself otherwise.
  public var write: WriteMode?

  public init(every: Duration, times: Int? = nil) {
    self.every = every
    self.times = times
  }

  /// What a reading of a source removes that it did not bring: only who asks for a mirror has one emptied.
  func removal(isIncremental: Bool, write: WriteMode?) -> RefreshRemoval {
    switch self.write ?? write {
    case _ where isIncremental: .none
    case .merge, .append: .none
    case .mirror: self.write == nil ? .unlessEmpty : .all
    case nil: .unlessEmpty
    }
  }
}

/// Command line settings that override a source's own.
public struct SourceOverrides: Sendable, Equatable {
  /// Pages in flight where keys can be counted.
  public var width: Width?
  /// The same where neither the command line nor the source says it; nil is the feed's own default.
  public var usualWidth: Width?
  public var timeout: Duration?
  public var retries: Int?
  public var retryMaxWait: Duration?
  public var rate: RateLimit?
  /// Programs that share the rate limits that sources have of their own.
  public var rateShares = 1
  /// Whether every decision is noted, not only those with consequences.
  public var notesEveryDecision = false
  /// Where ids of passed items go that are too many to hold.
  public var spilling: Spilling?

  public init() {}
}
