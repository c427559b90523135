extension Feed {
  /// Starts up to that many pages on one side; returns how many.
  mutating func start(pages: Int, _ side: Direction) -> Int {
    var started = 0
    while started < pages, let index = pagers[side.lane].enqueue(total: totalCount, plan: plan) {
      begin(index, side)
      started += 1
    }
    return started
  }

  /// Makes the next attempt at a page.
  mutating func begin(_ index: Int, _ side: Direction) {
    statistics.fetches += 1
    let id = FetchID(generation: generation, number: statistics.fetches)
    pagers[side.lane].slots[index].attempt += 1
    pagers[side.lane].slots[index].phase = .inFlight(id, since: now)
    let slot = pagers[side.lane].slots[index]
    if slot.attempt > 1 { statistics.retries += 1 }
    effects.append(
      .fetch(
        FetchRequest(
          id: id, key: slot.order.key, size: slot.order.size, direction: slot.order.direction,
          attempt: slot.attempt)))
  }

  /// The side and place of an attempt under way.
  func find(_ id: FetchID) -> (side: Direction, index: Int)? {
    for lane in pagers.indices {
      if let index = pagers[lane].index(of: id) { return (pagers[lane].side, index) }
    }
    return nil
  }

  /// An attempt under way; for one that has ended, however it did, the late word about it is noted and nil
  /// returned.
  mutating func underWay(_ id: FetchID) -> (side: Direction, index: Int, latency: Duration)? {
    guard let (side, index) = find(id), case .inFlight(_, let since) = pagers[side.lane].slots[index].phase
    else {
      statistics.lateAnswers += 1
      effects.append(.note(.threwAwayLateAnswer(id)))
      return nil
    }
    return (side, index, now - since)
  }

  /// Ends an attempt with its answer: the one place for success, failure and time running out.
  mutating func take(_ answer: FetchAnswer, to id: FetchID) {
    guard let (side, index, latency) = underWay(id) else { return }
    switch answer {
    case .page(let page): land(Landing(page), id, at: index, side, latency: latency)
    case .completed(let more, let nextKey, let total):
      land(Landing(more: more, nextKey: nextKey, total: total), id, at: index, side, latency: latency)
    case .failed(let failure): fail(failure, id, at: index, side)
    }
  }

  /// Tries again later, or gives up; other pages go on, and those behind wait.
  private mutating func fail(_ failure: FetchFailure, _ id: FetchID, at index: Int, _ side: Direction) {
    statistics.failures += 1
    errorStreak += 1
    let attempt = pagers[side.lane].slots[index].attempt
    // A page that said it has items is none behind the end, even where they complete the total.
    if pagers[side.lane].slots[index].received == 0, isPastEnd(pagers[side.lane].slots[index].order, failure)
    {
      effects.append(.note(.endedPastTotal(id, failure)))
      for slot in pagers[side.lane].end(at: index) { throwAway(slot) }
      return
    }
    pagers[side.lane].slots[index].pending = []
    if !pagers[side.lane].slots[index].isOutlined { pagers[side.lane].slots[index].received = 0 }
    let delay =
      failure.isTransient
      ? configuration.options.retry.delay(
        afterAttempt: attempt, retryAfter: failure.retryAfter, random: &random) : nil
    if let delay {
      pagers[side.lane].slots[index].phase = .failed(failure, retryAt: now + delay)
      effects.append(.note(.retrying(id, failure, attempt: attempt + 1, at: now + delay)))
    } else {
      pagers[side.lane].slots[index].phase = .gaveUp(failure)
      effects.append(.note(.gaveUp(id, failure)))
    }
  }

  /// Starts what waits for room: pages that fill gaps, and those to be tried again by hand.
  mutating func startWaiting() {
    for lane in pagers.indices {
      for index in pagers[lane].slots.indices {
        guard case .waiting = pagers[lane].slots[index].phase else { continue }
        guard pagers[lane].inFlight < pagers[lane].maxInFlight else { break }
        begin(index, pagers[lane].side)
      }
    }
  }
}
