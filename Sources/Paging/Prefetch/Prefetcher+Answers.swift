internal import Items

/// The results of fetches.
extension Prefetcher {
  /// Handles the details of an item. The answer to a cancelled fetch changes nothing.
  public mutating func answered(
    _ name: PrefetchID, with value: Value, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let id = names.removeValue(forKey: name), let flight = flights.removeValue(forKey: id) else {
      return []
    }
    failures[id] = nil
    let departure = cache.store(value, for: id, at: now, isRead: !flight.waiters.isEmpty)
    if departure.isEviction { statistics.evicted += 1 }
    if departure.isWaste { statistics.wasted += 1 }
    for token in flight.waiters { effects.append(.deliver(token, value)) }
    start()
    return drainEffects()
  }

  /// Handles a failed fetch; every waiting reader fails. The next read tries again, as does a prefetch after a while.
  public mutating func failed(
    _ name: PrefetchID, with failure: FetchFailure, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let id = names.removeValue(forKey: name), let flight = flights.removeValue(forKey: id) else {
      return []
    }
    statistics.failed += 1
    remember(failureOf: id, at: now)
    for token in flight.waiters { effects.append(.fail(token, failure)) }
    start()
    return drainEffects()
  }

  /// Remembers at most as many ids as values can be held: drops those due for another try, or else all.
  private mutating func remember(failureOf id: ItemID, at now: Instant) {
    let limit = max(16, options.capacity)
    if failures.count >= limit, failures[id] == nil {
      failures = failures.filter { now - $0.value.last < options.failureDelay }
      if failures.count >= limit { failures = [:] }
    }
    failures[id, default: Failures(last: now)].count += 1
    failures[id]?.last = now
  }
}
