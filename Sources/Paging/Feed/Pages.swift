internal import Items

/// A generation's pages on both sides: requests, answers, retries, and how the list ends. It asks no policy, and holds only items
/// that wait for their turn.
struct Pages: Sendable {
  let configuration: FeedConfiguration
  /// For appending and prepending.
  private(set) var sides: InlineArray<2, Pager>
  /// Each kept until its side changes: most events only move the reader.
  private var knownStandings: InlineArray<2, Standing?> = [nil, nil]
  private(set) var plan: KeyPlan { didSet { knownStandings = [nil, nil] } }
  /// Raised by every refresh and cancel.
  private(set) var generation = 1
  /// Requests and answers; held items are counted elsewhere.
  private(set) var statistics = FeedStatistics()
  /// Failures since the last page.
  private(set) var errorStreak = 0
  private var latencies = LatencyWindow()
  /// Successful attempts, as a page limit counts them.
  private var landed = 0
  /// Delivered pages that were fetched only to be compared with what came before the feed began: a page limit counts none of them.
  private var compared = 0
  private var random: RandomStream
  /// Whether the list is still compared with what came before the position.
  var isComparing = false

  init(_ configuration: FeedConfiguration) {
    self.configuration = configuration
    plan = KeyPlan(configuration)
    plan.total = configuration.options.knownTotal
    random = RandomStream(seed: configuration.options.seed)
    sides = Pages.sides(configuration, from: configuration.firstKey)
    guard let beginning = configuration.options.beginning else { return }
    isComparing = configuration.options.maxItems == nil
    plan.recall(beginning.position)
    sides[0].begin(at: beginning, plan)
    if sides[0].backlog.isEmpty { plan.compareTotal(with: beginning.position) }
  }

  /// So many items were edited while the list was read.
  mutating func learn(edited count: Int) { plan.learn(edited: count) }

  /// One side's pages.
  subscript(side: Direction) -> Pager {
    _read { yield sides[side.lane] }
    _modify {
      knownStandings[side.lane] = nil
      yield &sides[side.lane]
    }
  }

  /// Latencies of the last fetches.
  var latency: LatencySummary { latencies.summary }
  /// Whether no page is in flight, waiting for its turn or for its next attempt.
  var isQuiet: Bool { sides[0].slots.isEmpty && sides[1].slots.isEmpty }
  /// All pages under way, on both sides.
  var slots: [Slot] { sides[0].slots + sides[1].slots }

  func state(of side: Direction) -> FetchState { sides[side.lane].state(plan) }

  func hasStopped(_ side: Direction) -> Bool { sides[side.lane].hasStopped }

  func isExhausted(_ side: Direction) -> Bool { sides[side.lane].isExhausted(plan) }

  /// Whether a policy may be asked about that side: it is open and was not put off.
  mutating func isAsked(_ side: Direction, at now: Instant) -> Bool {
    if let time = sides[side.lane].askAgainAt, time > now { return false }
    return standing(side.lane).isOpen
  }

  /// What a decision needs to know about both sides.
  var standings: Standings {
    mutating get { Standings(append: standing(0), prepend: standing(1)) }
  }

  private mutating func standing(_ lane: Int) -> Standing {
    if let known = knownStandings[lane] { return known }
    let new = Standing(sides[lane], plan)
    knownStandings[lane] = new
    return new
  }

  /// Begins a new generation and requests its first page, the one of that key; requests in flight are cancelled. `total` is what
  /// is known of it already, and `before` which pages came before that one: cursors may not say what precedes them.
  mutating func startOver(from key: PageKey?, before: [PageOrder]?, total: Int?, _ turn: inout Turn) {
    for side in Direction.sides { cancel(side, &turn) }
    // Nothing comes before the first key.
    let isInside = plan.kind == .cursor && key != configuration.firstKey
    let replays = isInside ? before.map { self[.prepend].backlog + $0.map(\.replay) } ?? [] : []
    generation += 1
    turn.note(.refreshing(generation: generation))
    let emptyPages = sides[0].emptyPages.elsewhere
    sides = Pages.sides(configuration, from: key)
    if !sides[0].isWhole { sides[0].emptyPages = emptyPages }
    for order in replays { self[.prepend].remember(order) }
    plan = KeyPlan(configuration)
    plan.total = total
    errorStreak = 0
    _ = start(1, .append, &turn)
  }

