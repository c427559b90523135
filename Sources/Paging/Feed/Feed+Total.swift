internal import Items

extension Feed {
  /// What the end of a side says about the total; nil where both agree, and where nobody can tell.
  ///
  /// A list that is read from its middle is compared only where keys are counted, since they say what lies before. Items that
  /// came again took the place of others, unless items of one id replace each other or a transform made them.
  func mismatch(atEndOf side: Direction) -> TotalMismatch? {
    guard configuration.options.checksTotal, side == .append, let totalCount, pagers[1].frontier == .end,
      pagers[0].beginning == configuration.firstKey, plan.kind.isCounted || configuration.firstKey == nil
    else { return nil }
    let received = pagers[0].received.clampedSum(pagers[1].received)
    let skipped = plan.skipped(largestPage: pagers[0].largestPage)
    let fewest = totalCount - Landing.limited(Int(clamping: skipped.upperBound), totalCount)
    let most = totalCount - Landing.limited(Int(clamping: skipped.lowerBound), totalCount)
    guard configuration.options.merge == .keep, !configuration.options.isTransformed else {
      if received < fewest { return TotalMismatch(received: received, total: fewest) }
      return received > most ? TotalMismatch(received: received, total: most) : nil
    }
    let different = pagers[0].inserted + pagers[1].inserted
    if max(received, different) < fewest {
      return TotalMismatch(received: max(received, different), total: fewest)
    }
    if different > most { return TotalMismatch(received: different, total: most) }
    guard different < fewest else { return nil }
    // A list that grows while it is read sends as many items as it says; more than that take the place of others.
    if received > most { return TotalMismatch(received: different, total: fewest) }
    return TotalMismatch(received: received, total: fewest, repeated: received - different)
  }

  /// Whether a page that failed lies behind the last item that the total tells of: then its failure says what an empty page
  /// would have said.
  func isPastEnd(_ order: PageOrder, _ failure: FetchFailure) -> Bool {
    failure.saysThatNothingIsThere && pagers[0].isPast(totalCount, order, plan: plan)
      && pagers[0].reach(plan) == totalCount.map(Int64.init)
  }

  /// Whether a page behind the total brings only what is there already: a source that has come to its end may send its last
  /// page again and again. Where pages before it brought more than they were asked for, it is there already as well, and no
  /// end.
  func isRepetition(_ landing: Landing, of slot: Slot) -> Bool {
    guard pagers[0].isPast(pagers[0].bound(totalCount, plan: plan), slot.order, plan: plan),
      slot.inserted + slot.updated == 0, (slot.order.number ?? 0) >= pagers[0].farthest
    else { return false }
    let new = slot.pending + landing.items
    let held = gathering?.items ?? items
    return new.allSatisfy { held.contains($0.id) } || new.map(\.bytes) == pagers[0].edge
  }
}

extension Pager {
  /// Items up to the end of what is in, those before the first key among them.
  func reach(_ plan: KeyPlan) -> Int64 {
    Int64(received).clampedSum(plan.skipped(largestPage: largestPage).lowerBound)
  }

  /// The total as far as it bounds what is fetched: none any more once the pages have shown that it is too small.
  func bound(_ total: Int?, plan: KeyPlan) -> Int? {
    guard let total, checksTotal, reach(plan) > Int64(total) else { return total }
    return nil
  }

  /// Whether a counted page begins at or behind the total, and was asked for to hear from the source that it is over.
  func isPast(_ total: Int?, _ order: PageOrder, plan: KeyPlan) -> Bool {
    guard checksTotal, kind.isCounted, side == .append, let total, let number = order.number, !order.isReplay
    else {
      return false
    }
    return reach(plan) >= Int64(total) || plan.position(of: number) >= Int64(total)
  }

  /// Whether the source has still to say itself that it is over: all pages are in, and the last was full, or items are missing.
  func asksPastTotal(_ total: Int, plan: KeyPlan) -> Bool {
    guard checksTotal, landedPages > 0, !slots.contains(where: \.isBusy) else { return false }
    return !looksLast || reach(plan) < Int64(total)
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
