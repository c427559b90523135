internal import Items

/// Ids in the order they are started. An id has one place, the last it was given; entries whose flight has started,
/// ended or moved since are skipped.
struct PrefetchQueue: Sendable {
  /// A place in a queue.
  struct Entry: Sendable {
    let id: ItemID
    let place: Int

    func isValid(_ flights: [ItemID: PrefetchFlight]) -> Bool {
      guard let flight = flights[id] else { return false }
      return flight.name == nil && flight.place == place
    }
  }

  private var entries: [Entry] = []
  private var start = 0

  /// Adds an entry at the end.
  mutating func append(_ entry: Entry, _ flights: [ItemID: PrefetchFlight]) {
    if entries.count > 64 + 2 * flights.count { prepend([], flights) }
    entries.append(entry)
  }

  /// Puts entries at the front, in order.
  mutating func prepend(_ new: [Entry], _ flights: [ItemID: PrefetchFlight]) {
    entries = new + entries[start...].filter { $0.isValid(flights) }
    start = 0
  }

  /// Removes and returns the first id still queued.
  mutating func next(_ flights: [ItemID: PrefetchFlight]) -> ItemID? {
    while start < entries.count {
      let entry = entries[start]
      start += 1
      if entry.isValid(flights) { return entry.id }
    }
    entries.removeAll(keepingCapacity: true)
    start = 0
    return nil
  }
}
