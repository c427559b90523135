/// What one side of a feed is doing.
public enum FetchState: Sendable, Hashable {
  /// Nothing is in flight; a policy may start a fetch.
  case idle
  case fetching(inFlight: Int)
  /// The next page to deliver failed transiently and will be retried at that time.
  case failed(FetchFailure, retryAt: Instant)
  /// Failed for good, until retried or refreshed.
  case gaveUp(FetchFailure)
  /// The feed stopped by itself, until retried or refreshed.
  case stopped(StopReason)
  /// No more pages in this direction.
  case exhausted

  /// Whether only a retry or a refresh goes on.
  public var hasGivenUp: Bool {
    switch self {
    case .gaveUp, .stopped: true
    case .idle, .fetching, .failed, .exhausted: false
    }
  }
}

/// Why a feed stopped fetching.
public enum StopReason: Sendable, Hashable {
  /// This many consecutive fetches brought nothing new.
  case fruitless(fetches: Int)
  /// The page limit is reached (`FeedConfiguration.Options.maxPages`); retrying doesn't help.
  case pageLimit(pages: Int)
}
