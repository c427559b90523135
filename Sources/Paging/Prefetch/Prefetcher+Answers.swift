internal import Items

/// What becomes of a fetch.
extension Prefetcher {
  /// The details have come. The answer to a fetch that was taken back changes nothing.
  public mutating func answered(
    _ name: PrefetchID, with value: Value, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let id = names.removeValue(forKey: name), let flight = flights.removeValue(forKey: id) else {
      return []
    }
    failedAt[id] = nil
    let departure = cache.store(value, for: id, at: now, isRead: !flight.waiters.isEmpty)
    if departure.isEviction { statistics.evicted += 1 }
    if departure.isWaste { statistics.wasted += 1 }
    for token in flight.waiters { effects.append(.deliver(token, value)) }
    start()
    return takeEffects()
  }

  /// The fetch failed; every reader is told, and the next wish for the id tries again.
  public mutating func failed(
    _ name: PrefetchID, with failure: FetchFailure, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let id = names.removeValue(forKey: name), let flight = flights.removeValue(forKey: id) else {
      return []
    }
    statistics.failed += 1
    if failedAt.count >= max(16, options.capacity) {
      failedAt = failedAt.filter { now - $0.value < options.failureDelay }
    }
    if failedAt.count < max(16, options.capacity) { failedAt[id] = now }
    for token in flight.waiters { effects.append(.fail(token, failure)) }
    start()
    return takeEffects()
  }
}
