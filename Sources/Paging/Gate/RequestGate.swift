/// Turns HTTP calls into single attempts: decides when to send each attempt, and what to do with its reply.
///
/// Retries, `Retry-After`, rate limits, redirects and the concurrency per host are decided here. A value without clock
/// or I/O: its owner carries out the effects, passes in every reply, and wakes it at `nextWake`.
public struct RequestGate: Sendable {
  /// Maximum concurrent attempts per host; halved when a host is overloaded, then grows back.
  public let maxWidth: Int
  /// The start of the run in seconds since 1970, for dates in responses without a `Date`.
  public let startedAt: Double?

  var calls: [HostCallID: GateCall] = [:]
  typealias Lanes = [String: HostLane]
  var lanes: Lanes = [:]
  /// One per source with a limit of its own, and one per host for all others.
  var windows: [String: RateWindow] = [:]
  /// When hosts with room have something to send.
  var wakes = Wakes<String>()
  /// Hosts noted as unavailable.
  var unavailable: Set<String> = []
  var random: RandomStream
  var sends = 0
  var effects: [GateEffect] = []

  public init(maxWidth: Int = 16, startedAt: Double? = nil, seed: UInt64 = 0) {
    precondition(maxWidth >= 1, "a width of \(maxWidth) would send nothing")
    self.maxWidth = maxWidth
    self.startedAt = startedAt
    random = RandomStream(seed: seed)
  }

  /// Submits a new call.
  public mutating func submit(
    _ id: HostCallID, _ request: HTTPRequest, _ terms: GateTerms = GateTerms(), at now: Instant
  ) -> [GateEffect] {
    var call = GateCall(request: request, terms: terms)
    call.lane = laneName(of: request.url)
    queue(id, call)
    return finish(call.lane, announcing: [id], at: now)
  }

  /// Handles the reply to the last attempt of a call.
  public mutating func replied(_ id: HostCallID, _ reply: HostReply, at now: Instant) -> [GateEffect] {
    guard let call = calls[id], case .sent(let number) = call.phase else { return [] }
    end(call, outcome(of: reply, at: now), at: now)
    judge(id, call, reply, sendNumber: number, at: now)
    return finish(call.lane, announcing: [id], at: now)
  }

  /// Drops a call; a reply to its attempt is ignored.
  public mutating func cancelled(_ id: HostCallID, at now: Instant) -> [GateEffect] {
    guard let call = calls.removeValue(forKey: id) else { return [] }
    if case .sent = call.phase { lanes[call.lane]?.end(call, .withdrawn, at: now) }
    lanes[call.lane]?.queue.remove(id)
    return finish(call.lane, announcing: [], at: now)
  }

  /// Sends what is due.
  public mutating func woke(at now: Instant) -> [GateEffect] {
    for name in wakes.takeDue(at: now) { pump(name, announcing: [], at: now) }
    return drainEffects()
  }

  /// The conditions of a call that is not delivered yet.
  public func terms(of id: HostCallID) -> GateTerms { calls[id]?.terms ?? GateTerms() }

  /// Calls not delivered yet.
  public var callCount: Int { calls.count }

  /// Sends what may be sent to a host, and to the one a redirect may have led to.
  private mutating func finish(_ lane: String, announcing ids: [HostCallID], at now: Instant) -> [GateEffect]
  {
    pump(lane, announcing: ids, at: now)
    for id in ids {
      if let other = calls[id]?.lane, other != lane { pump(other, announcing: ids, at: now) }
    }
    return drainEffects()
  }

  private mutating func drainEffects() -> [GateEffect] {
    let result = effects
    effects = []
    return result
  }
}