  private static func sides(_ configuration: FeedConfiguration, from key: PageKey?) -> InlineArray<2, Pager> {
    [
      Pager(side: .append, configuration: configuration, firstKey: .some(key)),
      Pager(side: .prepend, configuration: configuration, firstKey: .none),
    ]
  }
}

/// Attempts: begun, answered, failed, timed out, withdrawn.
extension Pages {
  /// Starts up to that many pages on one side; returns how many.
  mutating func start(_ pages: Int, _ side: Direction, _ turn: inout Turn) -> Int {
    var started = 0
    while started < pages, let index = self[side].enqueue(plan) {
      begin(index, side, &turn)
      started += 1
    }
    return started
  }

  /// Makes the next attempt at a page, or has it wait if the page limit leaves no room.
  private mutating func begin(_ index: Int, _ side: Direction, _ turn: inout Turn) {
    guard hasRoomInLimit else { return self[side].wait(at: index) }
    statistics.fetches += 1
    let id = FetchID(generation: generation, number: statistics.fetches)
    let request = self[side].begin(at: index, as: id, knowing: plan.mostTotal, turn.now)
    if request.attempt > 1 { statistics.retries += 1 }
    turn.add(.fetch(request))
  }

  /// Starts pages that wait for room: gap fills, and pages retried by hand.
  mutating func startWaiting(_ turn: inout Turn) {
    for side in Direction.sides {
      for index in sides[side.lane].slots.indices {
        guard case .waiting = sides[side.lane].slots[index].phase else { continue }
        guard sides[side.lane].hasRoom, hasRoomInLimit else { break }
        begin(index, side, &turn)
      }
    }
  }

  /// The attempt in flight; nil, with a note of the late answer, if it has already ended.
  mutating func inFlight(
    _ id: FetchID, _ turn: inout Turn
  ) -> (side: Direction, index: Int, latency: Duration)? {
    for lane in sides.indices {
      guard let index = sides[lane].index(of: id),
        case .inFlight(_, let since) = sides[lane].slots[index].phase
      else { continue }
      return (sides[lane].side, index, turn.now - since)
    }
    statistics.lateAnswers += 1
    turn.note(.threwAwayLateAnswer(id))
    return nil
  }

  /// Adds items appended by a handler to the page it fetches.
  mutating func append(_ items: [Item], received: Int, to index: Int, _ side: Direction) {
    let received = Landing.limited(received, Limits.count)
    statistics.received = statistics.received.clampedSum(received)
    self[side].append(items, received: received, at: index)
  }

  /// Ends a failed attempt: schedules a retry or gives up. Other pages continue; those behind it wait.
  mutating func fail(
    _ failure: FetchFailure, _ id: FetchID, at index: Int, _ side: Direction, _ turn: inout Turn
  ) {
    statistics.failures += 1
    errorStreak += 1
    let slot = sides[side.lane].slots[index]
    // A page that said it has items is none behind the end, even where they complete the total.
    if slot.received == 0, isBehindEnd(slot.order, failure, at: index, side) {
      turn.note(.endedPastTotal(id, failure))
      for slot in self[side].close(at: index) { throwAway(slot, &turn) }
      return
    }
    let delay =
      failure.isTransient
      ? configuration.options.retry.delay(
        afterAttempt: slot.attempt, retryAfter: failure.retryAfter, random: &random) : nil
    self[side].fail(failure, retryAt: delay.map { turn.now + $0 }, at: index)
    if let delay {
      let next = turn.now + delay
      turn.note(.retrying(id, failure, attempt: slot.attempt + 1, at: next))
    } else {
      turn.note(.gaveUp(id, failure))
    }
  }

  /// Times out attempts past their deadline and makes the retries that are due.
  mutating func expire(_ turn: inout Turn) {
    for side in Direction.sides {
      if let time = sides[side.lane].askAgainAt, time <= turn.now { self[side].askAgainAt = nil }
      for index in sides[side.lane].slots.indices {
        // One that failed behind the end took those behind it along.
        guard index < sides[side.lane].slots.count else { break }
        switch sides[side.lane].slots[index].phase {
        case .inFlight(let id, let since):
          guard let deadline = configuration.options.deadline, since + deadline <= turn.now else { continue }
          turn.add(.cancel(id))
          fail(.timeout(after: deadline), id, at: index, side, &turn)
        case .failed(_, let retryAt): if retryAt <= turn.now { begin(index, side, &turn) }
        case .waiting, .gaveUp, .answered, .landed: break
        }
      }
    }
  }

