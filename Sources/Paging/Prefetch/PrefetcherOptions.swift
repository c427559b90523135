public import Items

/// How a prefetcher works.
public struct PrefetcherOptions: Sendable, Hashable {
  /// Values held, at least 1; the one that was not used for longest goes first.
  public var capacity = 1000 { didSet { capacity = max(1, capacity) } }
  /// A value older than that is fetched again when it is asked for; nil is never.
  public var staleAfter: Duration?
  /// Fetches at once, at least 1.
  public var maxInFlight = 4 { didSet { maxInFlight = max(1, maxInFlight) } }
  /// After a failure, a prefetch of the same id is ignored for that long; a reader is not.
  public var failureDelay = Duration.seconds(5)

  public init() {}
}

/// What a prefetcher has done; every number counts up.
public struct PrefetcherStatistics: Sendable, Hashable {
  /// Reads that found a fresh value.
  public var hits = 0
  /// Reads that waited for a fetch which was under way or queued already.
  public var joins = 0
  /// Reads that had to begin a fetch.
  public var misses = 0
  /// Fetches begun.
  public var fetches = 0
  /// Fetches taken back, before they began or while in flight.
  public var cancelled = 0
  /// Fetches that failed.
  public var failed = 0
  /// Values that went because the cache was full.
  public var evicted = 0
  /// Values that went, or were replaced, and had never been read.
  public var wasted = 0

  public init() {}
}

/// Names a fetch of a prefetcher; never used twice.
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

/// How it stands with the details of an item.
public enum PrefetchState: String, Sendable, Hashable {
  /// Nobody asked for them.
  case none
  /// They wait for a slot.
  case queued
  /// They are being fetched.
  case fetching
  /// They are held, and fresh.
  case held
  /// The last fetch failed.
  case failed
}

/// What a read came to.
public enum PrefetchRead<Value> {
  /// A fresh value was held.
  case value(Value)
  /// It is being fetched; `.deliver` or `.fail` comes with this token.
  case waits(PrefetchToken)
}

/// What a prefetcher asks for or tells.
public enum PrefetchEffect<Value> {
  /// Fetch the details of that item.
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
