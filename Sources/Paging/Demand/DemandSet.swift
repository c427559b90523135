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
  public private(set) var items = ItemSet()
  /// The highest page fetched; zero before the first.
  public private(set) var lastFetchedPage = 0
  /// Incremented when the query changes; handlers see it in their requests.
  public private(set) var queryGeneration = 0

  private var running: DemandFetch?
  private var plan: KeyPlan
  /// Keys of pages, as learned from the pages before them.
  private var keys: [Int: PageKey?] = [:]
  /// Items that each page brought, as the source sent them.
  private var pages: [Int: Int] = [:]
  private var isOver = false
  private var emptyPages = EmptyPages()
  private var repeatedKey: PageKey?
  private var generation = 1
  private var fetches = 0
  private var tickets = 0
  private var random: RandomStream
  private var effects: [DemandEffect] = []

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
      return (running.page == page ? .joined(running.ticket) : .busy(running.ticket), [])
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
    plan = KeyPlan(configuration)
    keys = [:]
    pages = [:]
    isOver = false
    emptyPages = EmptyPages()
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

  private mutating func drainEffects() -> [DemandEffect] {
    let result = effects
    effects = []
    return result
  }
}

/// Attempts and their answers.
extension DemandSet {
  /// Handles items that a handler appended; they are shown when the page is complete.
  public mutating func appended(_ id: FetchID, _ items: [Item], received: Int) -> [DemandEffect] {
    if isUnderWay(id) {
      running?.pending += items
      let before = running?.received ?? 0
      running?.received = before.clampedSum(Landing.limited(received, Limits.count))
    }
    return drainEffects()
  }

  /// Handles the answer of an attempt: the only place where `isFetching` ends on success and failure.
  public mutating func answered(_ id: FetchID, _ answer: FetchAnswer, at now: Instant) -> [DemandEffect] {
    if isUnderWay(id) {
      do { land(try Landing(answer), id) } catch { fail(error, id, at: now) }
    }
    return drainEffects()
  }

  /// Handles a handler that returned nothing and never completed.
  public mutating func endedWithoutCompleting(_ id: FetchID, at now: Instant) -> [DemandEffect] {
    answered(id, .failed(.notCompleted), at: now)
  }

  /// Starts a due retry, and fails an attempt past its deadline.
  public mutating func woke(at now: Instant) -> [DemandEffect] {
    switch running?.phase {
    case .failed(let retryAt) where retryAt <= now: attempt(at: now)
    case .inFlight(let id, let since):
      if let deadline = configuration.options.deadline, since + deadline <= now {
        effects.append(.cancel(id))
        fail(.timeout(after: deadline), id, at: now)
      }
    case .failed, nil: break
    }
    return drainEffects()
  }

  private mutating func attempt(at now: Instant) {
    guard var fetch = running else { return }
    fetches += 1
    let id = FetchID(generation: generation, number: fetches)
    fetch.attempts += 1
    fetch.phase = .inFlight(id, since: now)
    fetch.pending = []
    fetch.received = 0
    running = fetch
    let order = fetch.order
    effects.append(
      .fetch(
        FetchRequest(
          id: id, key: order.key, size: order.size, direction: order.direction, attempt: fetch.attempts,
          queryGeneration: queryGeneration)))
    if let deadline = configuration.options.deadline { effects.append(.wake(at: now + deadline)) }
  }

  private mutating func isUnderWay(_ id: FetchID) -> Bool {
    if case .inFlight(id, _) = running?.phase { return true }
    effects.append(.note(.threwAwayLateAnswer(id)))
    return false
  }

  private mutating func fail(_ failure: FetchFailure, _ id: FetchID, at now: Instant) {
    guard let fetch = running else { return }
    let rule = configuration.options.retry
    let delay =
      failure.isTransient
      ? rule.delay(afterAttempt: fetch.attempts, retryAfter: failure.retryAfter, random: &random) : nil
    if let delay {
      running?.phase = .failed(retryAt: now + delay)
      effects.append(.note(.retrying(id, failure, attempt: fetch.attempts + 1, at: now + delay)))
      effects.append(.wake(at: now + delay))
    } else {
      running = nil
      effects.append(.failed(fetch.ticket, page: fetch.page, failure))
    }
  }

  private mutating func land(_ landing: Landing, _ id: FetchID) {
    guard let fetch = running else { return }
    running = nil
    if let total = landing.total { plan.learn(total: total, knowing: plan.mostTotal) }
    let received = fetch.received.clampedSum(landing.received)
    pages[fetch.page] = received
    let result = items.append(fetch.pending + landing.items, merge: configuration.options.merge)
    follow(landing, fetch, received: received, id)
    lastFetchedPage = max(lastFetchedPage, fetch.page)
    effects.append(
      .note(
        .delivered(
          id, inserted: result.inserted.count, updated: result.updated.count, duplicates: result.duplicates)))
    effects.append(.loaded(fetch.ticket, page: fetch.page, new: result.inserted))
    // Pages that nobody asked for are not missing.
    if lastPageAlreadyFetched, pages.count == lastFetchedPage { effects.append(.ended(mismatch)) }
  }

