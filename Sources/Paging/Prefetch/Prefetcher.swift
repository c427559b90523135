public import Items

/// Details of items, fetched ahead of their display and kept for a while (UIKit's AsyncFetcher, its faults closed).
///
/// One fetch per id. Whoever waits holds a token of his own: a cancelled prefetch takes nothing from a waiting reader, a
/// failure reaches every one of them, and a fetch ends when nobody is left who wants it. Readers overtake prefetches.
/// A value without clock, threads or I/O: each call gives effects, to be carried out in order.
public struct Prefetcher<Value> {
  /// How it works.
  public let options: PrefetcherOptions
  /// What was done so far.
  public internal(set) var statistics = PrefetcherStatistics()

  var cache: PrefetchCache<Value>
  /// Fetches under way or waiting for a slot, one per id.
  var flights: [ItemID: PrefetchFlight] = [:]
  var names: [PrefetchID: ItemID] = [:]
  /// Ids that readers wait for, the longest waiting first.
  var readers = PrefetchQueue()
  /// Ids to prefetch, the most important first.
  var ahead = PrefetchQueue()
  /// Fetches of an id that failed since the last that did not, so that a list which scrolls to and fro does not hammer a
  /// broken source.
  var failures: [ItemID: Failures] = [:]
  var effects: [PrefetchEffect<Value>] = []
  private var tokens = 0
  private var fetches = 0
  private var places = 0

  /// In a row.
  struct Failures: Sendable {
    var count = 0
    var last: Instant
  }

  public init(options: PrefetcherOptions = PrefetcherOptions()) {
    self.options = options
    cache = PrefetchCache(capacity: options.capacity)
  }

  /// Fetches in flight.
  public var inFlight: Int { names.count }

  /// Ids that wait for a slot.
  public var queued: Int { flights.count - names.count }

  /// Values that are held, stale ones too.
  public var count: Int { cache.count }

  /// What is held of an id, stale or not; nil when nothing is. Counts as read.
  public mutating func peek(_ id: ItemID) -> Value? { cache.read(id)?.value }

  /// Whether a value is held that is not stale.
  public func isFresh(_ id: ItemID, at now: Instant) -> Bool {
    guard let age = cache.time(of: id).map({ now - $0 }) else { return false }
    return options.staleAfter.map { age < $0 } ?? true
  }

  /// How it stands with an id; nothing is read or fetched by asking.
  public func state(of id: ItemID, at now: Instant) -> PrefetchState {
    if isFresh(id, at: now) { return .held }
    if let flight = flights[id] { return flight.name == nil ? .queued : .fetching }
    return failures[id] == nil ? .none : .failed
  }

  /// Whether nobody waits for the answer to that fetch yet.
  public func isPrefetch(_ name: PrefetchID) -> Bool {
    names[name].flatMap { flights[$0]?.waiters.isEmpty } ?? false
  }

  /// The number of the next or present fetch of the id, from 1, counted since the last that did not fail.
  public func attempt(of id: ItemID) -> Int { (failures[id]?.count ?? 0) + 1 }

  mutating func nextToken() -> PrefetchToken {
    tokens += 1
    return PrefetchToken(number: tokens)
  }

  /// A new place for a flight, which gives up the one that it had.
  mutating func newPlace(_ id: ItemID) -> PrefetchQueue.Entry {
    places += 1
    flights[id]?.place = places
    return PrefetchQueue.Entry(id: id, place: places)
  }

  /// Starts what may be started: readers first, each in the order of their queue.
  mutating func start() {
    while names.count < options.maxInFlight, let id = readers.next(flights) ?? ahead.next(flights) {
      fetches += 1
      let name = PrefetchID(number: fetches)
      flights[id]?.name = name
      names[name] = id
      statistics.fetches += 1
      effects.append(.fetch(name, id))
    }
  }

  mutating func takeEffects() -> [PrefetchEffect<Value>] {
    let result = effects
    effects = []
    return result
  }
}

extension Prefetcher: Sendable where Value: Sendable {}
