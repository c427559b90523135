public import Items

/// Details that are no longer true.
extension Prefetcher {
  /// Forgets what is held of these ids, or of all. What is being fetched for somebody is fetched again: the answer
  /// under way may be of the time before.
  public mutating func invalidate(_ ids: [ItemID]? = nil, at now: Instant) -> [PrefetchEffect<Value>] {
    for id in ids ?? cache.ids where cache.remove(id) == false { statistics.wasted += 1 }
    if let ids {
      for id in ids { failures[id] = nil }
    } else {
      failures = [:]
    }
    takeBack(Set(ids ?? Array(names.values)))
    start()
    return takeEffects()
  }

  /// Ends the fetches of these ids and puts them before all others of their queues, in the order in which they had begun.
  private mutating func takeBack(_ ids: Set<ItemID>) {
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
