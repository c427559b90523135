internal import Items

/// Asks the policy whether to fetch ahead, and starts the pages it asks for.
struct Decider {
  private(set) var policy: any FetchPolicy
  /// How often the policy has put off the next page since the reader moved or a page was started, and since when.
  private(set) var putOff: (since: Instant, times: Int)?
  /// The side on which the reader requested a page by hand.
  private var requested: Direction?
  /// Where the last decision stays a no; nil if it was a yes, if that is unknown, or if anything but the viewport has changed.
  private(set) var deadZone: DeadZone?
  private let configuration: FeedConfiguration
  /// Whether moves may be without consequence.
  private let ignoresMoves: Bool

  init(_ configuration: FeedConfiguration, _ policy: any FetchPolicy) {
    self.configuration = configuration
    self.policy = policy
    let options = configuration.options
    ignoresMoves = !options.releasesPassedItems && !options.prefetchesDetails && options.maxItems == nil
  }

  /// Replaces the policy.
  mutating func use(_ policy: any FetchPolicy) {
    self.policy = policy
    disturb()
  }

  /// Makes the next decision about that side the reader's own.
  mutating func request(_ side: Direction) { requested = side }

  /// Forgets put-offs: there is something new to decide.
  mutating func readerMoved() { putOff = nil }

  /// Something other than the viewport may have changed.
  mutating func disturb() { deadZone = nil }

  /// Whether asking again would bring the same answer: nothing has changed since the policy said no, as far as it matters.
  var isSettled: Bool { deadZone != nil }

  /// Whether a reader who moves there changes no decision.
  func ignores(_ viewport: Viewport) -> Bool { deadZone?.contains(viewport) ?? false }

  /// Asks about each side as long as the policy says yes and a page can be started.
  mutating func decide(
    _ viewport: Viewport, _ pages: inout Pages, _ held: HeldItems.Standing, _ turn: inout Turn
  ) {
    deadZone = ignoresMoves ? DeadZone(length: viewport.length, isVisible: viewport.isVisible) : nil
    askRepeatedly(.append, viewport, &pages, held, &turn)
    askRepeatedly(.prepend, viewport, &pages, held, &turn)
    requested = nil
  }

  /// Asks about one side.
  private mutating func askRepeatedly(
    _ side: Direction, _ viewport: Viewport, _ pages: inout Pages, _ held: HeldItems.Standing,
    _ turn: inout Turn
  ) {
    var mayWithdraw = true
    while pages.isAsked(side, at: turn.now), decide(side, viewport, &pages, held, &mayWithdraw, &turn) {}
  }

  /// Asks once; returns whether to ask again, as after a withdrawal, of which there is one in a turn.
  private mutating func decide(
    _ side: Direction, _ viewport: Viewport, _ pages: inout Pages, _ held: HeldItems.Standing,
    _ mayWithdraw: inout Bool, _ turn: inout Turn
  ) -> Bool {
    let view = view(of: side, viewport, &pages, held, at: turn.now)
    let verdict = verdict(on: view)
    let target = verdict.direction.map { $0 == .refresh ? side : $0 } ?? side
    var free = view.freeSlots
    if target != side {
      free = pages.isAsked(target, at: turn.now) ? freeSlots(target, viewport, &pages, held) : 0
    }
    let hasConsequence = verdict.isYes && free > 0 || verdict.cancel || verdict.wait != nil
    if hasConsequence || configuration.options.notesEveryDecision {
      deadZone = nil
      turn.note(.decided(view, verdict))
    } else if let zone = deadZone {
      deadZone = policy.deadZone(around: view).flatMap { zone.intersection($0) }
    }
    if let wait = verdict.wait {
      if wait > .zero { pages[side].askAgainAt = turn.now + wait }
      if pages.isQuiet { putOff = (putOff?.since ?? turn.now, (putOff?.times ?? 0) + 1) }
    }
    if verdict.cancel, mayWithdraw, pages[side].mayWithdraw(limit: configuration.options.fruitlessLimit) {
      mayWithdraw = false
      let hasWithdrawn = pages[side].inFlight > 0
      pages.cancel(side, &turn)
      return hasWithdrawn
    }
    let started = pages.start(min(verdict.fetch, free), target, &turn)
    if started > 0 { putOff = nil }
    if verdict.fetch > max(1, free), started > 0 {
      turn.note(.clamped(asked: verdict.fetch, started: started))
    }
    return 0 < started && started < free && verdict.wait == nil
  }

