extension RequestGate {
  /// When something can next be sent without a reply before; nil if never.
  public var nextWake: Instant? { wakes.next }

  /// Puts a call behind those that wait for its host.
  mutating func queue(_ id: HostCallID, _ call: GateCall) {
    calls[id] = call
    if let rate = call.terms.rate, let window = call.windowName {
      windows[window, default: RateWindow(rate)].limit = rate
    }
    lanes[call.lane, default: HostLane(width: Double(maxWidth))].admit(call.terms.width)
    lanes[call.lane]!.queue.append(id, in: call.line)
  }

  /// Sends what may be sent to one host; for the calls to announce, reports how long they wait.
  mutating func pump(_ name: String, announcing: [HostCallID], at now: Instant) {
    guard let place = lanes.index(forKey: name) else { return }
    refuseLongWaits(place, of: announcing, at: now)
    lanes.values[place].queue.release(at: now)
    while let id = nextDue(lanes.values[place], at: now) { send(id, from: place, at: now) }
    for id in announcing {
      guard let call = calls[id], call.lane == name, case .queued(let notBefore) = call.phase else {
        continue
      }
      let due = opening(of: call.windowName, at: max(notBefore, lanes.values[place].closedUntil))
      if due > now { effects.append(.step(id, .wait(until: due))) }
    }
    let lane = lanes.values[place]
    wakes.set(name, to: nextSend(lane))
    let isForgotten = lane.automatic == nil || lanes.count > Self.mostRemembered
    if isForgotten, lane.isIdle(at: now) { lanes.remove(at: place) }
  }

  /// Hosts that are remembered for the width that was found out for them.
  private static let mostRemembered = 256

  /// The first call that may be sent to the host now.
  private func nextDue(_ lane: HostLane, at now: Instant) -> HostCallID? {
    guard lane.closedUntil <= now else { return nil }
    return lane.queue.heads.first {
      lane.hasRoom(in: $0.line) && opening(of: $0.line.window, at: now) <= now
    }?.id
  }

  /// When something can next be sent to the host without a reply before; nil if never.
  func nextSend(_ lane: HostLane) -> Instant? {
    let heads = lane.queue.heads.filter { lane.hasRoom(in: $0.line) }
      .map { opening(of: $0.line.window, at: lane.closedUntil) }
    return (heads + (lane.queue.nextRelease.map { [max($0, lane.closedUntil)] } ?? [])).min()
  }

  /// When, from that time on, a rate limit lets a request through.
  private func opening(of window: String?, at time: Instant) -> Instant {
    window.flatMap { windows[$0] }?.opens(at: time) ?? time
  }

  /// Fails calls that would have to wait longer for the host than they may: the new ones, or, when the host has just asked to
  /// wait, all.
  private mutating func refuseLongWaits(_ place: Lanes.Index, of new: [HostCallID], at now: Instant) {
    let waiting = lanes.values[place].hasNewClosing ? lanes.values[place].queue.ids : new
    lanes.values[place].hasNewClosing = false
    let asked = lanes.values[place].closedUntil - now
    guard asked > .zero else { return }
    for id in waiting where lanes.values[place].queue.contains(id) && asked > calls[id]!.terms.retry.maxWait {
      lanes.values[place].queue.remove(id)
      calls[id] = nil
      deliver(id, .failed(.rateLimited(host: lanes.keys[place], wait: asked)))
    }
  }

  mutating func deliver(_ id: HostCallID, _ reply: HostReply) {
    effects.append(.step(id, .deliver(reply)))
  }

  private mutating func send(_ id: HostCallID, from place: Lanes.Index, at now: Instant) {
    lanes.values[place].queue.remove(id)
    sends += 1
    var call = calls[id]!
    call.attempt = lanes.values[place].begin(call, at: now)
    call.attempts += 1
    call.phase = .sent(sends)
    calls[id] = call
    if let window = call.windowName { windows[window]?.add(now) }
    effects.append(.step(id, .send(call.request)))
  }
}

extension HostFailure {
  static func rateLimited(host: String, wait: Duration, status: Int? = nil) -> HostFailure {
    HostFailure(
      .rateLimited, "\(host) asks to wait for \(Int(wait.inSeconds.rounded(.up))) s, longer than is allowed",
      isTransient: true, retryAfter: wait, status: status)
  }
}
