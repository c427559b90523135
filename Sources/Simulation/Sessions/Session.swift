import Experiments
import Items
import Paging

/// One session: a reader walks through a source over a network, and the machine fetches ahead. The reader waits where
/// items are missing, and everything after that is later by as much (the closed loop of lab.md 2.1).
struct Session {
  private var plan: SessionPlan
  private let source: SimulatedSource
  private let limits: SessionLimits
  private var traffic: SessionTraffic
  /// Stands before a network that fails or refuses, and finds out how many pages are in flight; otherwise it would let through
  /// everything as it is.
  private var gate: SessionGate?
  private var loop: FeedLoop<Coming>
  /// Of the plan's steps.
  private var next = 0
  /// When the reader began to wait for the next step; nil while it goes on.
  private var waitsSince: Instant?
  /// Items that it waits for and has not seen before.
  private var missing = 0
  private(set) var isOver = false
  /// Waiting so far: how much later than nominal everything is.
  private var delay = Duration.zero { didSet { lag = delay.nanoseconds } }
  private var lag: Int64 = 0
  private(set) var score: SessionScore
  private var heldTime = HeldTime()
  /// The places that are held.
  private var held = 0..<0
  /// Items that were held when they were counted last.
  private var lastCount = 0
  private var seen = SeenItems()
  private var stallCheck = StallCheck()
  private let isRecorded: Bool
  /// Whether steps that lead to nothing are taken at once: not where a shared link brings something at times of its own.
  private let skips: Bool
  private(set) var timeline: SessionTimeline?
  /// Why the policy asked, for the timeline.
  private var reason = ""
  /// Wakes in a row with nothing in flight.
  private var idleWakes = 0

  /// A policy that asked for time so often while its reader waits will never ask for a page.
  private static let mostIdleWakes = 10_000

  /// A session that has not begun; what happens is kept in the timeline, if there is one.
  init(
    _ plan: SessionPlan, _ feed: Feed, _ network: NetworkSession, _ limits: SessionLimits,
    timeline: SessionTimeline?
  ) {
    self.plan = plan
    traffic = SessionTraffic(network, prefetchesDetails: feed.configuration.options.prefetchesDetails)
    let needsGate = !network.network.isReliable || feed.configuration.findsWidth
    gate = needsGate ? SessionGate(feed.configuration) : nil
    self.limits = limits
    self.timeline = timeline
    isRecorded = timeline != nil
    skips = timeline == nil && !network.isFair
    loop = FeedLoop(feed)
    source = SimulatedSource(total: plan.total, feed.configuration)
    score = SessionScore(session: plan.session)
  }

  /// Runs to the reader's last step.
  mutating func run() throws(SessionFailure) -> SessionScore {
    // Without a shared link nothing happens but in the loop.
    if !network.isFair { while !isOver { try proceed() } }
    while !isOver {
      if let landing = network.nextTime, nextTime.map({ landing <= $0 }) ?? true {
        for id in network.landed(by: landing) { try land(id, at: landing) }
      } else {
        try proceed()
      }
    }
    score.bytes = network.bytes
    score.energy = network.joules(at: now)
    return score
  }

  /// Its reader has gone: nobody wants what is under way for it.
  mutating func abandon() { _ = traffic.cancel({ _ in true }, &loop) }

  private var now: Instant { loop.now }

  /// Several lists of a session share one: each has it while it is at work.
  var network: NetworkSession {
    get { traffic.network }
    _modify { yield &traffic.network }
  }

  /// When it goes on by itself; nil if nothing is to come.
  var nextTime: Instant? {
    if let since = waitsSince {
      if isHeld(plan.steps[next]) || mustRetry { return now }
      let leaves = plan.patience.map { since + $0 }
      guard let due = loop.nextTime else { return leaves }
      return leaves.map { min($0, due) } ?? due
    }
    guard next < plan.steps.count else { return now }
    let at = plan.steps[next].at.later(by: lag)
    return loop.nextTime.map { min($0, at) } ?? at
  }

  /// Does what is to be done next.
  mutating func proceed() throws(SessionFailure) {
    if waitsSince != nil { return try goOnWaiting() }
    if skips, skipSteps() { return }
    guard next < plan.steps.count else { return try finish() }
    let step = plan.steps[next]
    let at = step.at.later(by: lag)
    if let due = loop.nextTime, due <= at { return try happen() }
    loop.advance(to: at)
    look(at: step.viewport)
    if isHeld(step) { arrive(at: step) } else { beginWaiting(for: step) }
  }

  /// Takes the steps ahead that lead to nothing, all at once; false if there are none.
  private mutating func skipSteps() -> Bool {
    guard let zone = loop.feed.deadZone(at: now) else { return false }
    let (steps, first, due, held, lag) = (plan.steps, next, loop.nextTime, held, lag)
    var (place, seen) = (next, seen)
    while place < steps.count, zone.contains(steps[place].viewport), steps[place].isWithin(held),
      due.map({ steps[place].at.later(by: lag) < $0 }) ?? true
    {
      score.hits += seen.see(steps[place].wanted)
      place += 1
    }
    guard place > first else { return false }
    next = place
    let last = plan.steps[next - 1]
    loop.advance(to: last.at.later(by: lag))
    _ = loop.ignores(last.viewport)
    score.events += next - first
    self.seen = seen
    return true
  }