  /// The reader's own request, or the policy's verdict.
  private mutating func verdict(on view: PolicyView) -> Verdict {
    guard requested == view.direction, view.freeSlots > 0 else { return policy.shouldBatchFetch(view) }
    requested = nil
    return .byHand
  }

  /// The policy's view of a side.
  func view(
    of side: Direction, _ viewport: Viewport, _ pages: inout Pages, _ held: HeldItems.Standing,
    at now: Instant
  ) -> PolicyView {
    let standings = pages.standings
    let standing = standings[side]
    var view = PolicyView()
    view.now = now
    view.direction = side
    view.firstVisible = viewport.firstVisible
    view.lastVisible = viewport.lastVisible
    view.viewportLength = viewport.length
    view.isVisible = viewport.isVisible
    view.velocity = viewport.velocity
    // Items that only have to be made are as good as there, so that an outlined page is decided about as one that came whole.
    let (count, behind, before) =
      (held.count, standings.append.outlinedItems, standings.prepend.outlinedItems)
    view.itemCount = count + behind + before
    view.totalCount = pages.plan.total
    view.expectedItems = standing.expectedItems - standing.outlinedItems
    view.remainingItems =
      side == .prepend
      ? viewport.remainingItems(on: side, of: count) + before
      : viewport.remainingItems(on: side, of: count + behind)
    view.inFlight = standing.inFlight
    view.freeSlots = freeSlots(side, viewport, &pages, held)
    view.isExhausted = standing.isExhausted
    view.latency = pages.latency
    view.pageSize = configuration.options.pageSize
    view.pageYield = held.meanYield ?? Double(configuration.options.pageSize)
    view.errorStreak = pages.errorStreak
    view.fetches = pages.statistics.fetches
    view.leadingScreens = configuration.options.leadingScreens
    let speed = side == .prepend ? -viewport.velocity : viewport.velocity
    if viewport.length > 0 { view.remainingScreens = Double(view.remainingItems) / viewport.length }
    if speed > 0 { view.remainingTime = Double(view.remainingItems) / speed }
    let decision =
      configuration.options.prefetchDistance.map { view.decision(distance: $0) }
      ?? view.decision(leadingScreens: configuration.options.leadingScreens)
    view.hint = decision.shouldFetch
    view.hintReason = decision.reason
    return view
  }

  /// Pages that may be started on one side; none if they would only displace pages that are as near.
  private func freeSlots(
    _ side: Direction, _ viewport: Viewport, _ pages: inout Pages, _ held: HeldItems.Standing
  ) -> Int {
    let standings = pages.standings
    let standing = standings[side]
    if let limit = configuration.options.maxItems, held.hasBegun {
      let expected = standings.append.expectedItems + standings.prepend.expectedItems
      let page = max(configuration.options.pageSize, configuration.initialPageSize)
      let slack = viewport.slack(on: side, of: held.count) + standing.expectedItems
      if held.count + expected + page > limit, slack >= configuration.nearDistance(viewport) {
        return 0
      }
    }
    return standing.freeSlots
  }
}

extension Viewport {
  /// Items between the viewport and an end of the list.
  func remainingItems(on side: Direction, of count: Int) -> Int {
    side == .prepend ? max(0, min(firstVisible, count)) : max(0, min(count, count - 1 - lastVisible))
  }

  /// The same, negative if the viewport lies outside.
  func slack(on side: Direction, of count: Int) -> Int {
    side == .prepend ? firstVisible : count - 1 - lastVisible
  }
}

extension FeedConfiguration {
  /// Items kept on either side of a viewport.
  func nearDistance(_ viewport: Viewport) -> Int {
    options.prefetchDistance ?? Int(min(1e9, viewport.length * options.leadingScreens).rounded(.up))
  }
}
