public import Paging

/// How far an exploration is to go on.
public struct ExplorationGoal: Sendable, Equatable {
  /// Events that may still happen; nil is as many as there are.
  public var events: Int?
  /// The time at which to stop; nil is when nothing is left to come.
  public var until: Instant?
  /// Stop when the reader has done all that it was going to do, and waits for nothing.
  public var endsWithPlans = false

  public init(events: Int? = nil, until: Instant? = nil) {
    self.events = events
    self.until = until
  }
}

/// Why an exploration does not go on.
public enum ExplorationStop: Sendable, Equatable {
  /// The goal is reached.
  case reached
  /// The source has to answer these first; `supply` what it says, and go on.
  case needs([FetchRequest])
  /// Nothing is left to come.
  case quiet
  /// The reader waits for items, and nothing is on its way: the policy does not ask for them.
  case standstill
  /// So many events happened in one go that it looks as if they never ended.
  case tooMany(Int)
}

/// Why a page could not be asked for by hand.
public enum FetchRefusal: Sendable, Equatable {
  /// Nothing more comes on that side.
  case exhausted
  /// It is over until it is retried or refreshed.
  case gaveUp(FetchFailure)
  /// The feed stopped by itself; over until it is retried or refreshed.
  case stopped(StopReason)
  /// It failed in passing, and is tried again by itself then.
  case waitsForRetry(FetchFailure, at: Instant)
  /// As many pages are under way as may be.
  case busy(inFlight: Int)
  /// As many items are held as may be.
  case full(items: Int)
  /// A new generation has to be in before.
  case refreshing
}

/// A stretch that is lived again under another policy.
public struct ExplorationRepeat: Sendable, Equatable {
  /// The moment that both begin behind.
  public let start: Int
  /// What the first time came to.
  public let before: ExplorationOutcome
  /// Acts of the reader that are repeated.
  public let acts: Int
}