  /// The reader sees what the step shows.
  private mutating func arrive(at step: PlannedStep) {
    see(step)
    next += 1
  }

  /// The reader stands still until the items of that step are there.
  private mutating func beginWaiting(for step: PlannedStep) {
    waitsSince = now
    missing = max(0, step.lastWanted + 1 - max(step.wanted.lowerBound, seen.end, held.upperBound))
    idleWakes = 0
    if let pause = plan.restsAfter, step.viewport.velocity != 0 {
      loop.add(.rest(step.viewport, wait: score.stalls), at: now + pause)
    }
  }

  private mutating func goOnWaiting() throws(SessionFailure) {
    let step = plan.steps[next]
    if isHeld(step) {
      endWaiting()
      look(at: step.viewport)
      stop()
      let hits = score.hits
      arrive(at: plan.steps[next])
      return score.hits -= min(missing, score.hits - hits)
    }
    if mustRetry { send(.retried) }
    if let since = waitsSince, let patience = plan.patience,
      loop.nextTime.map({ $0 > since + patience }) ?? !traffic.isIdle
    {
      return try leave(at: since + patience)
    }
    // What a shared link brings is not in the loop.
    if loop.nextTime == nil, !traffic.isIdle { return }
    guard loop.nextTime != nil, idleWakes < Self.mostIdleWakes else {
      throw .standstill(session: plan.session, at: now)
    }
    try happen()
  }

  private mutating func endWaiting() {
    guard let since = waitsSince else { return }
    waitsSince = nil
    let waited = now - since
    delay += waited
    let seconds = waited.inSeconds
    score.stalls += 1
    if score.stalls == 1, since == .zero { score.startup = seconds }
    if since > .zero { score.worstStall = max(score.worstStall, seconds) }
    let bar = SessionTimeline.StallBar(
      start: since.seconds, end: now.seconds, item: plan.steps[next].lastWanted)
    timeline?.stalls.append(bar)
  }

  /// The reader has no more patience.
  private mutating func leave(at time: Instant) throws(SessionFailure) {
    loop.advance(to: time)
    endWaiting()
    score.left = 1
    stallCheck.divert()
    try finish()
  }

  /// A fling that met the edge of what is held has died there: the rest of its way is not gone.
  private mutating func stop() {
    guard let rest = plan.stopped(at: next) else { return }
    plan = rest
    next = 0
    stallCheck.divert()
  }

  private mutating func look(at viewport: Viewport) {
    heldTime.add(held.count, until: now)
    if loop.ignores(viewport) { score.events += 1 } else { send(.placesViewed(viewport)) }
  }

  /// Whether all that the reader wants to see is there.
  private func isHeld(_ step: PlannedStep) -> Bool { step.isWithin(held) }

  /// A reader who meets an error presses the button.
  private var mustRetry: Bool {
    loop.feed.state(of: .append).hasGivenUp || loop.feed.state(of: .prepend).hasGivenUp
  }

  private mutating func see(_ step: PlannedStep) {
    var (seen, late) = (seen, 0)
    score.hits += seen.see(step.wanted) { late += traffic.missingDetails(of: $0) }
    score.late += late
    self.seen = seen
    guard isRecorded else { return }
    let point = SessionTimeline.ViewportPoint(
      time: now.seconds, first: step.viewport.firstVisible, last: step.lastWanted)
    timeline?.viewport.append(point)
  }

  private mutating func finish() throws(SessionFailure) {
    isOver = true
    heldTime.add(held.count, until: now)
    for case .arrival(let attempt) in loop.answers.map(\.answer) + traffic.answers {
      score.fetched += attempt.items.count
      record(attempt, .unfinished)
    }
    score.stall = delay.inSeconds
    score.heldTime = heldTime.seconds
    score.seen = seen.count
    score.duration = now.seconds
    let duration = score.duration
    timeline?.duration = duration
    timeline?.seen = seen.end
    try stallCheck.check(delay, plan)
  }
}

/// Events in, effects carried out.
extension Session {
  /// Lets the next thing happen.
  private mutating func happen() throws(SessionFailure) {
    guard let happening = loop.next() else { return }
    if limits.meter?.allowsEvent() == false { throw .stopped(session: plan.session) }
    if now.seconds > Limits.seconds { throw .tooLarge(session: plan.session, limit: "thirty years") }
    switch consume happening {
    case .wake:
      idleWakes = loop.nextTime == nil && traffic.isIdle ? idleWakes + 1 : 0
      send(.woke)
    case .answer(.rest(var viewport, let wait)):
      // Waits are counted when they are over.
      guard wait == score.stalls else { return }
      viewport.velocity = 0
      send(.placesViewed(viewport))
    case .answer(.gateWake):
      if let actions = gate?.woke(at: loop.now) { carryOut(actions) }
    case .answer(.arrival(let attempt)):
      traffic.ended(attempt.bytes, attempt.outcome, at: now)
      try arrive(attempt)
    case .answer(.details(let attempt)):
      traffic.ended(attempt.bytes, attempt.outcome, at: now)
      traffic.arrive(attempt, &loop)
    }
  }

