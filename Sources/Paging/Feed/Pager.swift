internal import Items

/// One side's pages: which key comes next, what is under way, and whose turn it is.
///
/// Pages land in any order and leave in theirs. It knows nothing of policies, retries or the item set.
struct Pager: Sendable {
  /// Where the known pages end.
  enum Frontier: Sendable, Equatable {
    /// The first page of a generation.
    case first(PageKey?)
    /// For appending the key of the next page, for prepending with counted keys the key behind it.
    case key(PageKey?)
    /// The page that names the next one is under way.
    case pending
    case end
  }

  /// `.append` or `.prepend`.
  let side: Direction
  let maxInFlight: Int
  let kind: KeyKind
  let allowsKeyReuse: Bool
  let checksTotal: Bool
  var frontier: Frontier
  /// In the order of delivery.
  var slots: [Slot] = []
  /// Pages that were dropped, or taken back while fetched again; the nearest comes last.
  private var backlog: [PageOrder] = []
  /// Cursors that were asked for in this generation.
  var usedKeys: Set<PageKey> = []
  var landedPages = 0
  /// Items that the source sent in the pages that are in, without those that two pages were asked for.
  var received = 0
  /// Items that were new.
  var inserted = 0
  /// The offset behind the last item that came; zero for other keys.
  var farthest: Int64 = 0
  /// Items of the largest page.
  var largestPage = 0
  /// The items of the page that reached the total.
  var edge: [Bytes]?
  /// The key of the first page.
  let beginning: PageKey?
  /// The farthest page that is in was shorter than others, as last pages are.
  var looksLast = false

  /// Why no page can be asked for, where it is not the failure of one page.
  var failure: FetchFailure?

  var stop: StopReason?
  /// Fetches in a row that brought nothing new.
  var fruitless = 0
  /// Pages in a row that held nothing at all.
  var empty = 0
  /// Fetches in a row that the policy took back again.
  var takenBack = 0
  /// The policy asked not to be asked before.
  var askAgainAt: Instant?
  var wasExhausted = false

  init(side: Direction, configuration: FeedConfiguration, frontier: Frontier) {
    self.side = side
    maxInFlight = configuration.maxInFlight
    kind = configuration.options.keys
    allowsKeyReuse = configuration.options.allowsKeyReuse
    checksTotal = configuration.options.checksTotal
    if case .first(let key) = frontier { beginning = key } else { beginning = nil }
    self.frontier = frontier
  }

  var inFlight: Int { slots.count { $0.isInFlight } }
  var expectedItems: Int { slots.reduce(0) { $0 + $1.expected } }

  func index(of id: FetchID) -> Int? { slots.firstIndex { $0.fetchID == id } }

  /// Pages that may be started now: up to twice as many as have landed while the total is unknown, so that a
  /// short list costs no more than a request or two, and no more in waiting than four times what may be in
  /// flight.
  func freeSlots(total: Int?, plan: KeyPlan) -> Int {
    let total = bound(total, plan: plan)
    guard hasNext(total: total, plan: plan), !slots.contains(where: \.hasGivenUp) else { return 0 }
    let growing = looksLast ? 1 : max(1, 2 * landedPages)
    let width = total == nil ? min(maxInFlight, growing) : maxInFlight
    let busy = slots.count(where: \.isBusy)
    return max(0, min(width - busy, 4 * maxInFlight - slots.count))
  }

  /// Whether nothing is left to fetch or to deliver.
  func isExhausted(total: Int?, plan: KeyPlan) -> Bool {
    slots.isEmpty && frontier != .pending && !hasNext(total: total, plan: plan)
  }

  /// Whether there is a page to ask for.
  func hasNext(total: Int?, plan: KeyPlan) -> Bool {
    !backlog.isEmpty || nextOrder(total: total, plan: plan) != nil
  }

  /// Takes the next page to ask for and gives it the last place; its index is returned.
  mutating func enqueue(total: Int?, plan: KeyPlan) -> Int? {
    if let order = backlog.popLast() {
      slots.append(Slot(order: order))
    } else if let order = nextOrder(total: total, plan: plan) {
      frontier = frontier(behind: order, plan: plan)
      if kind == .cursor, let key = order.key { usedKeys.insert(key) }
      slots.append(Slot(order: order))
    } else {
      return nil
    }
    return slots.count - 1
  }

  /// Remembers a page that was dropped; it is the next one to ask for.
  mutating func remember(_ order: PageOrder) { backlog.append(order) }

  /// The page whose turn it is, if it is in.
  mutating func takeLanded() -> Slot? {
    guard let first = slots.first, first.isLanded else { return nil }
    return slots.removeFirst()
  }

  /// Nothing follows any more; the pages that had been asked for are returned.
  mutating func end() -> [Slot] {
    defer { (slots, backlog, frontier) = ([], [], .end) }
    uncount(slots)
    return slots
  }

  /// Takes away a page that failed, and says that nothing follows it; the pages behind it are returned.
  mutating func end(at index: Int) -> [Slot] {
    let behind = end(behind: index)
    slots.removeLast()
    return behind
  }

  /// Says that nothing follows a page; those behind it are taken away and returned.
  mutating func end(behind index: Int) -> [Slot] {
    let gone = Array(slots[(index + 1)...])
    uncount(gone)
    slots.removeSubrange((index + 1)...)
    frontier = .end
    return gone
  }

  /// Forgets what pages brought that are in and will not be delivered, or were there already.
  mutating func uncount(_ gone: [Slot]) {
    for slot in gone where (slot.isLanded || slot.isOutlined) && !slot.order.isReplay {
      received -= slot.received - slot.overlap
    }
  }

  /// Takes back all pages from an index on, as if they had not been asked for, and returns them.
  mutating func takeBack(from index: Int = 0) -> [Slot] {
    let gone = Array(slots[index...])
    uncount(gone)
    slots.removeSubrange(index...)
    for order in gone.reversed().map(\.order) {
      if order.isReplay { backlog.append(order) } else { frontier = frontier(before: order) }
    }
    return gone
  }
}
