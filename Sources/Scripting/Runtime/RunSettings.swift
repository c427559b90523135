public import Paging

/// When the sources that a script returned are read again. What differs from the reading before is delivered, as one
/// change set, when a reading has come to its end.
public struct RefreshRule: Sendable, Equatable {
  /// From the end of a reading, when the sink has taken it, to the beginning of the next.
  public var every: Duration
  /// Readings after the first; nil goes on until the run is interrupted.
  public var times: Int?

  public init(every: Duration, times: Int? = nil) {
    self.every = every
    self.times = times
  }
}

/// Settings of the command line that win over a source's own.
public struct SourceOverrides: Sendable, Equatable {
  public var maxInFlight: Int?
  public var timeout: Duration?
  public var retries: Int?
  public var retryMaxWait: Duration?
  public var rate: RateLimit?
  /// Have every decision noted, not only those with consequences.
  public var notesEveryDecision = false

  public init() {}
}
