internal import Items

/// What pages without items say about a list with counted keys of which nothing else tells where it ends.
///
/// A list that its server filters may have short and empty pages anywhere. It is over where an empty page is all there is,
/// where another empty one follows, and behind a short page, unless short pages had more behind them before. Pages are looked
/// at in their order, whichever came first, so that the end is the same however many are requested at once.
public struct EmptyPages: Sendable, Equatable {
  /// Items of the largest page so far; 0 before the first one.
  public var largest: Int32 = 0
  /// Items of the last page, if that was short; else 0.
  public var short: Int32 = 0
  /// More items came behind a short or an empty page.
  public var hasGaps = false
  /// Whether the last page was empty.
  public var isLastEmpty = false
  /// Whether the list is over.
  private(set) var areEnd = false
  /// Whether reading goes on behind pages of which no more is known than this.
  private var isContinued = false

  public init() {}

  /// Goes on behind pages that came earlier.
  mutating func recall(_ position: Position) {
    self = position.emptyPages
    isContinued = position.pages > 0
  }

  /// What is to be remembered of the pages before a position.
  func note(in position: inout Position) {
    position.emptyPages = self
    (position.emptyPages.areEnd, position.emptyPages.isContinued) = (false, false)
  }

  /// Looks at the next page. Behind a short one, offsets count what came, so that the next page overlaps what was to come: nothing
  /// follows from that one alone.
  mutating func follow(items: Int, order: PageOrder, saysMore: Bool, _ kind: KeyKind) {
    let items = Int32(clamping: items)
    guard items == 0 else {
      // All pages of a source that sends fewer items than are asked for are short, and equal.
      hasGaps = hasGaps || isLastEmpty || ![0, items].contains(short)
      let size = Int32(clamping: order.size)
      short = items < (largest > 0 ? min(largest, size) : size) ? items : 0
      largest = max(items, largest)
      (isLastEmpty, areEnd) = (false, false)
      return
    }
    if order.isFill || saysMore { return }
    areEnd = isLastEmpty || largest == 0 && !isContinued || kind == .page && short > 0 && !hasGaps
    isLastEmpty = true
  }
}

extension Pager {
  /// Looks whether a delivered page says that the list is over.
  mutating func followEmptyPages(_ slot: Slot, _ plan: KeyPlan) {
    guard side == .append, plan.kind.isCounted, case .landed(_, let landing) = slot.phase else { return }
    emptyPages.follow(
      items: slot.received.clampedSum(slot.told), order: slot.order, saysMore: landing.saysMore, plan.kind)
  }

  /// Whether a page that nobody has read yet is behind the end, as the one before it is empty, and the server says that it has none
  /// such.
  func isBehindEmptyPage(_ failure: FetchFailure, at index: Int, _ plan: KeyPlan) -> Bool {
    index == 0 && emptyPages.isLastEmpty && tally.bound(plan) == nil && failure.isNoSuchPage
  }

  /// Closes the side where empty pages say that the list is over; returns the requested pages.
  mutating func closeBehindEmptyPages(_ plan: KeyPlan) -> [Slot] {
    guard emptyPages.isLastEmpty, tally.bound(plan) == nil, !isAtEnd else { return [] }
    var isEnd = emptyPages.areEnd
    if case .gaveUp(let failure) = slots.first?.phase, isBehindEmptyPage(failure, at: 0, plan) {
      isEnd = true
    }
    return isEnd ? close() : []
  }
}
