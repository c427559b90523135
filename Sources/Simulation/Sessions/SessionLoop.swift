import Items
import Paging

/// One session: a reader walks through a source over a network, and the machine fetches ahead. The reader waits where
/// items are missing, and everything after that is later by as much (the closed loop of lab.md 2.1).
struct SessionLoop {
  let plan: SessionPlan
  let source: SimulatedSource
  var network: NetworkSession
  var feed: Feed
  var agenda = SessionAgenda()
  var now = Instant.zero
  /// Waiting so far: how much later than nominal everything is.
  var delay = Duration.zero
  var score: SessionScore
  /// When the feed was last told something.
  var lastTime = Instant.zero
  /// Items that were dropped at the front; positions of the feed begin behind them.
  var front = 0
  /// When items came that had not come before: from that item on, at that time.
  var arrivals: [(item: Int, at: Instant)] = []
  /// Items that came at some time, counted from the start.
  var reached = 0
  /// One more than the last item that was visible.
  var seen = 0
  var hasDroppedFront = false
  var timeline: SessionTimeline?
  /// Why the policy asked, for the timeline.
  var reason = ""
  /// Pays for the session.
  var meter: SessionMeter?
  /// Items that may be held.
  var mostItems = Int.max
  /// Wakes in a row with nothing under way.
  var idleWakes = 0

  /// A policy that asked for time so often while its reader waits will never ask for a page.
  private static let mostIdleWakes = 10_000

  init(_ plan: SessionPlan, _ feed: Feed, _ network: NetworkSession) {
    self.plan = plan
    self.feed = feed
    self.network = network
    source = SimulatedSource(total: plan.total, feed.configuration)
    score = SessionScore(session: plan.session)
  }

  /// Runs to the reader's last step.
  mutating func run() throws(SessionFailure) -> SessionScore {
    for step in plan.steps {
      let at = step.at + delay
      while let due = agenda.nextTime, due <= at { try happen() }
      now = at
      tell(.viewportMoved(viewport(step)))
      if !isHeld(step) { try wait(for: step) }
      see(step)
    }
    try finish()
    return score
  }

  /// The reader stands still until the items of that step are there.
  private mutating func wait(for step: PlannedStep) throws(SessionFailure) {
    let since = now
    score.hits -= max(0, step.lastWanted + 1 - max(seen, front + feed.items.count))
    idleWakes = 0
    while !isHeld(step) {
      if mustRetry { tell(.retried) }
      guard agenda.nextTime != nil, idleWakes < Self.mostIdleWakes else {
        throw .standstill(session: plan.session, at: now)
      }
      try happen()
    }
    let waited = now - since
    delay += waited
    let seconds = waited.inSeconds
    score.stalls += 1
    if score.stalls == 1, since == .zero { score.startup = seconds }
    if since > .zero { score.worstStall = max(score.worstStall, seconds) }
    let bar = SessionTimeline.StallBar(
      start: since.seconds, end: now.seconds, item: step.lastWanted)
    timeline?.stalls.append(bar)
    tell(.viewportMoved(viewport(step)))
  }

  /// Whether all that the reader wants to see is there.
  private func isHeld(_ step: PlannedStep) -> Bool {
    step.viewport.firstVisible >= front
      && step.lastWanted < front + feed.items.count
  }

  /// A reader who meets an error presses the button.
  private var mustRetry: Bool {
    for side in [Direction.append, .prepend] {
      switch feed.state(of: side) {
      case .gaveUp, .stopped: return true
      case .idle, .fetching, .failed, .exhausted: continue
      }
    }
    return false
  }

  private func viewport(_ step: PlannedStep) -> Viewport {
    var viewport = step.viewport
    viewport.firstVisible -= front
    viewport.lastVisible -= front
    return viewport
  }

  private mutating func see(_ step: PlannedStep) {
    let end = step.lastWanted + 1
    if end > seen {
      score.hits += end - seen
      seen = end
    }
    let point = SessionTimeline.ViewportPoint(
      time: now.seconds, first: step.viewport.firstVisible, last: end - 1)
    timeline?.viewport.append(point)
  }

  private mutating func finish() throws(SessionFailure) {
    for pending in agenda.pending {
      score.fetched += pending.items.count
      end(pending, .unfinished)
    }
    score.stall = delay.inSeconds
    score.seen = seen
    score.duration = now.seconds
    let duration = score.duration
    timeline?.duration = duration
    timeline?.seen = score.seen
    try checkStall()
  }

  /// The identity that holds for every schedule (lab.md 2.2, I1): the stall is the latest that any items came after
  /// their nominal deadline. A difference is a bug of ours.
  private func checkStall() throws(SessionFailure) {
    guard !hasDroppedFront else { return }
    var latest = Duration.zero
    for arrival in arrivals {
      if let deadline = plan.deadline(of: arrival.item) {
        latest = max(latest, arrival.at - deadline)
      }
    }
    if latest != delay { throw .brokenIdentity(session: plan.session, stall: delay, latest: latest) }
  }
}
