/// What one side of a feed is doing.
public enum FetchState: Sendable, Hashable {
  /// Nothing is under way; a policy may start something.
  case idle
  case fetching(inFlight: Int)
  /// The page to deliver next failed in passing and is fetched again at that time.
  case failed(FetchFailure, retryAt: Instant)
  /// Over until retried or refreshed.
  case gaveUp(FetchFailure)
  /// The feed stopped by itself; over until retried or refreshed.
  case stopped(StopReason)
  /// No more pages this way.
  case exhausted
}

/// Why a feed stopped asking.
public enum StopReason: Sendable, Hashable {
  /// That many fetches in a row brought nothing new.
  case fruitless(fetches: Int)
  /// As many pages took their place as may be read (`FeedConfiguration.Options.maxPages`); a retry changes nothing.
  case pageLimit(pages: Int)
}
