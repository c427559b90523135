internal import Items

/// The end of a list, as empty pages tell it.
extension Pager {
  /// Looks whether a delivered page says that the list is over.
  mutating func followEmptyPages(_ slot: Slot, _ plan: KeyPlan) {
    guard side == .append, plan.kind.isCounted, case .landed(_, let landing) = slot.phase else { return }
    // A page that fills a gap says nothing of what is behind it.
    if slot.isEmpty, slot.order.isFill || landing.isGap { return }
    emptyPages.follow(
      items: slot.received.clampedSum(slot.told), of: slot.order.size, countsPages: plan.kind == .page)
  }

  /// Whether the furthest page that has come was empty, and did not say that there are more.
  var looksOver: Bool {
    guard let slot = slots.last(where: \.isLanded), case .landed(_, let landing) = slot.phase else {
      return emptyPages.isLastEmpty
    }
    return slot.isEmpty && !landing.isGap
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
