internal import Items

/// One side's pages: which key comes next, what is in flight, and whose turn it is.
///
/// Pages land in any order and are delivered in theirs. It knows nothing of policies, retries or the item set; knowledge of
/// the whole list, the `KeyPlan`, is passed in.
struct Pager: Sendable {
  /// Why the side requests no pages, beyond one page's failure.
  private enum Halt: Sendable {
    indirect case failed(FetchFailure)
    case stopped(StopReason)
  }

  /// `.append` or `.prepend`.
  let side: Direction
  let kind: KeyKind
  let checksTotal: Bool
  private(set) var width: PageWidth
  private(set) var frontier: Frontier
  private var halt: Halt?
  /// In delivery order.
  private(set) var slots: [Slot] = []
  /// Dropped pages, and replays that were withdrawn; the nearest is last.
  private(set) var backlog: [PageOrder] = []
  private(set) var trail: CursorTrail
  private(set) var tally: PageTally
  /// Whether the first page is that of the list.
  let isWhole: Bool
  private var fruitless = FruitlessFetches()
  var emptyPages = EmptyPages()
  /// Consecutive fetches that the policy withdrew.
  private var withdrawals: Int32 = 0
  /// The policy is not asked before then.
  var askAgainAt: Instant?
  private var wasExhausted = false
  /// The next page, if items of it were shown before it was withdrawn.
  @Seldom private var shown: Slot?

  /// A side whose first page has that key; without one it starts out exhausted.
  init(side: Direction, configuration: FeedConfiguration, firstKey: PageKey??) {
    self.side = side
    (kind, checksTotal) = (configuration.options.keys, configuration.options.checksTotal)
    tally = PageTally(side: side, configuration: configuration)
    trail = CursorTrail(side, configuration.options)
    (width, isWhole) = (PageWidth(configuration), (firstKey ?? nil) == configuration.firstKey)
    frontier = firstKey.map { .first($0) } ?? .end
  }

  /// Goes on at a position, beginning with the page before it where a list may have moved since.
  mutating func begin(at beginning: Beginning, _ plan: KeyPlan) {
    frontier = trail.begin(at: beginning.position)
    tally.recall(beginning.position)
    emptyPages.recall(beginning.position)
    let isSecond = beginning.position.pages == 1
    if !beginning.known.isEmpty, let order = check(before: beginning.position.key, plan, isSecond: isSecond) {
      remember(order)
    }
  }

  /// Whether the keys count pages or items, by themselves or as the source names them, so that pages move with their list.
  var counts: Bool { kind.isCounted || trail.counting != nil }

  var inFlight: Int { slots.count { $0.isInFlight } }
  var expectedItems: Int { slots.reduce(0) { $0 + $1.expected } }
  var outlinedItems: Int { slots.prefix { $0.isOutlined }.reduce(0) { $0 + $1.expected } }
  /// Whether nothing lies beyond the known pages.
  var isAtEnd: Bool { frontier == .end }
  /// Whether it requests nothing until it is retried or refreshed.
  var hasHalted: Bool { halt != nil }
  /// Whether the side or one of its pages failed, gave up or stopped.
  var hasFailed: Bool { hasHalted || slots.contains(where: \.hasFailed) }
  /// Whether a failure or a stop keeps the policy from being asked.
  var isHeldUp: Bool {
    hasHalted || slots.first?.hasGivenUp ?? false || slots.contains(where: \.waitsForRetry)
  }
  var hasStopped: Bool { if case .stopped = halt { true } else { false } }
  func index(of id: FetchID) -> Int? { slots.firstIndex { $0.fetchID == id } }

  /// What this side is doing.
  func state(_ plan: KeyPlan) -> FetchState {
    switch halt {
    case .failed(let failure): return .gaveUp(failure)
    case .stopped(let reason): return .stopped(reason)
    case nil: break
    }
    if slots.isEmpty { return isExhausted(plan) ? .exhausted : .idle }
    var waiting: FetchState?
    for (place, slot) in slots.enumerated() {
      switch slot.phase {
      case .gaveUp(let failure):
        // Its turn comes after the pages before it.
        if place == 0 { return .gaveUp(failure) }
      case .failed(let failure, let retryAt): waiting = waiting ?? .failed(failure, retryAt: retryAt)
      case .waiting, .inFlight, .answered, .landed: break
      }
    }
    return waiting ?? .fetching(inFlight: inFlight)
  }

