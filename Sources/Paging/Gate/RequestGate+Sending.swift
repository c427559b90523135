extension RequestGate {
  /// When something can next be sent without a reply before; nil if never.
  public var nextWake: Instant? {
    lanes.values.lazy.filter { $0.hasRoom }.flatMap { lane in lane.queue.map { self.due($0, lane) } }.min()
  }

  /// Sends what may be sent to one host; for the calls to announce, reports how long they wait.
  mutating func pump(_ name: String, announcing: [HostCallID], at now: Instant) {
    guard let lane = lanes[name] else { return }
    for id in lane.queue {
      guard let call = calls[id] else { continue }
      let asked = lanes[name]!.closedUntil - now
      if asked > call.terms.retry.maxWait {
        remove(id, from: name)
        calls[id] = nil
        deliver(id, .failed(.rateLimited(host: name, wait: asked)))
        continue
      }
      let due = due(id, lanes[name]!)
      if due <= now, lanes[name]!.hasRoom {
        send(id, from: name, at: now)
      } else if due > now, announcing.contains(id) {
        effects.append(.step(id, .wait(until: due)))
      }
    }
    if let lane = lanes[name], lane.queue.isEmpty, lane.inFlight == 0, lane.closedUntil <= now,
      lane.width >= Double(maxWidth)
    {
      lanes[name] = nil
    }
  }

  mutating func deliver(_ id: HostCallID, _ reply: HostReply) {
    effects.append(.step(id, .deliver(reply)))
  }

  private mutating func send(_ id: HostCallID, from name: String, at now: Instant) {
    remove(id, from: name)
    lanes[name]?.inFlight += 1
    sends += 1
    calls[id]!.attempts += 1
    calls[id]!.phase = .sent(sends)
    if calls[id]!.terms.rate != nil { windows[calls[id]!.windowName]?.add(now) }
    effects.append(.step(id, .send(calls[id]!.request)))
  }

  private mutating func remove(_ id: HostCallID, from name: String) {
    lanes[name]?.queue.removeAll { $0 == id }
  }

  /// When a queued call may be sent, ignoring room.
  private func due(_ id: HostCallID, _ lane: HostLane) -> Instant {
    guard let call = calls[id], case .queued(let notBefore) = call.phase else { return lane.closedUntil }
    let earliest = max(notBefore, lane.closedUntil)
    guard call.terms.rate != nil, let window = windows[call.windowName] else { return earliest }
    return window.opens(at: earliest)
  }
}

extension HostFailure {
  static func rateLimited(host: String, wait: Duration, status: Int? = nil) -> HostFailure {
    HostFailure(
      .rateLimited, "\(host) asks to wait for \(Int(wait.inSeconds.rounded(.up))) s, longer than is allowed",
      isTransient: true, retryAfter: wait, status: status)
  }
}