  /// A response on the shared link is through.
  mutating func land(_ number: Int, at time: Instant) throws(SessionFailure) {
    guard let answer = traffic.take(number) else { return }
    loop.advance(to: time)
    if limits.meter?.allowsEvent() == false { throw .stopped(session: plan.session) }
    switch answer {
    case .arrival(let attempt): try arrive(attempt)
    case .details(let attempt): traffic.arrive(attempt, &loop)
    case .gateWake, .rest: break
    }
  }

  private mutating func arrive(_ attempt: Attempt) throws(SessionFailure) {
    idleWakes = 0
    traffic.attemptEnded(at: attempt.page, attempt.failure)
    if attempt.items.count > limits.mostItems - held.count {
      throw .tooLarge(session: plan.session, limit: "\(limits.mostItems) items held")
    }
    if attempt.failure != nil { score.failures += 1 } else { score.fetched += attempt.items.count }
    record(attempt, attempt.failure == nil ? .used : .failed)
    if let actions = gate?.attemptEnded(attempt.request.id, attempt.failure, at: loop.now) {
      carryOut(actions)
    } else {
      answer(attempt.request, attempt.failure)
    }
  }

  private mutating func answer(_ request: FetchRequest, _ failure: FetchFailure?) {
    if let failure { return send(.answered(request.id, .failed(failure))) }
    send(.answered(request.id, .page(source.page(source.items(of: request)))))
  }

  private mutating func carryOut(_ actions: [SessionGate.Action]) {
    for action in actions {
      switch action {
      case .attempt(let request): attempt(request)
      case .answer(let request, let failure): answer(request, failure)
      case .wake(let at): loop.add(.gateWake, at: at)
      }
    }
  }

  /// Hands the feed an event, and carries out what it asks for.
  private mutating func send(_ event: Event) {
    heldTime.add(held.count, until: now)
    handle(event)
    while let acknowledgement = loop.acknowledgement() { handle(acknowledgement) }
  }

  private mutating func handle(_ event: Event) {
    let effects = loop.send(event)
    score.events += 1
    let start = loop.feed.places.start
    held = start..<start + loop.feed.itemCount
    for effect in effects { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: Effect) {
    switch effect {
    case .fetch(let request): fetch(request)
    case .cancel(let id):
      for case .arrival(let attempt) in traffic.cancel({ $0.fetchID == id }, &loop) {
        if gate == nil { score.cancelled += 1 }
        record(attempt, .cancelled)
      }
      if let (wasWanted, actions) = gate?.cancel(id, at: loop.now) {
        if wasWanted { score.cancelled += 1 }
        carryOut(actions)
      }
    case .apply(let changes, _): apply(changes)
    case .note(.decided(_, let verdict)): if isRecorded { reason = verdict.reason }
    case .prefetch(let change): traffic.change(change, &loop)
    case .wake, .shiftViewport, .removed, .delivered, .reached, .ended, .note: break
    }
  }

  private mutating func fetch(_ request: FetchRequest) {
    if let actions = gate?.submit(request, at: loop.now) { carryOut(actions) } else { attempt(request) }
  }

  /// Sends a request over the network.
  private mutating func attempt(_ request: FetchRequest) {
    let items = source.items(of: request)
    let page = source.number(of: items)
    score.requests += 1
    let bar = SessionTimeline.FetchBar(
      start: now.seconds, end: now.seconds, items: items, outcome: .unfinished, reason: reason)
    timeline?.fetches.append(bar)
    let place = (timeline?.fetches.count ?? 0) - 1
    let bytes = Double(items.count) * traffic.network.network.bytesPerItem
    traffic.send(page: page, bytes: bytes, &loop) { outcome in
      .arrival(
        Attempt(request: request, items: items, page: page, bytes: bytes, outcome: outcome, bar: place))
    }
  }

  /// The end of a fetch, for the timeline.
  private mutating func record(_ attempt: Attempt, _ outcome: SessionTimeline.FetchBar.Outcome) {
    guard isRecorded, attempt.bar >= 0 else { return }
    let end = now.seconds
    timeline?.fetches[attempt.bar].end = end
    timeline?.fetches[attempt.bar].outcome = outcome
  }

  private mutating func apply(_ changes: ChangeSet) {
    if changes.removals.contains(where: { $0.range.lowerBound == 0 }) { stallCheck.divert() }
    countHeld()
    stallCheck.hold(before: held.upperBound, at: now)
  }

  private mutating func countHeld() {
    guard held.count != lastCount else { return }
    lastCount = held.count
    score.mostHeld = max(score.mostHeld, held.count)
    guard isRecorded else { return }
    let point = SessionTimeline.LoadedPoint(time: now.seconds, items: held.upperBound)
    timeline?.loaded.append(point)
  }
}
