extension RequestGate {
  /// Delivers a reply, follows its redirect, or requeues the call for a retry.
  mutating func judge(
    _ id: HostCallID, _ call: GateCall, _ reply: HostReply, sendNumber: Int, at now: Instant
  ) {
    switch reply {
    case .response(let response):
      let advice = RetryAdvice(response, now: startedAt.map { $0 + now.seconds })
      if advice.isRateLimit {
        narrow(call.lane, sendNumber: sendNumber)
        backOff(id, call, response, advice, at: now)
      } else if call.shouldRetry(status: response.status) {
        if !retry(id, call, after: advice.wait, "status \(response.status)", at: now) { complete(id, reply) }
      } else if let target = response.redirectTarget {
        widen(call.lane)
        redirect(id, call, response, to: target)
      } else {
        widen(call.lane)
        complete(id, reply)
      }
    case .failed(let failure):
      let mayRetry =
        (call.isIdempotent || failure.isUnsent) && failure.isTransient
        && [.network, .timeout].contains(failure.code)
      if !mayRetry || !retry(id, call, after: failure.retryAfter, failure.message, at: now) {
        complete(id, reply)
      }
    case .done, .bytes, .lines, .rows, .handle, .count, .flag, .names, .text:
      complete(id, reply)
    }
  }

  /// The host asked to wait: nothing is sent to it before that time.
  private mutating func backOff(
    _ id: HostCallID, _ call: GateCall, _ response: HTTPResponse, _ advice: RetryAdvice, at now: Instant
  ) {
    if let wait = advice.wait { close(call.lane, until: now + wait) }
    if let wait = advice.wait, wait > call.terms.retry.maxWait {
      complete(id, .failed(.rateLimited(host: call.lane, wait: wait, status: response.status)))
      return
    }
    let mayRetry = response.status < 500 || call.isIdempotent
    guard mayRetry, retry(id, call, after: advice.wait, "status \(response.status)", at: now) else {
      complete(id, .response(response))
      return
    }
    if case .queued(let notBefore) = calls[id]?.phase { close(call.lane, until: notBefore) }
  }

  /// Requeues a call ahead of the others; false if it has no attempts left.
  private mutating func retry(
    _ id: HostCallID, _ call: GateCall, after asked: Duration?, _ reason: String, at now: Instant
  ) -> Bool {
    let delay = call.terms.retry.delay(afterAttempt: call.attempts, retryAfter: asked, random: &random)
    guard let delay else { return false }
    calls[id]?.phase = .queued(notBefore: now + delay)
    lanes[call.lane]?.queue.insert(id, at: 0)
    effects.append(
      .note(.retrying(id, attempt: call.attempts + 1, at: now + delay, reason: reason)))
    return true
  }

  private mutating func redirect(
    _ id: HostCallID, _ call: GateCall, _ response: HTTPResponse, to target: String
  ) {
    guard call.redirects < 10 else {
      let message = "more than 10 redirects, the last one from \(call.lane)"
      complete(id, .failed(HostFailure(.http, message, status: response.status)))
      return
    }
    let redirect = Redirect(of: call.request, to: target, status: response.status)
    guard !redirect.carriesBodyAway else {
      let message =
        "\(call.lane) redirects the body of a \(call.request.method) to \(laneName(of: target)): "
        + "send it there, if it is meant for that host"
      complete(id, .failed(HostFailure(.http, message, status: response.status)))
      return
    }
    var call = call
    call.request = redirect.request
    call.lane = laneName(of: target)
    call.redirects += 1
    call.attempts = 0
    call.phase = .queued(notBefore: .zero)
    calls[id] = call
    if let rate = call.terms.rate { windows[call.windowName, default: RateWindow(rate)].limit = rate }
    lanes[call.lane, default: HostLane(width: Double(maxWidth))].queue.append(id)
    effects.append(
      .note(.redirected(id, to: call.lane, droppedCredentials: redirect.droppedCredentials)))
  }

  private mutating func complete(_ id: HostCallID, _ reply: HostReply) {
    calls[id] = nil
    deliver(id, reply)
  }

  private mutating func close(_ name: String, until time: Instant) {
    guard let lane = lanes[name], lane.closedUntil < time else { return }
    lanes[name]?.closedUntil = time
    effects.append(.note(.closed(host: name, until: time)))
  }

  /// Halves the width, once for everything sent before.
  private mutating func narrow(_ name: String, sendNumber: Int) {
    guard let lane = lanes[name], sendNumber > lane.narrowedAt else { return }
    let width = max(1, (min(lane.width, Double(lane.inFlight + 1)) / 2).rounded(.down))
    lanes[name]?.narrowedAt = sends
    lanes[name]?.width = width
    effects.append(.note(.narrowed(host: name, width: Int(width))))
  }

  /// Widens by one for each full width of successful answers.
  private mutating func widen(_ name: String) {
    guard let lane = lanes[name] else { return }
    lanes[name]?.width = min(Double(maxWidth), lane.width + 1 / lane.width)
  }
}

extension GateCall {
  /// Whether a retry after this status may succeed and does nothing twice.
  func shouldRetry(status: Int) -> Bool { isIdempotent && (status == 408 || 500...599 ~= status) }
}
