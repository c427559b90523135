public import Items

extension DemandSet {
  /// Handles items that a handler appended; they are shown when the page is complete.
  public mutating func appended(_ id: FetchID, _ items: [Item], received: Int) -> [DemandEffect] {
    if isUnderWay(id) {
      running?.pending += items
      let before = running?.received ?? 0
      running?.received = before.clampedSum(Landing.limited(received, Limits.count))
    }
    return drainEffects()
  }

  /// Handles the answer of an attempt: the only place where `isFetching` ends on success and failure.
  public mutating func answered(_ id: FetchID, _ answer: FetchAnswer, at now: Instant) -> [DemandEffect] {
    if isUnderWay(id) {
      switch answer {
      case .page(let page): land(Landing(page), id)
      case .completed(let more, let nextKey, let total):
        land(Landing(more: more, nextKey: nextKey, total: total), id)
      case .failed(let failure): fail(failure, id, at: now)
      }
    }
    return drainEffects()
  }

  /// Handles a handler that returned nothing and never completed.
  public mutating func endedWithoutCompleting(_ id: FetchID, at now: Instant) -> [DemandEffect] {
    answered(id, .failed(.notCompleted), at: now)
  }

  /// Starts a due retry, and fails an attempt past its deadline.
  public mutating func woke(at now: Instant) -> [DemandEffect] {
    switch running?.phase {
    case .failed(let retryAt) where retryAt <= now: attempt(at: now)
    case .inFlight(let id, let since):
      if let deadline = configuration.options.deadline, since + deadline <= now {
        effects.append(.cancel(id))
        fail(.timeout(after: deadline), id, at: now)
      }
    case .failed, nil: break
    }
    return drainEffects()
  }

  mutating func attempt(at now: Instant) {
    guard var fetch = running else { return }
    fetches += 1
    let id = FetchID(generation: generation, number: fetches)
    fetch.attempts += 1
    fetch.phase = .inFlight(id, since: now)
    fetch.pending = []
    fetch.received = 0
    running = fetch
    let order = fetch.order
    effects.append(
      .fetch(
        FetchRequest(
          id: id, key: order.key, size: order.size, direction: order.direction, attempt: fetch.attempts,
          queryGeneration: queryGeneration)))
    if let deadline = configuration.options.deadline { effects.append(.wake(at: now + deadline)) }
  }

  private mutating func isUnderWay(_ id: FetchID) -> Bool {
    if case .inFlight(id, _) = running?.phase { return true }
    effects.append(.note(.threwAwayLateAnswer(id)))
    return false
  }

  private mutating func fail(_ failure: FetchFailure, _ id: FetchID, at now: Instant) {
    guard let fetch = running else { return }
    let rule = configuration.options.retry
    let delay =
      failure.isTransient
      ? rule.delay(afterAttempt: fetch.attempts, retryAfter: failure.retryAfter, random: &random) : nil
    if let delay {
      running?.phase = .failed(retryAt: now + delay)
      effects.append(.note(.retrying(id, failure, attempt: fetch.attempts + 1, at: now + delay)))
      effects.append(.wake(at: now + delay))
    } else {
      running = nil
      effects.append(.failed(fetch.ticket, page: fetch.page, failure))
    }
  }

  private mutating func land(_ landing: Landing, _ id: FetchID) {
    guard let fetch = running else { return }
    running = nil
    if let total = landing.total { totalCount = total }
    let received = fetch.received.clampedSum(landing.received)
    let result = items.append(fetch.pending + landing.items, merge: configuration.options.merge)
    follow(landing, fetch, received: received, id)
    lastFetchedPage = max(lastFetchedPage, fetch.page)
    effects.append(
      .note(
        .delivered(
          id, inserted: result.inserted.count, updated: result.updated.count, duplicates: result.duplicates)))
    effects.append(.loaded(fetch.ticket, page: fetch.page, new: result.inserted))
  }

  /// Records from a page where the next one is, if any.
  private mutating func follow(_ landing: Landing, _ fetch: DemandFetch, received: Int, _ id: FetchID) {
    let isNewest = fetch.page >= lastFetchedPage
    guard plan.kind.isCounted else {
      followCursor(landing, fetch, isNewest: isNewest, id)
      return
    }
    let next = plan.number(after: fetch.order, received: received)
    let isMoreKnown = totalCount.map { plan.position(of: next) < Int64($0) } ?? false
    _ = plan.learn(from: fetch.order, received: received, isMoreKnown: isMoreKnown)
    if plan.kind == .offset { keys[fetch.page + 1] = .integer(next) }
    if isNewest {
      let isEmptyEnd = received == 0 && !landing.saysMore && !isMoreKnown
      isOver = landing.isLast || landing.isOver || isEmptyEnd
    }
  }

  private mutating func followCursor(
    _ landing: Landing, _ fetch: DemandFetch, isNewest: Bool, _ id: FetchID
  ) {
    let isEnd = landing.isLast || landing.isOver || (landing.nextKey == nil && !landing.saysMore)
    let used = [fetch.order.key] + keys.filter { $0.key <= fetch.page }.map(\.value)
    let isRepeated =
      landing.nextKey != nil && !configuration.options.allowsKeyReuse && used.contains(landing.nextKey)
    if isNewest {
      isOver = isEnd
      repeatedKey = isRepeated && !isEnd ? landing.nextKey : nil
      if let repeatedKey { effects.append(.note(.gaveUp(id, .repeatedKey(repeatedKey)))) }
    }
    if !isEnd, !isRepeated { keys.updateValue(landing.nextKey, forKey: fetch.page + 1) }
  }
}
