internal import Items

/// The end of a list, as its total tells it.
extension Pager {
  /// The page behind all known ones; nil if none may be requested or the total rules it out.
  func nextOrder(_ plan: KeyPlan) -> PageOrder? {
    guard let order = frontier.next(side, plan) else { return nil }
    guard side == .append, kind.isCounted, case .key = frontier, let number = order.number,
      let total = tally.bound(plan)
    else { return order }
    if plan.position(of: number) < Int64(total), !tally.isPast(order, plan) { return order }
    return tally.asksPast(total, plan) && (!slots.contains(where: \.isBusy) || confirms(total, order, plan))
      ? order : nil
  }

  /// Whether a page begins at the total and those under way complete it, of which the last has not come short: then only the source's
  /// word is missing that nothing follows, which can be asked for beside them.
  private func confirms(_ total: Int, _ order: PageOrder, _ plan: KeyPlan) -> Bool {
    let before = slots.filter { $0.isBusy && !$0.order.isReplay && $0.order != order }
    let expected = before.reduce(0) { $0.clampedSum($1.order.size) }
    return checksTotal && !tally.looksLast && order.number.map { plan.position(of: $0) } == Int64(total)
      && tally.reach(plan).clampedSum(Int64(expected)) == Int64(total)
  }

  /// Withdraws the last pages that begin at or past the total and have not landed, but for the one that confirms it.
  mutating func cut(beyond total: Int, _ plan: KeyPlan) -> [Slot] {
    let kept = slots.lastIndex { slot in
      !slot.isBusy || slot.order.isReplay
        || slot.order.number.map { plan.position(of: $0) < Int64(total) } ?? true
        || confirms(total, slot.order, plan)
    }
    return withdraw(from: (kept ?? -1) + 1)
  }

  /// Has pages that were answered past the total be asked again, now that the list has grown by them.
  mutating func askAgain(within plan: KeyPlan) {
    for index in slots.indices {
      guard case .answered = slots[index].phase, !tally.isPast(slots[index].order, plan) else { continue }
      askAgain(at: index)
    }
  }
}
