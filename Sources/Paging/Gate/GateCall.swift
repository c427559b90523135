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
  var redirects = 0
  /// When its first attempt at the current address failed; nil before.
  var failedAt: Instant?

  init(request: HTTPRequest, terms: GateTerms) {
    self.request = request
    self.terms = terms
  }

  /// The name of its rate limit's window; nil without a limit.
  var windowName: String? {
    terms.rate.map { _ in terms.source.map { "source \($0)" } ?? "host \(lane)" }
  }

  /// Whether it can safely be sent twice.
  var isIdempotent: Bool {
    request.isRepeatable || ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
  }
}

/// The state of one host.
struct HostLane: Sendable {
  /// Maximum concurrent attempts.
  var width: Double
  var inFlight = 0
  var queue = CallQueue()
  /// Until when the host asked not to be called.
  var closedUntil = Instant.zero {
    didSet { hasNewClosing = true }
  }
  /// Whether those that wait have not been told yet that the host asked not to be called.
  var hasNewClosing = false
  /// Attempts up to this number were sent before the width was last halved.
  var narrowedAt = 0

  init(width: Double) { self.width = width }

  var hasRoom: Bool { Double(inFlight) + 1 <= max(1, width) }
}

/// The times of recent requests under a rate limit.
struct RateWindow: Sendable {
  var limit: RateLimit
  private var times: [Instant] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// When the next request may be sent.
  func opens(at now: Instant) -> Instant {
    times.count < limit.requests ? now : max(now, times[times.count - limit.requests] + limit.per)
  }

  mutating func add(_ time: Instant) {
    times.append(time)
    if times.count >= 2 * limit.requests { times.removeFirst(times.count - limit.requests) }
  }
}
