/// Stands between HTTP calls and single attempts: says when to send each attempt, and what to make of its
/// reply.
///
/// Retries, `Retry-After`, rate limits, redirects and the number of attempts at once per host are decided
/// here. A value without clock or I/O: whoever owns it sends what it says, gives it every reply, and wakes it
/// at `nextWake`.
public struct RequestGate: Sendable {
  /// Attempts at once per host, at most; it is halved when a host says that it is too much, and grows back.
  public let maxWidth: Int
  /// Seconds from 1970 to the start of the run, for dates in answers that carry no `Date`.
  public let startedAt: Double?

  var calls: [HostCallID: GateCall] = [:]
  var lanes: [String: HostLane] = [:]
  /// One per source that has a limit.
  var windows: [String: RateWindow] = [:]
  var random: RandomStream
  var sends = 0
  var effects: [GateEffect] = []

  public init(maxWidth: Int = 16, startedAt: Double? = nil, seed: UInt64 = 0) {
    precondition(maxWidth >= 1, "a width of \(maxWidth) would send nothing")
    self.maxWidth = maxWidth
    self.startedAt = startedAt
    random = RandomStream(seed: seed)
  }

  /// Takes a new call.
  public mutating func submit(
    _ id: HostCallID, _ request: HTTPRequest, _ terms: GateTerms = GateTerms(), at now: Instant
  ) -> [GateEffect] {
    var call = GateCall(request: request, terms: terms)
    call.lane = laneName(of: request.url)
    calls[id] = call
    if let rate = terms.rate { windows[call.windowName, default: RateWindow(rate)].limit = rate }
    lanes[call.lane, default: HostLane(width: Double(maxWidth))].queue.append(id)
    return finish(call.lane, announcing: [id], at: now)
  }

  /// Takes the reply to the attempt that was sent last for that call.
  public mutating func replied(_ id: HostCallID, _ reply: HostReply, at now: Instant) -> [GateEffect] {
    guard let call = calls[id], case .sent(let number) = call.phase else { return [] }
    lanes[call.lane]?.inFlight -= 1
    judge(id, call, reply, sendNumber: number, at: now)
    return finish(call.lane, announcing: [id], at: now)
  }

  /// Forgets a call; an attempt that was sent for it is no longer waited for.
  public mutating func cancelled(_ id: HostCallID, at now: Instant) -> [GateEffect] {
    guard let call = calls.removeValue(forKey: id) else { return [] }
    if case .sent = call.phase { lanes[call.lane]?.inFlight -= 1 }
    lanes[call.lane]?.queue.removeAll { $0 == id }
    return finish(call.lane, announcing: [], at: now)
  }

  /// Sends what has become due.
  public mutating func woke(at now: Instant) -> [GateEffect] {
    for name in lanes.keys.sorted() { pump(name, announcing: [], at: now) }
    return takeEffects()
  }

  /// Calls that were not delivered yet.
  public var callCount: Int { calls.count }

  /// Sends what may go on a host, and on the one that a redirect may have led to.
  private mutating func finish(_ lane: String, announcing ids: [HostCallID], at now: Instant) -> [GateEffect]
  {
    pump(lane, announcing: ids, at: now)
    for id in ids {
      if let other = calls[id]?.lane, other != lane { pump(other, announcing: ids, at: now) }
    }
    return takeEffects()
  }

  private mutating func takeEffects() -> [GateEffect] {
    let result = effects
    effects = []
    return result
  }
}
