import Items
import Paging

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
  /// The policies that decided in it, in order, each by its name; where none did, the one at its end.
  ///
  /// One that was set and asked for nothing at once has decided only when it was asked again.
  public let policies: [String]
  /// Attempts at pages.
  public let requests: Int
  /// Attempts that failed.
  public let failures: Int
  /// Items that the source sent.
  public let received: Int
  /// Of them, items that had not been held.
  public let inserted: Int
  /// Waits of the reader, and how long they were in all. One that had begun before counts from then on, and one that is not
  /// over as far as it went.
  public let stalls: Int
  public let stalled: Duration
  /// Items that are held at its end.
  public let held: Int
  /// Virtual time from its beginning to its end.
  public let duration: Duration
  /// Pages on their way at its end: it was left before everything had come.
  public let inFlight: Int

  /// What came of the moments that follow one another behind `start`.
  init(behind start: ExploredMoment, _ moments: ArraySlice<ExploredMoment>) {
    let end = moments.last ?? start
    let before = start.tally
    let after = end.tally
    policies = moments.deciders(otherwise: after.policy)
    requests = after.feed.fetches - before.feed.fetches
    failures = after.feed.failures - before.feed.failures
    received = after.feed.received - before.feed.received
    inserted = after.feed.inserted - before.feed.inserted
    stalls = after.stalls - before.stalls + (start.isStalled ? 1 : 0)
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
    held = situation.feed.itemCount
    inFlight = situation.needs.count + situation.arrivals.count(where: \.answer.event.endsFetch)
    stalls = situation.stalls.count
    stalled = situation.stalls.total + (situation.stalledSince.map { situation.now - $0 } ?? .zero)
  }
}

extension ExploredMoment {
  /// Whether its policy had a say in what came: what it says when it is set counts only where it asks for something.
  var isDecided: Bool {
    decisions.contains { _, verdict in
      guard verdict != .byHand else { return false }
      return !installsPolicy || verdict.isYes || verdict.cancel
    }
  }
}

extension ArraySlice<ExploredMoment> {
  /// The names of the policies that decided, each time that another did.
  func deciders(otherwise last: String) -> [String] {
    var names: [String] = []
    for moment in self where moment.isDecided && names.last != moment.tally.policy {
      names.append(moment.tally.policy)
    }
    return names.isEmpty ? [last] : names
  }
}