  /// How the items of all pages disagree with the total; nil if they agree or it can't be known.
  private var mismatch: TotalMismatch? {
    let sent = pages.values.reduce(0) { $0.clampedSum($1) }
    return plan.mismatch(
      received: sent, different: items.count, largestPage: pages.values.max() ?? 0,
      counts: plan.kind.isCounted,
      configuration.options)
  }

  /// Records from a page where the next one is, if any.
  private mutating func follow(_ landing: Landing, _ fetch: DemandFetch, received: Int, _ id: FetchID) {
    let isNewest = fetch.page >= lastFetchedPage
    guard plan.kind.isCounted else {
      followCursor(landing, fetch, isNewest: isNewest, id)
      return
    }
    let advance = landing.advance(received: received)
    let next = plan.number(after: fetch.order, received: advance)
    let isMoreKnown = totalCount.map { plan.position(of: next) < Int64($0) } ?? false
    // The last page of a total that is known is short because the source ends there.
    if received >= fetch.order.size || isMoreKnown || totalCount == nil {
      _ = plan.learn(from: fetch.order, received: received, isMoreKnown: isMoreKnown)
    }
    if plan.kind == .offset { keys[fetch.page + 1] = .integer(next) }
    if isNewest {
      // The last page, fetched again, may have items now.
      if advance > 0 || fetch.page > lastFetchedPage && !landing.isGap {
        emptyPages.follow(items: advance, of: fetch.order.size, countsPages: plan.kind == .page)
      }
      let isEmptyEnd =
        totalCount == nil ? emptyPages.areEnd : advance == 0 && !landing.saysMore && !isMoreKnown
      isOver = landing.isLast || landing.isOver || isEmptyEnd
    }
  }

  private mutating func followCursor(
    _ landing: Landing, _ fetch: DemandFetch, isNewest: Bool, _ id: FetchID
  ) {
    let isEnd = landing.isLast || landing.isOver || (landing.nextKey == nil && !landing.isGap)
    let used = [fetch.order.key] + keys.filter { $0.key <= fetch.page }.map(\.value)
    let isRepeated =
      landing.nextKey != nil && !configuration.options.allowsKeyReuse && used.contains(landing.nextKey)
    if isNewest {
      isOver = isEnd
      repeatedKey = isRepeated && !isEnd ? landing.nextKey : nil
      if let repeatedKey { effects.append(.note(.gaveUp(id, .repeatedKey(repeatedKey)))) }
    }
    if !isEnd, !isRepeated { keys.updateValue(landing.nextKey, forKey: fetch.page + 1) }
  }
}

/// What is known of the list.
extension DemandSet {
  /// Whether a page is being fetched or waits for its next attempt.
  public var isFetching: Bool { running != nil }

  /// The latest total reported by the source.
  public var totalCount: Int? { plan.total }

  /// Items held, as opposed to the source's total.
  public var count: Int { items.count }
  /// The first item received; nil if there is none.
  public var firstItem: Item? { items[0] }
  /// The last item received; nil if there is none.
  public var lastItem: Item? { items[items.count - 1] }

  /// The item at an index from 0, in order of arrival.
  public subscript(index: Int) -> Item? { items[index] }

  /// Whether an item with this id is held.
  public func contains(_ id: ItemID) -> Bool { items.contains(id) }

  /// Pages of the source from the first key on; without a total, those known so far. Zero before the first page.
  public var totalPages: Int {
    guard lastFetchedPage > 0 else { return 0 }
    guard let totalCount else { return lastFetchedPage }
    let (size, skipped) = (plan.effectivePageSize, Int(clamping: plan.position(of: plan.firstNumber)))
    let items = totalCount - Landing.limited(skipped, totalCount)
    return items / size + (items % size == 0 ? 0 : 1)
  }

  /// Whether nothing is known to follow the last fetched page; also when the total shrank.
  public var lastPageAlreadyFetched: Bool {
    if isOver { return true }
    guard lastFetchedPage > 0, plan.kind.isCounted, let totalCount else { return false }
    guard let number = order(of: lastFetchedPage + 1)?.number else { return false }
    return plan.position(of: number) >= Int64(totalCount)
  }

  /// The request for a page; nil while its cursor is unknown.
  private func order(of page: Int) -> PageOrder? {
    let direction = page == 1 ? Direction.refresh : .append
    let size = configuration.options.pageSize
    if page == 1 { return PageOrder(key: plan.first, size: size, direction: direction) }
    if let key = keys[page] { return PageOrder(key: key, size: size, direction: direction) }
    let distance = Int64(page - 1)
    switch plan.kind {
    case .cursor: return nil
    case .page:
      return PageOrder(
        key: .integer(plan.firstNumber.clampedSum(distance)), size: size, direction: direction)
    case .offset:
      let offset = plan.firstNumber.clampedSum(distance.clampedProduct(Int64(plan.effectivePageSize)))
      return PageOrder(key: .integer(offset), size: size, direction: direction)
    }
  }
}

/// The page being fetched.
private struct DemandFetch: Sendable {
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
