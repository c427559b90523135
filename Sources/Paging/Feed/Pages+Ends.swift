internal import Items

/// How a side ends.
extension Pages {
  /// Whether a page's failure means the same as an empty page behind the last one.
  func isBehindEnd(_ order: PageOrder, _ failure: FetchFailure, at index: Int, _ side: Direction) -> Bool {
    sides[0].tally.isPastEnd(order, failure, plan)
      || sides[side.lane].isBehindEmptyPage(failure, at: index, plan)
  }

  /// Closes a side where empty pages say that its list is over.
  mutating func closeBehindEmptyPages(_ side: Direction, _ turn: inout Turn) {
    guard sides[side.lane].emptyPages.isLastEmpty else { return }
    for slot in self[side].closeBehindEmptyPages(plan) { throwAway(slot, &turn) }
  }

  /// Stops a side after too many consecutive fetches without new items. If they were empty and the total is too large, they
  /// are past the end.
  mutating func guardAgainstFruitless(_ side: Direction, held: Int, _ turn: inout Turn) {
    switch sides[side.lane].fruitlessness(limit: configuration.options.fruitlessLimit, plan) {
    case .endsBelow(let total, let emptyPages):
      for slot in self[side].closeForGood() { throwAway(slot, &turn) }
      turn.note(.endedBelowTotal(side, emptyPages: emptyPages, items: held, total: total))
    case .stops(let fetches):
      cancel(side, &turn)
      self[side].stop(.fruitless(fetches: fetches))
      turn.note(.stopped(side, .fruitless(fetches: fetches)))
    case nil: break
    }
  }

  /// How the end of a side disagrees with the total; nil if they agree or it can't be known.
  ///
  /// A list read from its middle is compared only where what precedes it is known: with counted keys, and where it was read too.
  func mismatch(atEndOf side: Direction) -> TotalMismatch? {
    let (append, prepend) = (sides[0].tally, sides[1].tally)
    guard side == .append, sides[1].isAtEnd,
      sides[0].isWhole,
      plan.kind.isCounted || configuration.firstKey == nil || sides[0].trail.front != nil
    else { return nil }
    return plan.mismatch(
      received: append.received.clampedSum(prepend.received), different: append.inserted + prepend.inserted,
      largestPage: append.largestPage, counts: sides[0].counts, configuration.options)
  }

  /// Of the items that came again so many were newer.
  mutating func sawNewer(_ count: Int) {
    self[.append].bearFruit()
    learn(edited: count)
  }

  /// Tells of a page behind the end.
  mutating func throwAway(_ slot: Slot, _ turn: inout Turn) {
    switch slot.phase {
    case .inFlight(let id, _):
      turn.add(.cancel(id))
      turn.note(.threwAwayPastEnd(id))
    case .answered(let id, _, _), .landed(let id, _): turn.note(.threwAwayPastEnd(id))
    case .waiting, .failed, .gaveUp: break
    }
  }
}
