internal import Items

/// One page on its way into its place.
struct Slot: Sendable {
  enum Phase: Sendable {
    /// To be started as soon as there is room.
    case waiting
    case inFlight(FetchID, since: Instant)
    case failed(FetchFailure, retryAt: Instant)
    case gaveUp(FetchFailure)
    /// In, and waiting for the pages before it.
    case landed(FetchID, Landing)
  }

  var order: PageOrder
  var phase = Phase.waiting
  /// The attempt that is under way, or was the last.
  var attempt = 0
  /// What follows from the page is known and has been taken into account; only its items are missing.
  var isOutlined = false
  /// Appended by the handler and not yet shown.
  var pending: [Item] = []
  /// Sent by the source through appends.
  var received = 0
  /// Those of them that the page behind it was asked for as well.
  var overlap = 0
  /// Items handed over before the page was complete.
  var shown = 0
  /// Those of them that were new.
  var inserted = 0
  /// Those of them that took the place of an older form.
  var updated = 0

  var isLanded: Bool {
    if case .landed = phase { true } else { false }
  }

  /// Under way, and not yet answered by the source.
  var isInFlight: Bool {
    if case .inFlight = phase { !isOutlined } else { false }
  }

  /// Neither in nor about to be: it takes up room.
  var isBusy: Bool { !isLanded && !isOutlined }

  var hasGivenUp: Bool {
    if case .gaveUp = phase { true } else { false }
  }

  /// Failed in passing, and tried again by itself.
  var waitsForRetry: Bool {
    if case .failed = phase { true } else { false }
  }

  /// Failed, whether or not it is tried again by itself.
  var hasFailed: Bool { hasGivenUp || waitsForRetry }

  /// The attempt in flight.
  var fetchID: FetchID? {
    if case .inFlight(let id, _) = phase { id } else { nil }
  }

  /// The number of the fetch whose items it has, or will have.
  var newestFetch: Int? {
    switch phase {
    case .inFlight(let id, _), .landed(let id, _): id.number
    case .waiting, .failed, .gaveUp: nil
    }
  }

  /// Items of it that are in and wait for its turn.
  var waitingItems: [Item] {
    if case .landed(_, let landing) = phase { return pending + landing.items }
    return pending
  }

  /// Items that it will bring beyond those shown, as far as anybody knows.
  var expected: Int {
    switch phase {
    case .landed(_, let landing): pending.count + landing.items.count
    case .waiting, .inFlight, .failed:
      max(pending.count, (isOutlined ? received : order.size) - shown)
    case .gaveUp: 0
    }
  }
}

/// What else follows from a page that came in.
struct PageConsequence: Sendable {
  /// Pages past the end, no longer in their places.
  var pastEnd: [Slot] = []
  /// A page that fetches what this one left out, already in its place.
  var fill: PageOrder?
  /// The source's own page size has become known.
  var learnedSize: Int?
  /// A cursor that was used before.
  var repeatedKey: FetchFailure?
}