  /// Pages that may be started now. While the total is unknown at most twice as many as have landed, and one by one where the list
  /// may be over, so that a short list costs a request or two; never more waiting than four times the width.
  func freeSlots(_ plan: KeyPlan, hasNext: Bool) -> Int {
    guard hasNext, !slots.contains(where: \.hasGivenUp) else { return 0 }
    var most = width.pages
    if tally.bound(plan) == nil {
      let growing = tally.looksLast || looksOver ? 1 : max(1, 2 * tally.pages)
      most = min(width.beforeTotal(landed: tally.pages), growing)
    }
    return max(0, min(most - slots.count(where: \.isBusy), 4 * width.pages - slots.count))
  }

  /// Whether nothing is left to fetch or to deliver.
  func isExhausted(_ plan: KeyPlan) -> Bool { isExhausted(hasNext: hasNext(plan)) }
  func isExhausted(hasNext: Bool) -> Bool { slots.isEmpty && frontier != .pending && !hasNext }

  /// Whether it is exhausted now, and was not at the last call.
  mutating func becomes(isExhausted: Bool) -> Bool {
    defer { wasExhausted = isExhausted }
    return isExhausted && !wasExhausted
  }

  /// Whether there is a page to request.
  func hasNext(_ plan: KeyPlan) -> Bool { !backlog.isEmpty || nextOrder(plan) != nil }

  /// Enqueues the next page to request and returns its index.
  mutating func enqueue(_ plan: KeyPlan) -> Int? {
    if let order = backlog.popLast() {
      slots.append(Slot(order: order))
    } else if let order = nextOrder(plan) {
      frontier = Frontier(behind: order, side, plan)
      if kind == .cursor { trail.use(order.key) }
      slots.append(Slot(order: order, after: shown))
      shown = nil
    } else {
      return nil
    }
    return slots.count - 1
  }

  /// Whether a waiting page may be started beside those in flight.
  var hasRoom: Bool { inFlight < width.pages }
  /// Makes the next attempt at a page.
  mutating func begin(at index: Int, as id: FetchID, knowing total: Int?, _ now: Instant) -> FetchRequest {
    slots[index].begin(as: id, knowing: total, now)
    let order = slots[index].order
    return FetchRequest(
      id: id, key: order.key, size: order.size, direction: order.direction, attempt: slots[index].attempt)
  }

  /// Has a page wait for room.
  mutating func wait(at index: Int) { slots[index].phase = .waiting }
  /// Adds items that a handler appended to the page it fetches, and ids that it says are gone.
  mutating func append(_ items: [Item], received: Int, removed: [ItemID] = [], at index: Int) {
    slots[index].removed += removed
    slots[index].received = slots[index].received.clampedSum(received)
    slots[index].pending += items
  }

  /// Drains the items appended to the page whose turn it is, to show them before it is complete; report the outcome with
  /// `shown`.
  mutating func drainPending() -> Slot? {
    guard let slot = slots.first, !slot.pending.isEmpty, !slot.order.isReplay else { return nil }
    (slots[0].pending, slots[0].removed) = ([], [])
    slots[0].shown += slot.pending.count
    return slot
  }

  /// The outcome of the items from `drainPending`.
  mutating func shown(inserted: Int, updated: Int) {
    slots[0].inserted += inserted
    slots[0].updated += updated
  }

  /// Lands a page in its slot, where it waits for its turn.
  mutating func land(_ landing: consuming Landing, as id: FetchID, at index: Int) {
    width.learn(from: slots[index].pending, landing.items)
    slots[index].phase = .landed(id, landing)
  }

  /// Keeps the answer of a page until its turn has come.
  mutating func keep(_ answer: FetchAnswer, of id: FetchID, _ latency: Duration, at index: Int) {
    slots[index].phase = .answered(id, answer, latency: latency)
  }

  /// The kept answer of the page whose turn it is, which is in flight again until that ends.
  mutating func takeAnswer() -> (FetchID, FetchAnswer, latency: Duration)? {
    guard case .answered(let id, let answer, let latency)? = slots.first?.phase else { return nil }
    slots[0].phase = .inFlight(id, since: .zero)
    return (id, answer, latency)
  }

  /// Forgets the kept answer of a page, which waits for room again.
  mutating func askAgain(at index: Int) { slots[index] = Slot(order: slots[index].order) }

