internal import Items

extension Feed {
  /// Takes a page in, and delivers it and others whose turn has come.
  mutating func land(
    _ landing: Landing, _ id: FetchID, at index: Int, _ side: Direction, latency: Duration
  ) {
    var landing = landing
    if isRepetition(landing, of: pagers[side.lane].slots[index]) {
      (landing.items, landing.received) = ([], 0)
      (pagers[side.lane].slots[index].pending, pagers[side.lane].slots[index].received) = ([], 0)
    }
    if !pagers[side.lane].slots[index].isOutlined { follow(landing, id, at: index, side, latency: latency) }
    // What follows may have put a page that fills a gap in front of this one.
    guard let place = pagers[side.lane].index(of: id) else { return }
    // Without ids nobody could tell that they come again.
    if !configuration.options.isTransformed {
      landing.items.removeLast(min(pagers[side.lane].slots[place].overlap, landing.items.count))
    }
    pagers[side.lane].slots[place].phase = .landed(id, landing)
    deliver(side)
  }

  /// Takes what is known of a page before its items are; the next one may be asked for.
  mutating func outline(_ page: Page, of id: FetchID) {
    guard let (side, index, latency) = underWay(id), !pagers[side.lane].slots[index].isOutlined else {
      return
    }
    let landing = Landing(page)
    if pagers[side.lane].leadsBack(landing) { return }
    if pagers[side.lane].isPast(totalCount, pagers[side.lane].slots[index].order, plan: plan) { return }
    follow(landing, id, at: index, side, latency: latency)
  }

  /// Draws the consequences of a page: the total, the next key, pages past the end, gaps.
  private mutating func follow(
    _ landing: Landing, _ id: FetchID, at index: Int, _ side: Direction, latency: Duration
  ) {
    errorStreak = 0
    pagers[side.lane].takenBack = 0
    latencies.add(latency)
    statistics.received = statistics.received.clampedSum(landing.received)
    if let total = landing.total { totalCount = total }
    let received = pagers[side.lane].slots[index].received.clampedSum(landing.received)
    effects.append(.note(.landed(id, received: received, latency: latency)))
    let consequence = pagers[side.lane].follow(landing, at: index, total: totalCount, plan: &plan)
    for slot in consequence.pastEnd { throwAway(slot) }
    if let size = consequence.learnedSize { effects.append(.note(.learnedPageSize(size))) }
    if let fill = consequence.fill, let offset = fill.number {
      effects.append(.note(.fillsGap(id, offset: offset, size: fill.size)))
    }
    if consequence.repeatedKey != nil, let failure = pagers[side.lane].failure {
      effects.append(.note(.gaveUp(id, failure)))
    }
  }

  /// Shows items that a handler appended, or keeps them until the page's turn has come.
  mutating func show(_ appended: [Item], received: Int, by id: FetchID) {
    guard let (side, index, _) = underWay(id) else { return }
    let received = Landing.limited(received, Limits.count)
    statistics.received = statistics.received.clampedSum(received)
    pagers[side.lane].slots[index].received = pagers[side.lane].slots[index].received.clampedSum(received)
    pagers[side.lane].slots[index].pending += appended
    showPending(side)
  }

  /// Shows what the page whose turn it is has so far; pages that are prepended are shown whole.
  private mutating func showPending(_ side: Direction) {
    guard side == .append, gathering == nil, let slot = pagers[0].slots.first, !slot.pending.isEmpty else {
      return
    }
    let result = merge(slot.pending, of: slot, side)
    pagers[0].slots[0].pending = []
    pagers[0].slots[0].shown += slot.pending.count
    pagers[0].slots[0].inserted += result.inserted.count
    pagers[0].slots[0].updated += result.updated.count
  }

  /// Delivers the pages whose turn has come.
  private mutating func deliver(_ side: Direction) {
    while let slot = pagers[side.lane].takeLanded(), case .landed(let id, let landing) = slot.phase {
      deliver(slot, id, landing, side)
      if pagers[side.lane].stop != nil { return }
    }
    showPending(side)
  }

