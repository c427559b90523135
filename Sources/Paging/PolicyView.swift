/// What a policy sees of one side of the item set: a record of numbers.
///
/// Remaining distances and times are to the edge on the side of `direction`.
public struct PolicyView: Sendable, Equatable {
  /// The time of the decision.
  public var now: Instant = .zero
  /// The side being decided, `.append` or `.prepend`.
  public var direction: Direction = .append
  /// Index of the first visible item.
  public var firstVisible = 0
  /// Index of the last visible item.
  public var lastVisible = -1
  /// The viewport's length in items.
  public var viewportLength = 0.0
  /// Whether anyone is looking.
  public var isVisible = true
  /// Items per second, positive towards the end.
  public var velocity = 0.0

  /// Items held.
  public var itemCount = 0
  /// Items in the source, if it reports a total.
  public var totalCount: Int?
  /// Items in flight on this side: the sizes of pages being fetched and the items of pages not yet delivered.
  public var expectedItems = 0
  /// Held items beyond the visible ones on this side.
  public var remainingItems = 0
  /// The same, in viewports.
  public var remainingScreens = 0.0
  /// Seconds to the edge at this velocity; infinite if still or moving away.
  public var remainingTime = Double.infinity

  /// Pages in flight on this side.
  public var inFlight = 0
  /// Pages that can be started now.
  public var freeSlots = 1
  /// Whether no page can start before another ends.
  public var isFull: Bool { freeSlots <= 0 }
  /// Whether a page is in flight on this side, though there may be room for others.
  public var isFetching: Bool { inFlight > 0 }
  /// No more pages in this direction.
  public var isExhausted = false
  /// How long fetches took.
  public var latency = LatencySummary()
  /// Items requested per page.
  public var pageSize = 20
  /// New items per page, averaged over the last eight pages; the page size before the first.
  public var pageYield = 20.0
  /// Consecutive failed attempts.
  public var errorStreak = 0
  /// Attempts since the start.
  public var fetches = 0
  /// The source's declared trigger, in viewports.
  public var leadingScreens = 2.0

  /// The built-in verdict.
  public var hint = false
  /// The rule behind the hint.
  public var hintReason: BatchFetchReason = .withinTrigger

  public init() {}
}

/// Fetch latencies in seconds over the last 64 fetches; all zero before the first.
public struct LatencySummary: Sendable, Hashable {
  /// The latest.
  public var last = 0.0
  /// The arithmetic mean.
  public var mean = 0.0
  /// The median.
  public var p50 = 0.0
  /// The 95th percentile.
  public var p95 = 0.0
  /// Fetches included, at most 64.
  public var count = 0

  public init() {}
}
