internal import Items

/// One page under way.
struct Slot: Sendable {
  enum Phase: Sendable {
    /// Started as soon as there is room.
    case waiting
    case inFlight(FetchID, since: Instant)
    indirect case failed(FetchFailure, retryAt: Instant)
    indirect case gaveUp(FetchFailure)
    /// Past the total, and answered before its turn: what that means, the pages before it say.
    indirect case answered(FetchID, FetchAnswer, latency: Duration)
    /// Landed, waiting for the pages before it.
    indirect case landed(FetchID, Landing)
  }

  var order: PageOrder
  var phase = Phase.waiting
  /// The current or last attempt.
  var attempt = 0
  /// The greatest total that was known when that began.
  private(set) var knownTotal: Int?
  /// Its consequences have been applied; only its items are missing.
  var isOutlined = false
  /// Appended by the handler and not yet shown.
  var pending: [Item] = []
  /// Ids that the source says are gone.
  var removed: [ItemID] = []
  /// Sent by the source through appends.
  var received = 0
  /// Ids that the source says are gone, beside them, and has not said of another page.
  var told = 0
  /// Those of them that the next page was requested for as well.
  var overlap = 0
  /// Items handed over before the page was complete.
  var shown = 0
  /// Those of them that were new.
  var inserted = 0
  /// Those of them that updated a held item.
  var updated = 0

  init(order: PageOrder) { self.order = order }

  /// The page, items of which may have been shown before it was withdrawn.
  init(order: PageOrder, after earlier: Slot?) {
    self.order = order
    guard let earlier, earlier.order.key == order.key else { return }
    (shown, inserted, updated) = (earlier.shown, earlier.inserted, earlier.updated)
  }

  /// Makes the next attempt, while that is the greatest total that is known.
  mutating func begin(as id: FetchID, knowing total: Int?, _ now: Instant) {
    attempt += 1
    phase = .inFlight(id, since: now)
    knownTotal = total
  }

  /// It brings no items, and tells of none that are gone.
  var isEmpty: Bool { received == 0 && told == 0 }

  var isLanded: Bool {
    if case .landed = phase { true } else { false }
  }

  /// Under way, and not yet answered by the source.
  var isInFlight: Bool {
    if case .inFlight = phase { !isOutlined } else { false }
  }

  /// Neither landed nor outlined: it takes up room.
  var isBusy: Bool { !isLanded && !isOutlined }

  var hasGivenUp: Bool {
    if case .gaveUp = phase { true } else { false }
  }

  /// Failed, with a retry scheduled.
  var waitsForRetry: Bool {
    if case .failed = phase { true } else { false }
  }

  /// Failed, with or without a retry scheduled.
  var hasFailed: Bool { hasGivenUp || waitsForRetry }

  /// The attempt in flight.
  var fetchID: FetchID? {
    if case .inFlight(let id, _) = phase { id } else { nil }
  }

  /// The number of the fetch whose items it has, or will have.
  var newestFetch: FetchID? {
    switch phase {
    case .inFlight(let id, _), .answered(let id, _, _), .landed(let id, _): id
    case .waiting, .failed, .gaveUp: nil
    }
  }

  /// Its items that wait for its turn.
  var waitingItems: [Item] {
    if case .landed(_, let landing) = phase { return pending + landing.items }
    return pending
  }

  /// Items it is expected to bring beyond those shown.
  var expected: Int {
    switch phase {
    case .landed(_, let landing): pending.count + landing.items.count
    case .waiting, .inFlight, .failed:
      max(pending.count, (isOutlined ? received : order.size) - shown)
    case .answered: pending.count
    case .gaveUp: 0
    }
  }
}

/// What else follows from a landed page.
struct PageConsequence: Sendable {
  /// Pages past the end, already removed.
  var pastEnd: [Slot] = []
  /// A page that fetches what this one left out, already inserted.
  var fill: PageOrder?
  /// The source's own page size has become known.
  var learnedSize: Int?
  /// A cursor that was used before.
  var repeatedKey: FetchFailure?
}