  /// Discards the items of a page that only repeats held ones.
  mutating func dropRepetition(at index: Int) {
    (slots[index].pending, slots[index].received) = ([], 0)
  }

  /// Ends a failed attempt: it is retried at that time, or only by hand.
  mutating func fail(_ failure: FetchFailure, retryAt: Instant?, at index: Int) {
    (slots[index].pending, slots[index].removed) = ([], [])
    if !slots[index].isOutlined { slots[index].received = 0 }
    slots[index].phase = retryAt.map { .failed(failure, retryAt: $0) } ?? .gaveUp(failure)
  }

  /// Clears failures and stops, and returns the pages to retry at once.
  mutating func retry() -> [Int] {
    if case .stopped(.pageLimit) = halt { return [] }
    (halt, fruitless) = (nil, FruitlessFetches())
    var due: [Int] = []
    for index in slots.indices {
      switch slots[index].phase {
      case .gaveUp:
        slots[index].attempt = 0
        slots[index].phase = .waiting
      case .failed: due.append(index)
      case .waiting, .inFlight, .answered, .landed: break
      }
    }
    return due
  }

  /// Remembers a dropped page; it is requested next.
  mutating func remember(_ order: PageOrder) { backlog.append(order) }
  /// Has a page take its turn before all others.
  mutating func precede(_ order: PageOrder) { slots.insert(Slot(order: order), at: 0) }

  /// Removes the page whose turn it is, if it has landed.
  mutating func removeLanded() -> Slot? {
    guard let first = slots.first, first.isLanded else { return nil }
    return slots.removeFirst()
  }

  /// Counts what a delivered page brought; `isKnown` says that what it repeats came before the feed began.
  mutating func deliver(
    _ slot: Slot, inserted: Int, updated: Int, offered: Int, isKnown: Bool, _ plan: KeyPlan
  ) {
    withdrawals = 0
    let isRepeated = offered > 0 && inserted + updated == 0
    tally.deliver(slot, inserted: inserted, isRepeated: isRepeated)
    if slot.order.isReplay { return }
    followEmptyPages(slot, plan)
    fruitless.follow(slot, isFruitless: isRepeated ? !isKnown : inserted + updated == 0 && slot.isEmpty)
  }

  /// The newest page was not fruitless.
  mutating func bearFruit() { fruitless.fetches = 0 }
  /// What too many consecutive fetches without new items mean; nil while there are fewer, and at the end.
  func fruitlessness(limit: Int, _ plan: KeyPlan) -> FruitlessFetches.Meaning? {
    fruitless.areTooMany(limit, plan) && !isExhausted(plan) ? fruitless.meaning(plan) : nil
  }

  /// Remembers the first page, and the one that reached the total.
  mutating func rememberEnds(_ items: [Item], of slot: Slot, _ plan: KeyPlan) {
    tally.rememberEnds(items, of: slot, plan)
  }

  mutating func stop(_ reason: StopReason) { halt = .stopped(reason) }

  /// Whether the policy may withdraw what is in flight. One that withdraws everything would never get anywhere, so after
  /// `limit` fetches it has to let one land.
  mutating func mayWithdraw(limit: Int) -> Bool {
    if inFlight == 0 { return true }
    withdrawals += 1
    return withdrawals <= limit
  }

  /// Closes the side, also for pages that were dropped, and returns the requested pages.
  mutating func closeForGood() -> [Slot] {
    backlog = []
    return close()
  }

  /// Closes the side at a failed page, which is removed, and returns the pages behind it.
  mutating func close(at index: Int) -> [Slot] {
    let behind = close(behind: index)
    slots.removeLast()
    return behind
  }

  /// Closes the side behind a page, or behind what was delivered; the pages behind it are removed and returned.
  mutating func close(behind index: Int = -1) -> [Slot] {
    let gone = Array(slots[(index + 1)...])
    tally.remove(gone)
    slots.removeSubrange((index + 1)...)
    frontier = .end
    return gone
  }

  /// Withdraws all pages from an index on, as if they had not been requested, and returns them.
  mutating func withdraw(from index: Int = 0) -> [Slot] {
    let gone = Array(slots[index...])
    tally.remove(gone)
    trail.withdraw(gone)
    if let first = gone.first, first.inserted + first.updated > 0 { shown = first }
    slots.removeSubrange(index...)
    for order in gone.reversed().map(\.order) {
      if order.isReplay { backlog.append(order) } else { frontier = Frontier(before: order, side, kind) }
    }
    return gone
  }