  /// The next deadline or retry; nil if there is none.
  var nextMoment: Instant? {
    var earliest: Instant?
    func consider(_ time: Instant) { earliest = min(earliest ?? time, time) }
    for lane in sides.indices {
      if let time = sides[lane].askAgainAt { consider(time) }
      for slot in sides[lane].slots {
        switch slot.phase {
        case .inFlight(_, let since): configuration.options.deadline.map { consider(since + $0) }
        case .failed(_, let retryAt): consider(retryAt)
        case .waiting, .gaveUp, .answered, .landed: break
        }
      }
    }
    return earliest
  }

  /// Retries whatever failed or stopped; scheduled retries are made at once.
  mutating func retry(_ turn: inout Turn) {
    for side in Direction.sides {
      for index in self[side].retry() { begin(index, side, &turn) }
    }
  }

  /// Withdraws everything in flight on one side; the policy may ask for it again.
  mutating func cancel(_ side: Direction, _ turn: inout Turn) {
    for slot in self[side].withdraw() {
      if let id = slot.fetchID {
        turn.add(.cancel(id))
        turn.note(.cancelled(id))
      }
    }
  }

  /// Withdraws everything; answers that still arrive belong to an older generation.
  mutating func cancelAll(_ turn: inout Turn) {
    generation += 1
    cancel(.append, &turn)
    cancel(.prepend, &turn)
  }

  /// Whether something failed, gave up or stopped, so that a retry has something to do.
  var hasFailed: Bool { sides.indices.contains { sides[$0].hasFailed } }
}

/// The page limit.
extension Pages {
  /// Whether that many pages have been delivered.
  var isAtPageLimit: Bool { configuration.options.maxPages.map { countedPages >= $0 } ?? false }

  /// Delivered pages, without those that were only compared.
  private var countedPages: Int { statistics.pages - compared }

  /// Whether a page came before the feed began, as do all before it.
  private func isOnlyCompared(_ order: PageOrder) -> Bool { order.isReplay && countedPages == 0 }

  /// Stops both sides behind the delivered pages.
  mutating func stopAtPageLimit(_ turn: inout Turn) {
    for side in Direction.sides {
      for slot in self[side].withdraw() { if let id = slot.fetchID { turn.add(.cancel(id)) } }
      self[side].stop(.pageLimit(pages: countedPages))
    }
  }

  /// Whether the page limit leaves room for one more; landed pages and those in flight count. With nothing in flight, landed
  /// pages may be waiting for a gap fill.
  private var hasRoomInLimit: Bool {
    guard let limit = configuration.options.maxPages else { return true }
    if landed + sides[0].inFlight + sides[1].inFlight < limit { return true }
    return countedPages < limit && slots.allSatisfy { $0.fetchID == nil && !$0.waitsForRetry }
  }
}

/// Landing pages.
extension Pages {
  /// Accepts a page's outline before its items exist, so that the next one can be requested.
  mutating func outline(_ page: Page, of id: FetchID, _ turn: inout Turn) {
    guard let (side, index, latency) = inFlight(id, &turn), !sides[side.lane].slots[index].isOutlined else {
      return
    }
    let landing = Landing(page)
    if sides[side.lane].leadsBack(landing, at: index) { return }
    if isPast(at: index, side) { return }
    follow(landing, id, at: index, side, latency: latency, &turn)
  }

  /// Keeps the answer of a page past the total until its turn has come: what it means, those before it say. False for others.
  mutating func keeps(
    _ answer: FetchAnswer, of id: FetchID, _ latency: Duration, at index: Int, _ side: Direction
  ) -> Bool {
    guard index > 0, isPast(at: index, side) else { return false }
    self[side].keep(answer, of: id, latency, at: index)
    return true
  }

  private func isPast(at index: Int, _ side: Direction) -> Bool {
    sides[side.lane].tally.isPast(sides[side.lane].slots[index].order, plan)
  }

  /// Whether a page past the total only repeats held items.
  func isRepetition(_ landing: Landing, at index: Int, _ side: Direction, _ held: HeldItems) -> Bool {
    sides[0].tally.isRepetition(landing, of: sides[side.lane].slots[index], plan, held)
  }

