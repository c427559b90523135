internal import Items

/// What one side's pages have brought, held against what the source says that it has: who asks whether the list is over asks
/// here.
struct PageTally: Sendable {
  private let side: Direction
  private let kind: KeyKind
  private let checksTotal: Bool
  /// Pages that are in.
  private(set) var pages = 0
  /// Items that the source sent in them, without those that two pages were asked for.
  private(set) var received = 0
  /// Items that were new.
  private(set) var inserted = 0
  /// Items of the largest page.
  private(set) var largestPage = 0
  /// The offset behind the last item that came; zero for other keys.
  private var farthest: Int64 = 0
  /// The items of the page that reached the total.
  private var edge: [Bytes]?
  /// The farthest page that is in was shorter than others, as last pages are.
  var looksLast = false

  init(side: Direction, configuration: FeedConfiguration) {
    self.side = side
    kind = configuration.options.keys
    checksTotal = configuration.options.checksTotal
  }

  /// Counts a page that came in; one that was held before tells nothing new.
  mutating func add(_ slot: Slot) {
    pages += 1
    guard !slot.order.isReplay else { return }
    if kind == .offset, let number = slot.order.number {
      farthest = max(farthest, number.clampedSum(Int64(slot.received)))
    }
    received = received.clampedSum(slot.received - slot.overlap)
    largestPage = max(largestPage, slot.received)
  }

  /// Forgets what pages brought that will not be delivered, or were there already.
  mutating func remove(_ slots: [Slot]) {
    for slot in slots where (slot.isLanded || slot.isOutlined) && !slot.order.isReplay {
      received -= slot.received - slot.overlap
    }
  }

  /// Counts the new items of a page that took its place; items that are all there already came again, and are no part of what
  /// the total counts.
  mutating func deliver(_ slot: Slot, inserted: Int, isRepeated: Bool) {
    if !slot.order.isReplay { self.inserted += inserted }
    if isRepeated { remove([slot]) }
  }

  /// Remembers the items of the page that reached the total.
  mutating func rememberEdge(_ items: [Item], _ plan: KeyPlan) {
    if reach(plan) == plan.total.map(Int64.init) { edge = items.map(\.bytes) }
  }

  /// Items up to the end of what is in, those before the first key among them.
  func reach(_ plan: KeyPlan) -> Int64 {
    Int64(received).clampedSum(plan.skipped(largestPage: largestPage).lowerBound)
  }

  /// The total as far as it bounds what is fetched: none any more once the pages have shown that it is too small.
  func bound(_ plan: KeyPlan) -> Int? {
    guard let total = plan.total, checksTotal, reach(plan) > Int64(total) else { return plan.total }
    return nil
  }

  /// Whether a counted page begins at or behind the total, and was asked for to hear from the source that it is over.
  func isPast(_ order: PageOrder, _ plan: KeyPlan) -> Bool {
    guard checksTotal, kind.isCounted, side == .append, let total = plan.total, let number = order.number,
      !order.isReplay
    else { return false }
    return reach(plan) >= Int64(total) || plan.position(of: number) >= Int64(total)
  }

  /// Whether the source has still to say itself that it is over: the last page was full, or items are missing.
  func asksPast(_ total: Int, _ plan: KeyPlan) -> Bool {
    checksTotal && pages > 0 && (!looksLast || reach(plan) < Int64(total))
  }

  /// Whether a page that failed lies behind the last item that the total tells of: then its failure says what an empty page
  /// would have said.
  func isPastEnd(_ order: PageOrder, _ failure: FetchFailure, _ plan: KeyPlan) -> Bool {
    failure.saysThatNothingIsThere && isPast(order, plan) && reach(plan) == plan.total.map(Int64.init)
  }

  /// Whether a page behind the total brings only what is there already: a source that has come to its end may send its last
  /// page again and again. Where pages before it brought more than they were asked for, it is there already as well, and no
  /// end.
  func isRepetition(
    _ new: @autoclosure () -> [Item], of slot: Slot, _ plan: KeyPlan, holds: (ItemID) -> Bool
  ) -> Bool {
    guard bound(plan) != nil, isPast(slot.order, plan), slot.inserted + slot.updated == 0,
      (slot.order.number ?? 0) >= farthest
    else { return false }
    let new = new()
    return new.allSatisfy { holds($0.id) } || new.map(\.bytes) == edge
  }
}

extension FetchFailure {
  /// Whether the source answered, with something that is no page or with a status for requests that ask for what is not
  /// there. A server that is busy or broken, or wants other credentials, says nothing of what it has.
  var saysThatNothingIsThere: Bool {
    if code == "http" { return status.map([400, 404, 410, 416, 422].contains) ?? false }
    return ["script", "parse", "notCompleted"].contains(code)
  }
}
