/// A call on its way through the gate.
struct GateCall: Sendable {
  enum Phase: Sendable, Equatable {
    /// May go as soon as there is room, and not before that time.
    case queued(notBefore: Instant)
    /// An attempt is under way; the number counts all attempts through the gate.
    case sent(Int)
  }

  /// What the next attempt asks for; redirects change it.
  var request: HTTPRequest
  let terms: GateTerms
  var lane = ""
  var phase = Phase.queued(notBefore: .zero)
  /// Attempts made at the current address.
  var attempts = 0
  var redirects = 0

  init(request: HTTPRequest, terms: GateTerms) {
    self.request = request
    self.terms = terms
  }

  /// The name of the window that its rate limit is counted in.
  var windowName: String { terms.source.map { "source \($0)" } ?? "host \(lane)" }

  /// Whether sending it twice does what sending it once does.
  var isIdempotent: Bool {
    request.isRepeatable || ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
  }
}

/// What is known of one host.
struct HostLane: Sendable {
  /// Attempts at once.
  var width: Double
  var inFlight = 0
  /// In the order in which they may go.
  var queue: [HostCallID] = []
  /// The host asked not to be called before.
  var closedUntil = Instant.zero
  /// Attempts up to this number were sent before the width was halved last.
  var narrowedAt = 0

  init(width: Double) { self.width = width }

  var hasRoom: Bool { Double(inFlight) + 1 <= max(1, width) }
}

/// The times of the last requests under a limit.
struct RateWindow: Sendable {
  var limit: RateLimit
  private var times: [Instant] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// When the next request may go.
  func opens(at now: Instant) -> Instant {
    times.count < limit.requests ? now : max(now, times[times.count - limit.requests] + limit.per)
  }

  mutating func add(_ time: Instant) {
    times.append(time)
    if times.count >= 2 * limit.requests { times.removeFirst(times.count - limit.requests) }
  }
}