  /// Lands a page in its slot; a repetition is landed empty.
  mutating func land(
    _ landing: consuming Landing, _ id: FetchID, at index: Int, _ side: Direction, latency: Duration,
    isRepetition: Bool, _ turn: inout Turn
  ) {
    if isRepetition { self[side].dropRepetition(at: index) }
    if !sides[side.lane].slots[index].isOutlined {
      follow(landing, id, at: index, side, latency: latency, &turn)
    }
    // What follows may have put a page that fills a gap in front of this one.
    guard let place = sides[side.lane].index(of: id) else { return }
    // Without ids nobody could tell that they come again.
    if !configuration.options.isTransformed {
      landing.items.removeLast(min(sides[side.lane].slots[place].overlap, landing.items.count))
    }
    self[side].land(landing, as: id, at: place)
  }

  /// Draws the consequences of a page: the total, the next key, pages past the end, gaps.
  private mutating func follow(
    _ landing: Landing, _ id: FetchID, at index: Int, _ side: Direction, latency: Duration, _ turn: inout Turn
  ) {
    errorStreak = 0
    if !isOnlyCompared(sides[side.lane].slots[index].order) { landed += 1 }
    latencies.add(latency)
    statistics.received = statistics.received.clampedSum(landing.received)
    if let total = landing.total {
      plan.learn(total: total, knowing: sides[side.lane].slots[index].knownTotal)
    }
    let received = sides[side.lane].slots[index].received.clampedSum(landing.received)
    turn.note(.landed(id, received: received, latency: latency))
    var plan = plan
    let consequence = self[side].follow(landing, at: index, &plan)
    // What a page behind the last one has for a total is not that of the list.
    if let total = landing.total, consequence.pastEnd.contains(where: \.isOutlined) { plan.total = total }
    self.plan = plan
    self[side].askAgain(within: plan)
    for slot in consequence.pastEnd { throwAway(slot, &turn) }
    if let size = consequence.learnedSize { turn.note(.learnedPageSize(size)) }
    if let fill = consequence.fill, let offset = fill.number {
      turn.note(.fillsGap(id, offset: offset, size: fill.size))
    }
    if let failure = consequence.repeatedKey { turn.note(.gaveUp(id, failure)) }
  }

  /// Notes which items a page says are gone that did not come before.
  mutating func learn(gone ids: [ItemID], of slot: Slot) { plan.learn(gone: ids, of: slot) }

  /// Counts a delivered page that offered so many items; `isKnown` says that what it repeats came before the feed began.
  mutating func deliver(
    _ slot: Slot, _ id: FetchID, _ side: Direction, inserted: Int, updated: Int, offered: Int, isKnown: Bool,
    _ turn: inout Turn
  ) {
    if isOnlyCompared(slot.order) { compared += 1 }
    statistics.pages += 1
    turn.note(.delivered(id, inserted: inserted, updated: updated, duplicates: offered - inserted))
    self[side].deliver(slot, inserted: inserted, updated: updated, offered: offered, isKnown: isKnown, plan)
    closeBehindEmptyPages(side, &turn)
  }

  /// Opens the front if the first page of a generation says that something precedes it.
  mutating func openFront(before slot: Slot, _ landing: Landing) {
    guard slot.order.direction == .refresh, !slot.order.isReplay else { return }
    if plan.kind == .cursor {
      guard let key = landing.previousKey, !landing.isOver, !configuration.options.turnsAround else { return }
      self[.prepend].open(at: key)
    } else if let number = slot.order.number, number > plan.firstNumber {
      self[.prepend].open(at: .integer(number))
    }
  }

  /// Notes each side that has just been exhausted, and any disagreement with the total.
  mutating func noteEnds(hasBegun: Bool, _ turn: inout Turn) {
    for side in Direction.sides {
      guard sides[side.lane].becomes(isExhausted: standing(side.lane).isExhausted), hasBegun,
        sides[side.lane].tally.pages > 0
      else {
        continue
      }
      turn.note(.exhausted(side))
      let mismatch = mismatch(atEndOf: side)
      if let mismatch { turn.note(.disagreedWithTotal(side, mismatch)) }
      if side == .append { turn.add(.ended(mismatch)) }
    }
  }
}
