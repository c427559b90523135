/// A call passing through the gate.
struct GateCall: Sendable {
  enum Phase: Sendable, Equatable {
    /// May be sent as soon as there is room, but not before that time.
    case queued(notBefore: Instant)
    /// An attempt is in flight; the number counts all attempts through the gate.
    case sent(Int)
  }

  /// The request of the next attempt; redirects change it.
  var request: HTTPRequest
  let terms: GateTerms
  var lane = ""
  var phase = Phase.queued(notBefore: .zero)
  /// Attempts at the current address.
  var attempts = 0
  /// Whether one of them was made because a connection that was kept is no failure of the host; it does not count as a retry.
  var isResent = false
  var redirects = 0
  /// When its first attempt at the current address failed; nil before.
  var failedAt: Instant?
  /// The attempt in flight, where their number is found out.
  var attempt: AutomaticWidth.Attempt?

  init(request: HTTPRequest, terms: GateTerms) {
    self.request = request
    self.terms = terms
  }

  /// The name of its rate limit's window; nil without a limit.
  var windowName: String? {
    terms.rate.map { _ in terms.source.map { "source \($0)" } ?? "host \(lane)" }
  }

  /// Where it waits.
  var line: CallQueue.Line { CallQueue.Line(window: windowName, isAutomatic: isAutomatic) }

  /// Whether the number of its like in flight is found out.
  var isAutomatic: Bool { terms.width == .automatic }

  /// The attempts of which its retry rule knows.
  var countedAttempts: Int { attempts - (isResent ? 1 : 0) }

  /// Whether it can safely be sent twice.
  var isIdempotent: Bool { request.isIdempotent }
}

/// The state of one host.
struct HostLane: Sendable {
  /// Maximum concurrent attempts, but for those whose number is found out.
  var width: Double
  /// What the width grows back to.
  private(set) var ceiling: Double
  /// Attempts in flight, but for those whose number is found out.
  var inFlight = 0
  /// Finds out how many may be in flight; nil while nobody has asked for it.
  var automatic: AutomaticWidth?
  var queue = CallQueue()
  /// Until when the host asked not to be called.
  var closedUntil = Instant.zero {
    didSet { hasNewClosing = true }
  }
  /// Whether those that wait have not been told yet that the host asked not to be called.
  var hasNewClosing = false
  /// Attempts up to this number were sent before the width was last halved.
  var narrowedAt = 0

  init(width: Double) { (self.width, ceiling) = (width, width) }

  /// A source of the host has said how it is read.
  mutating func admit(_ wanted: Width?) {
    switch wanted {
    case .automatic: automatic = automatic ?? AutomaticWidth()
    case .pages(let pages) where Double(pages) > ceiling:
      width += Double(pages) - ceiling
      ceiling = Double(pages)
    case .pages, nil: break
    }
  }

  /// Whether a call of that line may be sent beside those in flight.
  func hasRoom(in line: CallQueue.Line) -> Bool {
    if line.isAutomatic { return automatic?.hasRoom ?? true }
    return Double(inFlight) + 1 <= max(1, width)
  }

  /// Counts an attempt at a call.
  mutating func begin(_ call: GateCall, at now: Instant) -> AutomaticWidth.Attempt? {
    if call.isAutomatic { return automatic?.begin(at: now) }
    inFlight += 1
    return nil
  }

  /// Counts the end of the attempt at a call, and draws its lesson.
  mutating func end(_ call: GateCall, _ outcome: AutomaticWidth.Outcome, at now: Instant) {
    guard call.isAutomatic else { return inFlight -= 1 }
    if let attempt = call.attempt { automatic?.end(attempt, outcome, at: now) }
  }

  /// Whether nothing is in flight, and nothing is known of the host that a new lane would not know.
  func isIdle(at now: Instant) -> Bool {
    queue.isEmpty && inFlight == 0 && closedUntil <= now && width >= ceiling && automatic?.inFlight ?? 0 == 0
  }
}

/// The times of recent requests under a rate limit.
struct RateWindow: Sendable {
  var limit: RateLimit
  private var times: [Instant] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// When the next request may be sent.
  func opens(at now: Instant) -> Instant {
    times.count < limit.requests ? now : max(now, times[times.count - limit.requests] + limit.spacing)
  }

  mutating func add(_ time: Instant) {
    times.append(time)
    if times.count >= 2 * limit.requests { times.removeFirst(times.count - limit.requests) }
  }
}
