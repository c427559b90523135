public import Items

/// Requests of readers and prefetches.
extension Prefetcher {
  /// Fetches details that will be wanted soon, most important first; ids already requested get their new place. Fresh
  /// values are evicted later than others; ids that failed recently are not fetched, and no more than the cache can
  /// hold.
  public mutating func prefetch(_ ids: [ItemID], at now: Instant) -> [PrefetchEffect<Value>] {
    var named: Set<ItemID> = []
    var queued: [PrefetchQueue.Entry] = []
    var fresh: [ItemID] = []
    for id in ids where named.count < options.capacity && named.insert(id).inserted {
      if isFresh(id, at: now) {
        fresh.append(id)
      } else if flights[id] != nil || !hasJustFailed(id, at: now) {
        if let entry = wish(id) { queued.append(entry) }
      }
    }
    for id in fresh.reversed() { cache.use(id) }
    if !queued.isEmpty { ahead.prepend(queued, flights) }
    start()
    return drainEffects()
  }

  /// Records that a prefetch wants the id; returns its place if it is to be queued. A reader's place is better and
  /// stays.
  private mutating func wish(_ id: ItemID) -> PrefetchQueue.Entry? {
    flights[id, default: PrefetchFlight()].isPrefetched = true
    guard let flight = flights[id], flight.name == nil, flight.waiters.isEmpty else { return nil }
    return newPlace(id)
  }

  /// These are no longer expected to be wanted. Waiting readers keep waiting.
  public mutating func cancelPrefetch(_ ids: [ItemID], at now: Instant) -> [PrefetchEffect<Value>] {
    for id in ids where flights[id]?.isPrefetched == true {
      flights[id]?.isPrefetched = false
      cancelIfUnwanted(id)
    }
    start()
    return drainEffects()
  }

  /// The details of an item, now or later with a token; a queued fetch goes before all prefetches.
  public mutating func get(_ id: ItemID, at now: Instant) -> (
    read: PrefetchRead<Value>, effects: [PrefetchEffect<Value>]
  ) {
    if isFresh(id, at: now), let held = cache.read(id) {
      statistics.hits += 1
      return (.value(held.value), [])
    }
    let token = nextToken()
    let isFirst = flights[id]?.waiters.isEmpty ?? true
    if flights[id] != nil { statistics.joins += 1 } else { statistics.misses += 1 }
    flights[id, default: PrefetchFlight()].waiters.append(token)
    if isFirst, flights[id]?.name == nil { readers.append(newPlace(id), flights) }
    start()
    return (.waits(token), drainEffects())
  }

  /// Stops a reader's wait; other readers and a prefetch are unaffected.
  public mutating func cancel(
    _ token: PrefetchToken, of id: ItemID, at now: Instant
  ) -> [PrefetchEffect<Value>] {
    guard let index = flights[id]?.waiters.firstIndex(of: token) else { return [] }
    flights[id]?.waiters.remove(at: index)
    if let flight = flights[id], flight.waiters.isEmpty, flight.name == nil, flight.isPrefetched {
      ahead.prepend([newPlace(id)], flights)
    }
    cancelIfUnwanted(id)
    start()
    return drainEffects()
  }

  private mutating func cancelIfUnwanted(_ id: ItemID) {
    guard let flight = flights[id], flight.isUnwanted else { return }
    flights[id] = nil
    statistics.cancelled += 1
    guard let name = flight.name else { return }
    names[name] = nil
    effects.append(.cancel(name))
  }

  private func hasJustFailed(_ id: ItemID, at now: Instant) -> Bool {
    failures[id].map { now - $0.last < options.failureDelay } ?? false
  }
}
