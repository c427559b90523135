internal import Items

extension Feed {
  /// Asks the policy about each side while it says yes and a page can be started.
  mutating func decide() {
    guard let viewport, !isPaused else { return }
    while isAsked(.append), decide(.append, viewport) {}
    while isAsked(.prepend), decide(.prepend, viewport) {}
  }

  /// What a policy would be shown now; nil before the viewport is known.
  public func view(of side: Direction) -> PolicyView? {
    var feed = self
    return viewport.map { feed.view(of: side, $0) }
  }

  /// Whether there is something to decide on that side.
  mutating func isAsked(_ side: Direction) -> Bool {
    if let time = pagers[side.lane].askAgainAt, time > now { return false }
    return standing(of: side).isOpen
  }

  /// Asks once; says whether to ask again.
  private mutating func decide(_ side: Direction, _ viewport: Viewport) -> Bool {
    let view = view(of: side, viewport)
    let verdict = policy.shouldBatchFetch(view)
    let target = verdict.direction.map { $0 == .refresh ? side : $0 } ?? side
    let isOpen = target == side || isAsked(target)
    let free = target == side ? view.freeSlots : isOpen ? freeSlots(target) : 0
    let hasConsequence = verdict.isYes && free > 0 || verdict.cancel || verdict.wait != nil
    if hasConsequence || configuration.options.notesEveryDecision {
      effects.append(.note(.decided(view, verdict)))
    }
    if let wait = verdict.wait, wait > .zero { pagers[side.lane].askAgainAt = now + wait }
    if verdict.cancel, mayTakeBack(side) {
      cancel(side)
      standings = nil
      return false
    }
    let started = start(pages: min(verdict.fetch, free), target)
    if started > 0 { standings = nil }
    if verdict.fetch > max(1, free), started > 0 {
      effects.append(.note(.clamped(asked: verdict.fetch, started: started)))
    }
    return 0 < started && started < free && verdict.wait == nil
  }

  /// A policy that takes back all that it asks for would never get anywhere: after as many fetches as may bring nothing new
  /// it has to let one land.
  private mutating func mayTakeBack(_ side: Direction) -> Bool {
    if pagers[side.lane].inFlight == 0 { return true }
    pagers[side.lane].takenBack += 1
    return pagers[side.lane].takenBack <= configuration.options.fruitlessLimit
  }

  private mutating func view(of side: Direction, _ viewport: Viewport) -> PolicyView {
    let standing = standing(of: side)
    let options = configuration.options
    var view = PolicyView()
    view.now = now
    view.direction = side
    view.firstVisible = viewport.firstVisible
    view.lastVisible = viewport.lastVisible
    view.viewportLength = viewport.length
    view.isVisible = viewport.isVisible
    view.velocity = viewport.velocity
    view.itemCount = items.count
    view.totalCount = totalCount
    view.expectedItems = standing.expectedItems
    view.remainingItems = remainingItems(on: side, viewport)
    view.inFlight = standing.inFlight
    view.freeSlots = freeSlots(side)
    view.isExhausted = standing.isExhausted
    view.latency = latencies.summary
    view.pageSize = options.pageSize
    view.pageYield = yields.mean ?? Double(options.pageSize)
    view.errorStreak = errorStreak
    view.fetches = statistics.fetches
    view.leadingScreens = options.leadingScreens
    let speed = side == .prepend ? -viewport.velocity : viewport.velocity
    if viewport.length > 0 { view.remainingScreens = Double(view.remainingItems) / viewport.length }
    if speed > 0 { view.remainingTime = Double(view.remainingItems) / speed }
    let decision =
      options.prefetchDistance.map { view.decision(distance: $0) }
      ?? view.decision(leadingScreens: options.leadingScreens)
    view.hint = decision.shouldFetch
    view.hintReason = decision.reason
    return view
  }

  /// Pages that may be started on one side; none where they would only push out others that are as near.
  private mutating func freeSlots(_ side: Direction) -> Int {
    if let limit = configuration.options.maxItems, hasBegun {
      let expected = standing(of: .append).expectedItems + standing(of: .prepend).expectedItems
      let page = max(configuration.options.pageSize, configuration.initialPageSize)
      let isFull = items.count + expected + page > limit
      if isFull, slack(on: side) + standing(of: side).expectedItems >= nearDistance { return 0 }
    }
    return standing(of: side).freeSlots
  }

  private func remainingItems(on side: Direction, _ viewport: Viewport) -> Int {
    side == .prepend
      ? max(0, min(viewport.firstVisible, items.count))
      : max(0, min(items.count, items.count - 1 - viewport.lastVisible))
  }
}
