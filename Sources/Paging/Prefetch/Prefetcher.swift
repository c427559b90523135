public import Items

/// Details of items, fetched ahead of display and cached (UIKit's AsyncFetcher, with its faults fixed).
///
/// One fetch per id. Each waiting reader holds its own token: cancelling a prefetch takes nothing from a reader, a
/// failure reaches every reader, and a fetch is cancelled when nobody wants it. Readers go before prefetches. A value
/// without clock, threads or I/O: each call returns effects, to be carried out in order.
///
/// ```swift
/// var prefetcher = Prefetcher<Bytes>(options: PrefetcherOptions())
/// let effects = prefetcher.prefetch(ids, at: now)
/// ```
public struct Prefetcher<Value> {
  /// Its settings.
  public let options: PrefetcherOptions
  /// Counts so far.
  public internal(set) var statistics = PrefetcherStatistics()

  var cache: PrefetchCache<Value>
  /// Fetches in flight or queued, one per id.
  var flights: [ItemID: PrefetchFlight] = [:]
  var names: [PrefetchID: ItemID] = [:]
  /// Ids that readers wait for, longest waiting first.
  var readers = PrefetchQueue()
  /// Ids to prefetch, most important first.
  var ahead = PrefetchQueue()
  /// Failures per id since its last success, so that a list scrolled back and forth does not hammer a broken source.
  var failures: [ItemID: Failures] = [:]
  var effects: [PrefetchEffect<Value>] = []
  private var tokens = 0
  private var fetches = 0
  private var places = 0

  /// Consecutive failures.
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

  /// Ids waiting for a slot.
  public var queued: Int { flights.count - names.count }

  /// Values held, including stale ones.
  public var count: Int { cache.count }

  /// The held value of an id, stale or not; nil if there is none. Counts as read.
  public mutating func peek(_ id: ItemID) -> Value? { cache.read(id)?.value }

  /// Whether a fresh value is held.
  public func isFresh(_ id: ItemID, at now: Instant) -> Bool {
    guard let age = cache.time(of: id).map({ now - $0 }) else { return false }
    return options.staleAfter.map { age < $0 } ?? true
  }

  /// The state of an id; reads and fetches nothing.
  public func state(of id: ItemID, at now: Instant) -> PrefetchState {
    if isFresh(id, at: now) { return .held }
    if let flight = flights[id] { return flight.name == nil ? .queued : .fetching }
    return failures[id] == nil ? .none : .failed
  }

  /// Whether no reader waits for that fetch yet.
  public func isPrefetch(_ name: PrefetchID) -> Bool {
    names[name].flatMap { flights[$0]?.waiters.isEmpty } ?? false
  }

  /// The number of the next or current fetch of the id, from 1, since its last success.
  public func attempt(of id: ItemID) -> Int { (failures[id]?.count ?? 0) + 1 }

  mutating func nextToken() -> PrefetchToken {
    tokens += 1
    return PrefetchToken(number: tokens)
  }

  /// A new place for a flight, replacing its old one.
  mutating func newPlace(_ id: ItemID) -> PrefetchQueue.Entry {
    places += 1
    flights[id]?.place = places
    return PrefetchQueue.Entry(id: id, place: places)
  }

  /// Starts what may start: readers first, each in queue order.
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

  mutating func drainEffects() -> [PrefetchEffect<Value>] {
    let result = effects
    effects = []
    return result
  }
}

extension Prefetcher: Sendable where Value: Sendable {}