  /// Opens the side at a key that a page of the other side named, which knows better than what was read before.
  mutating func open(at key: PageKey) { (backlog, frontier) = ([], .key(key)) }
}

extension Pager {
  /// Whether the key that a page names was used before.
  func leadsBack(_ landing: Landing, at index: Int) -> Bool {
    kind == .cursor && trail.leadsBack(landing, from: slots[index].order)
  }

  /// Applies the consequences of the page at an index, once; its items may still be missing.
  mutating func follow(_ landing: Landing, at index: Int, _ plan: inout KeyPlan) -> PageConsequence {
    let order = slots[index].order
    slots[index].received = slots[index].received.clampedSum(landing.received)
    (slots[index].told, slots[index].isOutlined) = (landing.removed, true)
    let received = slots[index].received
    if !order.isReplay, !landing.isLast, !landing.isOver {
      slots[index].overlap = overlap(of: received, at: index)
    }
    tally.add(slots[index])
    if order.isReplay { return PageConsequence() }
    guard kind.isCounted else { return followCursor(landing, order, items: received) }
    return side == .prepend
      ? countBackwards(landing, received: received, at: index)
      : count(landing, received: received, at: index, &plan)
  }

  /// Items beyond the requested size when the next page is already requested: a source that ignores the size sends them again.
  private func overlap(of received: Int, at index: Int) -> Int {
    guard kind == .offset, side == .append, index < slots.count - 1 else { return 0 }
    return max(0, received - slots[index].order.size)
  }

  private mutating func followCursor(_ landing: Landing, _ order: PageOrder, items: Int) -> PageConsequence {
    var consequence = PageConsequence()
    do {
      frontier = try trail.follow(landing, from: order, items: items)
    } catch {
      frontier = Frontier(at: order.key, along: order, side)
      halt = .failed(error)
      consequence.repeatedKey = error
    }
    return consequence
  }

  private mutating func count(
    _ landing: Landing, received: Int, at index: Int, _ plan: inout KeyPlan
  ) -> PageConsequence {
    let order = slots[index].order
    var consequence = PageConsequence()
    let (advance, isPast) = (landing.advance(received: received), tally.isPast(order, plan))
    let next = plan.number(after: order, received: advance)
    let total = tally.bound(plan)
    if index == slots.count - 1 { tally.looksLast = advance < min(order.size, plan.cap ?? order.size) }
    let isMoreKnown =
      total.map { plan.position(of: next) < Int64($0) && tally.reach(plan) < Int64($0) } ?? false
    consequence.learnedSize = plan.learn(
      from: order, received: received, isMoreKnown: isMoreKnown && !landing.isLast && !landing.isOver)
    // An empty page is not the end while one behind it has items; where no total is known, `EmptyPages` says what it is.
    let isEmptyEnd =
      advance == 0 && total != nil && (isPast || !landing.saysMore) && !isMoreKnown && !order.isFill
      && slots[(index + 1)...].allSatisfy(\.isEmpty)
    if landing.isLast || landing.isOver || isEmptyEnd {
      consequence.pastEnd = close(behind: index)
      return consequence
    }
    if let total { consequence.pastEnd = cut(beyond: total, plan) }
    if index < slots.count - 1 {
      let left =
        kind == .offset ? order.size - Int(clamping: next.clampedDifference(order.number ?? next)) : 0
      if left > 0, total == nil || isMoreKnown || checksTotal {
        consequence.fill = fill(from: next, size: left, at: index + 1)
      }
    } else if case .key = frontier {
      frontier = .key(.integer(next))
    }
    return consequence
  }

  private mutating func countBackwards(_ landing: Landing, received: Int, at index: Int) -> PageConsequence {
    let order = slots[index].order
    var consequence = PageConsequence()
    if landing.isOver { frontier = .end }
    if kind == .offset, received > 0, received < order.size, let number = order.number {
      consequence.fill = fill(
        from: number.clampedSum(Int64(received)), size: order.size - received, at: index)
    }
    return consequence
  }

  private mutating func fill(from number: Int64, size: Int, at index: Int) -> PageOrder {
    let order = PageOrder(key: .integer(number), size: size, direction: side, isFill: true)
    slots.insert(Slot(order: order), at: index)
    return order
  }
}