  private mutating func deliver(_ slot: Slot, _ id: FetchID, _ landing: Landing, _ side: Direction) {
    let new = slot.pending + landing.items
    if pagers[side.lane].reach(plan) == totalCount.map(Int64.init) {
      pagers[side.lane].edge = new.map(\.bytes)
    }
    let result = merge(new, of: slot, side)
    let inserted = slot.inserted + result.inserted.count
    let updated = slot.updated + result.updated.count
    let offered = slot.shown + new.count
    statistics.pages += 1
    if !slot.order.isReplay { pagers[side.lane].inserted += inserted }
    yields.add(inserted)
    effects.append(
      .note(.delivered(id, inserted: inserted, updated: updated, duplicates: offered - inserted)))
    // Items that are all there already came again: they are no part of what the total counts.
    if offered > 0, inserted + updated == 0 { pagers[side.lane].uncount([slot]) }
    hold(slot.order, inserted: inserted, side)
    if slot.order.direction == .refresh, !slot.order.isReplay { openPrepend(from: slot.order, landing) }
    replaceWhenGathered()
    pagers[side.lane].empty = slot.received == 0 ? pagers[side.lane].empty + 1 : 0
    guardAgainstFruitless(side, isFruitless: inserted + updated == 0 && (slot.received == 0 || offered > 0))
    dropFarEnd(growing: side)
  }

  /// Puts items in their place, or beside those that are shown while a refresh is on its way.
  private mutating func merge(_ new: [Item], of slot: Slot, _ side: Direction) -> MergeResult {
    let rule = configuration.options.merge
    let new = current(new, of: slot)
    if gathering != nil {
      let result = gathering?.items.append(new, merge: rule) ?? MergeResult()
      count(result)
      return result
    }
    hasBegun = true
    let result = side == .prepend ? items.prepend(new, merge: rule) : items.append(new, merge: rule)
    count(result)
    apply(result.changeSet)
    // Where nothing was held, nothing moved.
    if side == .prepend, result.inserted.count < items.count { shiftViewport(by: result.inserted.count) }
    return result
  }

  private mutating func count(_ result: MergeResult) {
    statistics.inserted += result.inserted.count
    statistics.updated += result.updated.count
    statistics.duplicates += result.duplicates
  }

  /// What of an answer was not overtaken by an edit.
  private func current(_ new: [Item], of slot: Slot) -> [Item] {
    guard !memory.isEmpty, let fetch = slot.newestFetch else { return new }
    return memory.current(new, fetch: fetch)
  }

  /// Hands a change set to the reader, if it changes anything.
  mutating func apply(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    revision += 1
    effects.append(.apply(changes, revision: revision))
  }

  /// A total that is too large: counted pages that hold nothing, one after the other, are behind the end.
  private mutating func endBelow(_ total: Int, _ side: Direction) {
    for slot in pagers[side.lane].end() { throwAway(slot) }
    let empty = pagers[side.lane].empty
    effects.append(.note(.endedBelowTotal(side, emptyPages: empty, items: items.count, total: total)))
  }

  /// Stops after too many fetches in a row that brought nothing new.
  private mutating func guardAgainstFruitless(_ side: Direction, isFruitless: Bool) {
    pagers[side.lane].fruitless = isFruitless ? pagers[side.lane].fruitless + 1 : 0
    let count = pagers[side.lane].fruitless
    guard count >= configuration.options.fruitlessLimit else { return }
    guard !pagers[side.lane].isExhausted(total: totalCount, plan: plan) else { return }
    if let total = totalCount, pagers[side.lane].empty >= count, pagers[side.lane].kind.isCounted {
      return endBelow(total, side)
    }
    cancel(side)
    pagers[side.lane].stop = .fruitless(fetches: count)
    effects.append(.note(.stopped(side, .fruitless(fetches: count))))
  }
}
