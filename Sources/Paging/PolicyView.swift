/// What a policy may look at, for one side of the item set: a record of numbers.
///
/// Remaining distances and times are to the edge on the side of `direction`.
public struct PolicyView: Sendable, Equatable {
  /// When the policy is asked.
  public var now: Instant = .zero
  /// The side that is decided, `.append` or `.prepend`.
  public var direction: Direction = .append
  /// Index of the first visible item.
  public var firstVisible = 0
  /// Index of the last visible item.
  public var lastVisible = -1
  /// The viewport's length in items.
  public var viewportLength = 0.0
  /// Whether anybody looks at all.
  public var isVisible = true
  /// Items per second, positive towards the end.
  public var velocity = 0.0

  /// Items held.
  public var itemCount = 0
  /// Items that the source has, where it says so.
  public var totalCount: Int?
  /// Items on their way on this side: the sizes of pages in flight and the items of pages that wait for their
  /// turn.
  public var expectedItems = 0
  /// Held items beyond the visible ones on this side.
  public var remainingItems = 0
  /// The same in viewports.
  public var remainingScreens = 0.0
  /// Seconds to the edge at this velocity; infinite when still or moving away.
  public var remainingTime = Double.infinity

  /// Pages in flight on this side.
  public var inFlight = 0
  /// Pages that could be started now.
  public var freeSlots = 1
  /// No page can be started before another ends.
  public var isFetching: Bool { freeSlots <= 0 }
  /// No more pages this way.
  public var isExhausted = false
  /// How long fetches took.
  public var latency = LatencySummary()
  /// Items asked for per page.
  public var pageSize = 20
  /// New items per page, the mean of the last eight pages; the page size before the first.
  public var pageYield = 20.0
  /// Attempts that failed in a row.
  public var errorStreak = 0
  /// Attempts started since the beginning.
  public var fetches = 0
  /// The trigger that the source was declared with, in viewports.
  public var leadingScreens = 2.0

  /// The built-in verdict.
  public var hint = false
  /// The rule that gave it.
  public var hintReason: BatchFetchReason = .withinTrigger

  public init() {}
}

/// Fetch latencies in seconds over the last 64 fetches; all zero before the first.
public struct LatencySummary: Sendable, Hashable {
  /// Of the newest fetch.
  public var last = 0.0
  /// The arithmetic mean.
  public var mean = 0.0
  /// At least half of all were no slower.
  public var p50 = 0.0
  /// At least 95 in 100 were no slower.
  public var p95 = 0.0
  /// Fetches summed up here, at most 64.
  public var count = 0

  public init() {}
}
