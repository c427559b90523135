internal import Items

/// What one side's pages have brought, compared with the source's total: it answers whether the list is over.
struct PageTally: Sendable {
  private let side: Direction
  private let kind: KeyKind
  private let checksTotal: Bool
  /// Pages that were delivered, by an earlier feed too.
  private(set) var delivered: Int32 = 0
  /// Landed pages.
  private(set) var pages = 0
  /// Items sent in them, each counted for one page only.
  private(set) var received = 0
  /// New items.
  private(set) var inserted = 0
  /// Items of the largest page.
  private(set) var largestPage = 0
  /// The offset behind the last item that came; zero for other keys.
  private var farthest: Int64 = 0
  /// The first page, and the one that reached the total: a source may send either again past its end.
  @Seldom private var ends: (first: [TextDigest], last: [TextDigest])?
  /// The farthest landed page was short, as last pages are.
  var looksLast = false

  init(side: Direction, configuration: FeedConfiguration) {
    self.side = side
    kind = configuration.options.keys
    checksTotal = configuration.options.checksTotal
  }

  /// The pages before a position.
  mutating func recall(_ position: Position) {
    (pages, received, inserted) = (position.pages, position.received, position.inserted)
    delivered = Int32(clamping: position.pages)
    largestPage = position.largestPage
    if kind == .offset, case .integer(let number) = position.key { farthest = number }
  }

  /// Notes the delivered pages in a position; `slots` are the others.
  func note(in position: inout Position, without slots: [Slot]) {
    var delivered = self
    delivered.remove(slots)
    (position.received, position.inserted) = (delivered.received, inserted)
    position.pages = max(1, pages - slots.count { ($0.isLanded || $0.isOutlined) && !$0.order.isReplay })
    position.largestPage = largestPage
  }

  /// Counts a landed page; a replay tells nothing new.
  mutating func add(_ slot: Slot) {
    guard !slot.order.isReplay else { return }
    pages += 1
    if kind == .offset, let number = slot.order.number {
      farthest = max(farthest, number.clampedSum(Int64(slot.received)))
    }
    received = received.clampedSum(slot.received - slot.overlap)
    largestPage = max(largestPage, slot.received)
  }

  /// Uncounts pages that are not delivered or only repeat held items.
  mutating func remove(_ slots: [Slot]) {
    for slot in slots where (slot.isLanded || slot.isOutlined) && !slot.order.isReplay {
      received -= slot.received - slot.overlap
    }
  }

  /// Counts a delivered page's new items; a page of repeated items is no part of what the total counts.
  mutating func deliver(_ slot: Slot, inserted: Int, isRepeated: Bool) {
    if !slot.order.isReplay {
      self.inserted += inserted
      delivered = delivered.clampedSum(1)
    }
    if isRepeated { remove([slot]) }
  }

  /// Remembers the items of the first page, and of the one that reached the total, or would have if it had been full.
  mutating func rememberEnds(_ items: [Item], of slot: Slot, _ plan: KeyPlan) {
    guard checksTotal, kind.isCounted, side == .append, !slot.order.isReplay, let total = plan.total else {
      return
    }
    if ends == nil { ends = (items.digests, []) }
    let isLast = plan.position(of: plan.number(after: slot.order)) >= Int64(total) && bound(plan) != nil
    if isLast, !isPast(slot.order, plan) || reach(plan) == Int64(total) { ends?.last = items.digests }
  }

  /// Items up to the end of the landed pages, including those before the first key.
  func reach(_ plan: KeyPlan) -> Int64 {
    Int64(received).clampedSum(plan.skipped(largestPage: largestPage).lowerBound)
  }

  /// The total, as long as it bounds fetching: nil once pages have shown it to be too small.
  func bound(_ plan: KeyPlan) -> Int? {
    guard let total = plan.total, checksTotal, reach(plan) > Int64(total) else { return plan.total }
    return nil
  }

  /// Whether a counted page begins at or past the total, and was requested to have the source confirm the end.
  func isPast(_ order: PageOrder, _ plan: KeyPlan) -> Bool {
    guard checksTotal, kind.isCounted, side == .append, let total = plan.total, let number = order.number,
      !order.isReplay
    else { return false }
    return reach(plan) >= Int64(total) || plan.position(of: number) >= Int64(total)
  }

  /// Whether the source has yet to confirm the end: the last page was full, or items are missing.
  func asksPast(_ total: Int, _ plan: KeyPlan) -> Bool {
    checksTotal && pages > 0 && (!looksLast || reach(plan) < Int64(total))
  }

  /// Whether a failed page lies past the total; then its failure means the same as an empty page.
  func isPastEnd(_ order: PageOrder, _ failure: FetchFailure, _ plan: KeyPlan) -> Bool {
    failure.saysThatNothingIsThere && isPast(order, plan) && reach(plan) == plan.total.map(Int64.init)
  }

  /// Whether a page past the total only repeats held items: a source may repeat its last page past the end. If earlier pages
  /// brought more than requested, repeats mean no end.
  func isRepetition(
    _ landing: Landing, of slot: Slot, _ plan: KeyPlan, _ held: HeldItems
  ) -> Bool {
    guard bound(plan) != nil, isPast(slot.order, plan), slot.inserted + slot.updated == 0,
      (slot.order.number ?? 0) >= farthest
    else { return false }
    let new = slot.pending + landing.items
    if new.allSatisfy({ held.contains($0.id) }) { return true }
    let sent = new.digests
    return sent == ends?.first || sent == ends?.last
  }
}

private extension [Item] {
  /// What tells a page from others, for less room than its items take.
  var digests: [TextDigest] { map { TextDigest($0.bytes) } }
}

extension FetchFailure {
  /// Whether the failure is an answer about missing content: not a page, or a status for requests past the end. A busy or
  /// broken server, or one that wants credentials, tells nothing about its content.
  var saysThatNothingIsThere: Bool { isNoSuchPage || ["script", "parse", "notCompleted"].contains(code) }

  /// Whether a server has said that there is no such page.
  var isNoSuchPage: Bool { code == "http" && status.map([400, 404, 410, 416, 422].contains) ?? false }
}
