internal import Items

/// What pages without items say about a list with counted keys of which nothing else tells where it ends.
///
/// A list that its server filters may have short and empty pages anywhere. It is over where an empty page is all there is,
/// where another empty one follows, and behind a short page, unless short pages had more behind them before. Pages are looked
/// at in their order, whichever came first, so that the end is the same however many are requested at once.
struct EmptyPages: Sendable {
  /// Items of the largest page so far; 0 before the first one.
  private var largest: Int32 = 0
  /// Items of the last page, if that was short; else 0.
  private var short: Int32 = 0
  /// Whether the list is over.
  private(set) var areEnd = false
  /// Whether the last page was empty.
  private(set) var isLastEmpty = false
  /// More items came behind a short or an empty page.
  private var hasGaps = false

  /// Whether reading goes on behind pages that came earlier.
  private let isContinued: Bool

  init(isContinued: Bool = false) { self.isContinued = isContinued }

  /// Looks at the next page.
  mutating func follow(_ slot: Slot) {
    let items = Int32(clamping: slot.received.clampedSum(slot.told))
    guard items == 0 else {
      // All pages of a source that sends fewer items than are asked for are short, and equal.
      hasGaps = hasGaps || isLastEmpty || ![0, items].contains(short)
      let size = Int32(clamping: slot.order.size)
      short = items < (largest > 0 ? min(largest, size) : size) ? items : 0
      largest = max(items, largest)
      isLastEmpty = false
      return
    }
    if slot.order.isFill { return }
    if case .landed(_, let landing) = slot.phase, landing.saysMore { return }
    areEnd = isLastEmpty || (largest == 0 && !isContinued) || (short > 0 && !hasGaps)
    isLastEmpty = true
  }
}

extension Pager {
  /// Whether a page that nobody has read yet is behind the end, since it failed as such pages do, and the one before it is empty.
  func isBehindEmptyPage(_ failure: FetchFailure, at index: Int, _ plan: KeyPlan) -> Bool {
    index == 0 && emptyPages.isLastEmpty && tally.bound(plan) == nil && failure.saysThatNothingIsThere
  }

  /// Closes the side where empty pages say that the list is over; returns the requested pages.
  mutating func closeBehindEmptyPages(_ plan: KeyPlan) -> [Slot] {
    var isEnd = emptyPages.areEnd
    if case .gaveUp(let failure) = slots.first?.phase, isBehindEmptyPage(failure, at: 0, plan) { isEnd = true }
    return isEnd && !isAtEnd ? close() : []
  }
}
