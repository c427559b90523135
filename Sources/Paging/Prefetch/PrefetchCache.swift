internal import Items

/// Values by id; when full, the least recently used is evicted. Every operation is O(1).
struct PrefetchCache<Value> {
  struct Entry {
    let id: ItemID
    var value: Value
    var at: Instant
    var isRead: Bool
    var older: Int
    var newer: Int
  }

  let capacity: Int
  private var entries: [Entry?] = []
  private var places: [ItemID: Int] = [:]
  private var free: [Int] = []
  /// Ends of the list, by last use; -1 for none.
  private var oldest = -1
  private var newest = -1

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { places.count }

  func time(of id: ItemID) -> Instant? { places[id].flatMap { entries[$0]?.at } }

  /// The value; counts as read and used.
  mutating func read(_ id: ItemID) -> (value: Value, at: Instant)? {
    guard let place = places[id], let entry = entries[place] else { return nil }
    entries[place]?.isRead = true
    use(id)
    return (entry.value, entry.at)
  }

  /// Marks a value as used, so that it is evicted later.
  mutating func use(_ id: ItemID) {
    guard let place = places[id] else { return }
    unlink(place)
    link(place)
  }

  /// Stores a value; returns what it displaced: the old value of the id, or another id's.
  mutating func store(_ value: Value, for id: ItemID, at now: Instant, isRead: Bool) -> Departure {
    if let place = places[id] {
      let wasRead = entries[place]?.isRead ?? true
      entries[place]?.value = value
      entries[place]?.at = now
      entries[place]?.isRead = isRead
      use(id)
      return Departure(isEviction: false, isWaste: !wasRead)
    }
    var departure = Departure(isEviction: false, isWaste: false)
    if places.count >= capacity, oldest >= 0, let entry = entries[oldest] {
      departure = Departure(isEviction: true, isWaste: !entry.isRead)
      _ = remove(entry.id)
    }
    let entry = Entry(id: id, value: value, at: now, isRead: isRead, older: -1, newer: -1)
    let place = free.popLast() ?? entries.count
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    places[id] = place
    link(place)
    return departure
  }

  /// Removes a value; returns whether it had been read, nil if there was none.
  mutating func remove(_ id: ItemID) -> Bool? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let wasRead = entries[place]?.isRead
    unlink(place)
    entries[place] = nil
    free.append(place)
    return wasRead
  }

  /// All ids, in no order.
  var ids: [ItemID] { Array(places.keys) }

  /// What a new value displaced.
  struct Departure {
    let isEviction: Bool
    let isWaste: Bool
  }

  private mutating func unlink(_ place: Int) {
    guard let entry = entries[place] else { return }
    if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
    if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
  }

  private mutating func link(_ place: Int) {
    entries[place]?.older = newest
    entries[place]?.newer = -1
    if newest >= 0 { entries[newest]?.newer = place } else { oldest = place }
    newest = place
  }
}

extension PrefetchCache.Entry: Sendable where Value: Sendable {}
extension PrefetchCache: Sendable where Value: Sendable {}
