import Items
import Paging

/// What a prefetcher is to do, as simply as it can be said; slow.
struct PrefetchModel {
  struct Held: Equatable {
    let id: ItemID
    var value: String
    var at: Instant
  }

  let options: PrefetcherOptions
  /// The one used last is the last.
  var held: [Held] = []
  /// Tokens of those who wait, by id.
  var waiting: [ItemID: [Int]] = [:]
  var prefetched: Set<ItemID> = []
  var failedAt: [ItemID: Instant] = [:]

  init(_ options: PrefetcherOptions) { self.options = options }

  /// Ids that somebody wants.
  var wanted: Set<ItemID> { prefetched.union(waiting.keys) }

  func isFresh(_ id: ItemID, at now: Instant) -> Bool {
    guard let held = held.first(where: { $0.id == id }) else { return false }
    return options.staleAfter.map { now - held.at < $0 } ?? true
  }

  mutating func peek(_ id: ItemID) -> String? {
    guard let index = held.firstIndex(where: { $0.id == id }) else { return nil }
    held.append(held.remove(at: index))
    return held.last?.value
  }

  mutating func prefetch(_ ids: [ItemID], at now: Instant) {
    var named: [ItemID] = []
    for id in ids where !named.contains(id) { named.append(id) }
    for id in named.prefix(options.capacity).reversed() {
      if isFresh(id, at: now) {
        _ = peek(id)
      } else if wanted.contains(id) || failedAt[id].map({ now - $0 >= options.failureDelay }) ?? true {
        prefetched.insert(id)
      }
    }
  }

  /// The value when it is there at once.
  mutating func get(_ id: ItemID, at now: Instant, token: Int) -> String? {
    if isFresh(id, at: now) { return peek(id) }
    waiting[id, default: []].append(token)
    return nil
  }

  mutating func cancel(_ token: Int, of id: ItemID) {
    waiting[id]?.removeAll { $0 == token }
    if waiting[id] == [] { waiting[id] = nil }
  }

  /// The tokens that are to be told.
  mutating func ended(_ id: ItemID, with value: String?, at now: Instant) -> [Int] {
    prefetched.remove(id)
    let tokens = waiting.removeValue(forKey: id) ?? []
    guard let value else {
      failedAt[id] = now
      return tokens
    }
    failedAt[id] = nil
    held.removeAll { $0.id == id }
    held.append(Held(id: id, value: value, at: now))
    if held.count > options.capacity { held.removeFirst() }
    return tokens
  }

  mutating func invalidate(_ ids: [ItemID]?) {
    held.removeAll { ids?.contains($0.id) ?? true }
    failedAt = failedAt.filter { !(ids?.contains($0.key) ?? true) }
  }
}
