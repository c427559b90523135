internal import Items

/// How often and how long the reader of an exploration waited for items.
public struct ExplorationStalls: Sendable, Hashable {
  /// Those that are not over yet count too.
  public var count = 0
  /// All that are over.
  public var total = Duration.zero
  /// The longest that is over.
  public var longest = Duration.zero

  public init() {}

  mutating func add(_ duration: Duration) {
    total += duration
    longest = max(longest, duration)
  }
}

/// What a stretch of an exploration came to.
public struct ExplorationOutcome: Sendable, Equatable {
  /// The policy at its end.
  public let policy: String
  /// Attempts at pages.
  public let requests: Int
  /// Attempts that failed.
  public let failures: Int
  /// Items that the source sent.
  public let received: Int
  /// Of them, items that had not been held.
  public let inserted: Int
  /// Waits of the reader, and how long they were in all; one that is not over counts as far as it went.
  public let stalls: Int
  public let stalled: Duration
  /// Items that are held at its end.
  public let held: Int
  /// Virtual time from its beginning to its end.
  public let duration: Duration
  /// Pages on their way at its end: it was left before everything had come.
  public let inFlight: Int

  init(from start: ExploredMoment, to end: ExploredMoment) {
    let before = start.tally
    let after = end.tally
    policy = after.policy
    requests = after.feed.fetches - before.feed.fetches
    failures = after.feed.failures - before.feed.failures
    received = after.feed.received - before.feed.received
    inserted = after.feed.inserted - before.feed.inserted
    stalls = after.stalls - before.stalls
    stalled = after.stalled - before.stalled
    held = after.held
    duration = end.at - start.at
    inFlight = after.inFlight
  }
}

/// What an exploration has come to at a moment.
struct ExplorationTally: Sendable, Equatable {
  let policy: String
  let feed: FeedStatistics
  let held: Int
  let inFlight: Int
  let stalls: Int
  /// With the wait that is not over.
  let stalled: Duration

  init(_ situation: Situation) {
    policy = situation.policy.name
    feed = situation.feed.statistics
    held = situation.feed.items.count
    inFlight = situation.needs.count + situation.agenda.arrivals.count { $0.news.isEnd }
    stalls = situation.stalls.count
    stalled = situation.stalls.total + (situation.stalledSince.map { situation.now - $0 } ?? .zero)
  }
}

extension JournaledAnswer.News {
  /// Whether the fetch is over with it.
  var isEnd: Bool { if case .answered = self { true } else { false } }
}
