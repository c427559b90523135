extension Pager {
  /// What else follows from a page that came in.
  struct Consequence: Sendable {
    /// Pages past the end, no longer in their places.
    var pastEnd: [Slot] = []
    /// A page that fetches what this one left out, already in its place.
    var fill: PageOrder?
    /// The source's own page size has become known.
    var learnedSize: Int?
    /// A cursor that was used before.
    var repeatedKey: PageKey?
  }

  /// Whether the page leads back to one that was asked for before.
  func leadsBack(_ landing: Landing) -> Bool {
    guard kind == .cursor, !allowsKeyReuse, let key = landing.nextKey else { return false }
    return usedKeys.contains(key)
  }

  /// Takes into account what follows from the page at an index, once; its items may still be missing.
  mutating func follow(
    _ landing: Landing, at index: Int, total: Int?, plan: inout KeyPlan
  ) -> Consequence {
    let order = slots[index].order
    slots[index].received = slots[index].received.clampedSum(landing.received)
    slots[index].isOutlined = true
    landedPages += 1
    if order.isReplay { return Consequence() }
    let received = slots[index].received
    if kind == .offset, let number = order.number {
      farthest = max(farthest, number.clampedSum(Int64(received)))
    }
    let isEnd = landing.isLast || landing.isOver
    slots[index].overlap = isEnd ? 0 : overlap(of: received, at: index)
    self.received = self.received.clampedSum(received - slots[index].overlap)
    largestPage = max(largestPage, received)
    guard kind.isCounted else { return followCursor(landing, order: order) }
    return side == .prepend
      ? countBackwards(landing, received: received, at: index)
      : count(landing, received: received, at: index, total: total, plan: &plan)
  }

  /// Items beyond those that were asked for, where the page behind them is asked for already: a source that takes no heed of
  /// the size sends them again.
  private func overlap(of received: Int, at index: Int) -> Int {
    guard kind == .offset, side == .append, index < slots.count - 1 else { return 0 }
    return max(0, received - slots[index].order.size)
  }

  private mutating func followCursor(_ landing: Landing, order: PageOrder) -> Consequence {
    let key = side == .prepend && !landing.saysMore ? landing.previousKey : landing.nextKey
    var consequence = Consequence()
    if landing.isOver || (landing.isLast && side == .append) || (key == nil && !landing.saysMore) {
      frontier = .end
    } else if let key, usedKeys.contains(key), !allowsKeyReuse {
      frontier = .key(order.key)
      failure = .repeatedKey(key)
      consequence.repeatedKey = key
    } else {
      frontier = .key(key)
    }
    return consequence
  }

  private mutating func count(
    _ landing: Landing, received: Int, at index: Int, total: Int?, plan: inout KeyPlan
  ) -> Consequence {
    let order = slots[index].order
    var consequence = Consequence()
    let next = plan.number(after: order, received: received)
    let isPast = isPast(total, order, plan: plan)
    let total = bound(total, plan: plan)
    if index == slots.count - 1 { looksLast = received < min(order.size, plan.cap ?? order.size) }
    let isMoreKnown = total.map { plan.position(of: next) < Int64($0) && reach(plan) < Int64($0) } ?? false
    consequence.learnedSize = plan.learn(
      from: order, received: received, isMoreKnown: isMoreKnown && !landing.isLast && !landing.isOver)

    let isEmptyEnd = received == 0 && (!landing.saysMore || isPast) && !isMoreKnown && !order.isFill
    if landing.isLast || landing.isOver || isEmptyEnd {
      consequence.pastEnd = end(behind: index)
      return consequence
    }
    if let total { consequence.pastEnd = cut(beyond: total, plan: plan) }
    if index < slots.count - 1 {
      let isShort = received > 0 && received < order.size && kind == .offset
      if isShort, total == nil || isMoreKnown || checksTotal {
        consequence.fill = fill(from: next, size: order.size - received, at: index + 1)
      }
    } else if case .key = frontier {
      frontier = .key(.integer(next))
    }
    return consequence
  }

  private mutating func countBackwards(_ landing: Landing, received: Int, at index: Int) -> Consequence {
    let order = slots[index].order
    var consequence = Consequence()
    if landing.isOver { frontier = .end }
    if kind == .offset, received > 0, received < order.size, let number = order.number {
      consequence.fill = fill(
        from: number.clampedSum(Int64(received)), size: order.size - received, at: index)
    }
    return consequence
  }

  /// Takes back the last pages that begin at or past the total and are not in.
  private mutating func cut(beyond total: Int, plan: KeyPlan) -> [Slot] {
    let kept = slots.lastIndex { slot in
      !slot.isBusy || slot.order.isReplay
        || slot.order.number.map { plan.position(of: $0) < Int64(total) } ?? true
    }
    return takeBack(from: (kept ?? -1) + 1)
  }

  private mutating func fill(from number: Int64, size: Int, at index: Int) -> PageOrder {
    let order = PageOrder(key: .integer(number), size: size, direction: side, isFill: true)
    slots.insert(Slot(order: order), at: index)
    return order
  }
}
