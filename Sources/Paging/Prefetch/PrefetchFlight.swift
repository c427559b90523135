internal import Items

/// One id that somebody wants.
struct PrefetchFlight: Sendable {
  /// Of the fetch under way; nil while it waits for a slot.
  var name: PrefetchID?
  /// In the order in which they came.
  var waiters: [PrefetchToken] = []
  /// A prefetch wants it.
  var isPrefetched = false

  /// Nobody is left.
  var isUnwanted: Bool { waiters.isEmpty && !isPrefetched }
}

/// Ids in the order in which they are to be started; those whose flight has begun or ended meanwhile are skipped.
struct PrefetchQueue: Sendable {
  private var ids: [ItemID] = []
  private var start = 0

  /// Adds an id behind all others.
  mutating func append(_ id: ItemID, _ flights: [ItemID: PrefetchFlight]) {
    if ids.count > 64 + 2 * flights.count { prepend([], flights) }
    ids.append(id)
  }

  /// Puts ids before all others, in their order.
  mutating func prepend(_ new: [ItemID], _ flights: [ItemID: PrefetchFlight]) {
    let named = Set(new)
    let rest = ids[start...].filter { !named.contains($0) && flights[$0].map { $0.name == nil } ?? false }
    ids = new + rest
    start = 0
  }

  /// Takes the first id that still waits.
  mutating func next(_ flights: [ItemID: PrefetchFlight]) -> ItemID? {
    while start < ids.count {
      let id = ids[start]
      start += 1
      if let flight = flights[id], flight.name == nil { return id }
    }
    ids.removeAll(keepingCapacity: true)
    start = 0
    return nil
  }
}
