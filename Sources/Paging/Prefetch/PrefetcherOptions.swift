public import Items

/// Settings of a prefetcher.
public struct PrefetcherOptions: Sendable, Hashable {
  /// Maximum values held, at least 1; the least recently used is evicted first.
  public var capacity = 1000 { didSet { capacity = max(1, capacity) } }
  /// Age after which a value is fetched again when requested; nil is never.
  public var staleAfter: Duration?
  /// Maximum concurrent fetches, at least 1.
  public var maxInFlight = 4 { didSet { maxInFlight = max(1, maxInFlight) } }
  /// How long prefetches of an id are ignored after a failure; reads are not.
  public var failureDelay = Duration.seconds(5)

  public init() {}
}

/// Counts of a prefetcher's work since it was made.
public struct PrefetcherStatistics: Sendable, Hashable {
  /// Reads that found a fresh value.
  public var hits = 0
  /// Reads that joined a fetch already in flight or queued.
  public var joins = 0
  /// Reads that had to start a fetch.
  public var misses = 0
  /// Fetches started.
  public var fetches = 0
  /// Fetches cancelled, queued or in flight.
  public var cancelled = 0
  /// Fetches that failed.
  public var failed = 0
  /// Values evicted because the cache was full.
  public var evicted = 0
  /// Values evicted or replaced without ever being read.
  public var wasted = 0

  public init() {}
}

/// Identifies a fetch of a prefetcher; never reused.
public struct PrefetchID: Hashable, Sendable {
  /// Counts up from 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// Held by one waiting reader.
public struct PrefetchToken: Hashable, Sendable {
  /// Counts up from 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// The state of an item's details.
public enum PrefetchState: String, Sendable, Hashable {
  /// Not requested.
  case none
  /// Waiting for a slot.
  case queued
  /// Being fetched.
  case fetching
  /// Held, and fresh.
  case held
  /// The last fetch failed.
  case failed
}

/// The result of a read.
public enum PrefetchRead<Value> {
  /// A fresh value was held.
  case value(Value)
  /// It is being fetched; `.deliver` or `.fail` follows with this token.
  case waits(PrefetchToken)
}

/// The effects of a prefetcher.
public enum PrefetchEffect<Value> {
  /// Fetch the details of this item.
  case fetch(PrefetchID, ItemID)
  /// The answer is no longer wanted.
  case cancel(PrefetchID)
  /// A reader's value.
  case deliver(PrefetchToken, Value)
  /// A reader's failure.
  case fail(PrefetchToken, FetchFailure)
}

extension PrefetchRead: Sendable where Value: Sendable {}
extension PrefetchEffect: Sendable where Value: Sendable {}
