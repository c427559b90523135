public import Items

/// Invalidated details.
extension Prefetcher {
  /// Drops what is held of these ids, or of all. A fetch in flight that is still wanted is repeated: its answer may be
  /// outdated.
  public mutating func invalidate(_ ids: [ItemID]? = nil, at now: Instant) -> [PrefetchEffect<Value>] {
    for id in ids ?? cache.ids where cache.remove(id) == false { statistics.wasted += 1 }
    if let ids {
      for id in ids { failures[id] = nil }
    } else {
      failures = [:]
    }
    requeue(Set(ids ?? Array(names.values)))
    start()
    return drainEffects()
  }

  /// Cancels the fetches of these ids and requeues them at the front, in the order they started.
  private mutating func requeue(_ ids: Set<ItemID>) {
    let begun = ids.compactMap { id in flights[id]?.name.map { (name: $0, id: id) } }
      .sorted { $0.name.number < $1.name.number }
    var forReaders: [PrefetchQueue.Entry] = []
    var forPrefetches: [PrefetchQueue.Entry] = []
    for (name, id) in begun {
      names[name] = nil
      flights[id]?.name = nil
      statistics.cancelled += 1
      effects.append(.cancel(name))
      if flights[id]?.waiters.isEmpty == true {
        forPrefetches.append(newPlace(id))
      } else {
        forReaders.append(newPlace(id))
      }
    }
    readers.prepend(forReaders, flights)
    ahead.prepend(forPrefetches, flights)
  }
}
