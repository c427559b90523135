public import Items

/// An ordered set of unique items that fetches pages only on request (SeatGeek's item set).
///
/// One page at a time. Pages count from 1 and are ordered by arrival. The requested page number counts, not what the
/// server reports. Answers after a cancel or a reset are discarded.
///
/// ```swift
/// var set = DemandSet(configuration: configuration)
/// let (start, effects) = set.fetchNextPage(at: now)
/// ```
public struct DemandSet: Sendable {
  /// How the source is read.
  public let configuration: FeedConfiguration
  /// The items held, in order of arrival.
  public internal(set) var items = ItemSet()
  /// The highest page fetched; zero before the first.
  public internal(set) var lastFetchedPage = 0
  /// The latest total reported by the source.
  public internal(set) var totalCount: Int?
  /// Incremented when the query changes; handlers see it in their requests.
  public private(set) var queryGeneration = 0

  var running: DemandFetch?
  var plan: KeyPlan
  /// Keys of pages, as learned from the pages before them.
  var keys: [Int: PageKey?] = [:]
  var isOver = false
  var repeatedKey: PageKey?
  var generation = 1
  var fetches = 0
  var tickets = 0
  var random: RandomStream
  var effects: [DemandEffect] = []

  public init(configuration: FeedConfiguration) {
    self.configuration = configuration
    plan = KeyPlan(configuration)
    random = RandomStream(seed: configuration.options.seed)
  }

  /// Fetches the page after the last one; joins it if it is already being fetched.
  public mutating func fetchNextPage(at now: Instant) -> (start: DemandStart, effects: [DemandEffect]) {
    if let running { return (.joined(running.ticket), []) }
    if let repeatedKey { return (.nothing(.repeatedKey(repeatedKey)), []) }
    if lastPageAlreadyFetched { return (.nothing(.lastPageFetched), []) }
    return fetchPage(lastFetchedPage + 1, at: now)
  }

  /// Fetches any page; fetching one again adds only new items.
  public mutating func fetchPage(_ page: Int, at now: Instant) -> (
    start: DemandStart, effects: [DemandEffect]
  ) {
    guard 1...Limits.count ~= page else { return (.nothing(.invalidPage(page)), []) }
    if let running {
      return (running.page == page ? .joined(running.ticket) : .nothing(.busy(page: running.page)), [])
    }
    guard let order = order(of: page) else { return (.nothing(.unknownKey(page: page)), []) }
    tickets += 1
    let fetch = DemandFetch(ticket: DemandTicket(number: tickets), page: page, order: order)
    running = fetch
    attempt(at: now)
    return (.started(fetch.ticket), drainEffects())
  }

  /// Abandons the page being fetched, if any; its answer will be discarded.
  public mutating func cancelFetch(at now: Instant) -> [DemandEffect] {
    abandon()
    return drainEffects()
  }

  /// Drops all items and pages; the query stays, and the next fetch is the first page.
  public mutating func reset(at now: Instant) -> [DemandEffect] {
    abandon()
    items = ItemSet()
    lastFetchedPage = 0
    totalCount = nil
    plan = KeyPlan(configuration)
    keys = [:]
    isOver = false
    repeatedKey = nil
    return drainEffects()
  }

  /// The query changed; it applies from the next request on.
  public mutating func queryChanged() { queryGeneration += 1 }

  private mutating func abandon() {
    generation += 1
    guard let fetch = running else { return }
    running = nil
    if case .inFlight(let id, _) = fetch.phase { effects.append(.cancel(id)) }
    effects.append(.abandoned(fetch.ticket))
  }

  mutating func drainEffects() -> [DemandEffect] {
    let result = effects
    effects = []
    return result
  }
}

/// The page being fetched.
struct DemandFetch: Sendable {
  enum Phase: Sendable {
    case inFlight(FetchID, since: Instant)
    case failed(retryAt: Instant)
  }

  let ticket: DemandTicket
  let page: Int
  let order: PageOrder
  var phase = Phase.failed(retryAt: .zero)
  var attempts = 0
  var pending: [Item] = []
  var received = 0
}
