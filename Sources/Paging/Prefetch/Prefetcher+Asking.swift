public import Items

/// What readers and prefetches ask for.
extension Prefetcher {
  /// Fetches details that will be wanted soon, the most important first; ids that were asked for before take their new
  /// place. What is fresh, or has just failed, is not fetched.
  public mutating func prefetch(_ ids: [ItemID], at now: Instant) -> [PrefetchEffect<Value>] {
    var queued: [ItemID] = []
    for id in ids where !isFresh(id, at: now) && !hasJustFailed(id, at: now) {
      if flights[id] == nil { flights[id] = PrefetchFlight() }
      flights[id]?.isPrefetched = true
      if flights[id]?.name == nil { queued.append(id) }
    }
    if !queued.isEmpty { ahead.prepend(queued, flights) }
    start()
    return takeEffects()
  }

  /// These are no longer expected to be wanted. Readers who wait for them go on waiting.
  public mutating func cancelPrefetch(_ ids: [ItemID], at now: Instant) -> [PrefetchEffect<Value>] {
    for id in ids where flights[id]?.isPrefetched == true {
      flights[id]?.isPrefetched = false
      endIfUnwanted(id)
    }
    start()
    return takeEffects()
  }

  /// The details of an item, now or with a token later; a fetch that is queued goes before all prefetches.
  public mutating func get(_ id: ItemID, at now: Instant) -> (
    read: PrefetchRead<Value>, effects: [PrefetchEffect<Value>]
  ) {
    if isFresh(id, at: now), let held = cache.read(id) {
      statistics.hits += 1
      return (.value(held.value), [])
    }
    let token = nextToken()
    if let flight = flights[id] {
      statistics.joins += 1
      if flight.name == nil, flight.waiters.isEmpty { readers.append(id, flights) }
    } else {
      statistics.misses += 1
      flights[id] = PrefetchFlight()
      readers.append(id, flights)
    }
    flights[id]?.waiters.append(token)
    start()
    return (.waits(token), takeEffects())
  }

  /// That reader waits no longer; others do, and so does a prefetch.
  public mutating func cancel(
    _ token: PrefetchToken, of id: ItemID, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let index = flights[id]?.waiters.firstIndex(of: token) else { return [] }
    flights[id]?.waiters.remove(at: index)
    if flights[id]?.waiters.isEmpty == true, flights[id]?.name == nil, flights[id]?.isPrefetched == true {
      ahead.prepend([id], flights)
    }
    endIfUnwanted(id)
    start()
    return takeEffects()
  }

  /// Forgets what is held of these ids, or of all. What is being fetched for somebody is fetched again: the answer
  /// under way may be of the time before.
  public mutating func invalidate(_ ids: [ItemID]? = nil, at now: Instant) -> [PrefetchEffect<Value>] {
    for id in ids ?? cache.ids where cache.remove(id) == false { statistics.wasted += 1 }
    for id in ids ?? Array(flights.keys) {
      failedAt[id] = nil
      guard let name = flights[id]?.name else { continue }
      names[name] = nil
      flights[id]?.name = nil
      statistics.cancelled += 1
      effects.append(.cancel(name))
    }
    if ids == nil { failedAt = [:] }
    requeue(ids)
    start()
    return takeEffects()
  }

  /// Puts flights that lost their fetch back into their queues, in the order of their first waiter.
  private mutating func requeue(_ ids: [ItemID]?) {
    let waiting = (ids ?? Array(flights.keys)).filter { flights[$0] != nil && flights[$0]?.name == nil }
    let read = waiting.filter { flights[$0]?.waiters.isEmpty == false }.sorted {
      flights[$0]?.waiters.first?.number ?? 0 < flights[$1]?.waiters.first?.number ?? 0
    }
    readers.prepend(read, flights)
    ahead.prepend(waiting.filter { flights[$0]?.waiters.isEmpty == true }.sorted(), flights)
  }

  private mutating func endIfUnwanted(_ id: ItemID) {
    guard let flight = flights[id], flight.isUnwanted else { return }
    flights[id] = nil
    statistics.cancelled += 1
    guard let name = flight.name else { return }
    names[name] = nil
    effects.append(.cancel(name))
  }

  private func hasJustFailed(_ id: ItemID, at now: Instant) -> Bool {
    failedAt[id].map { now - $0 < options.failureDelay } ?? false
  }
}
