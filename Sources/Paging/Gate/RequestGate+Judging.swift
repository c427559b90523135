extension RequestGate {
  /// What a reply says about how many requests the host takes at once.
  func outcome(of reply: HostReply, at now: Instant) -> AutomaticWidth.Outcome {
    switch reply {
    case .response(let response):
      let advice = advice(of: response, at: now)
      if advice.isRateLimit || response.status == 503 { return .refused(wait: advice.wait) }
      return response.isFailing ? .withdrawn : .answered
    case .failed(let failure):
      return failure.isTransient && !failure.isStale && [.network, .timeout].contains(failure.code)
        ? .refused(wait: failure.retryAfter) : .withdrawn
    case .done, .bytes, .lines, .rows, .page, .handle, .count, .flag, .names, .text, .begun, .step:
      return .answered
    }
  }

  /// Counts the end of an attempt; a host that refuses is from now on asked for less at once.
  mutating func end(_ call: GateCall, _ outcome: AutomaticWidth.Outcome, at now: Instant) {
    let before = lanes[call.lane]?.automatic?.limit
    lanes[call.lane]?.end(call, outcome, at: now)
    if case .refused = outcome, let before, let limit = lanes[call.lane]?.automatic?.limit, limit < before {
      effects.append(.note(.narrowed(host: call.lane, width: limit)))
    }
  }

  private func advice(of response: HTTPResponse, at now: Instant) -> RetryAdvice {
    RetryAdvice(response, now: startedAt.map { $0 + now.seconds })
  }

  /// Delivers a reply, follows its redirect, or requeues the call for a retry.
  mutating func judge(
    _ id: HostCallID, _ call: GateCall, _ reply: HostReply, sendNumber: Int, at now: Instant
  ) {
    switch reply {
    case .response(let response):
      let advice = advice(of: response, at: now)
      if !response.isFailing, unavailable.remove(call.lane) != nil {
        effects.append(.note(.available(host: call.lane)))
      }
      if advice.isRateLimit {
        if !call.isAutomatic { narrow(call.lane, sendNumber: sendNumber) }
        backOff(id, call, response, advice, at: now)
      } else if call.shouldRetry(status: response.status) {
        if !retry(id, call, after: advice.wait, .status(response.status), at: now) { complete(id, reply) }
      } else if let target = response.redirectTarget {
        widen(call)
        redirect(id, call, response, to: target)
      } else {
        widen(call)
        complete(id, reply)
      }
    case .failed(let failure) where failure.isStale && call.isIdempotent && !call.isResent:
      resend(id, call, .failure(failure), at: now)
    case .failed(let failure):
      let mayRetry =
        (call.isIdempotent || failure.isUnsent) && failure.isTransient
        && [.network, .timeout].contains(failure.code)
      if !mayRetry || !retry(id, call, after: failure.retryAfter, .failure(failure), at: now) {
        complete(id, reply)
      }
    case .done, .bytes, .lines, .rows, .page, .handle, .count, .flag, .names, .text, .begun, .step:
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
    guard mayRetry, retry(id, call, after: advice.wait, .status(response.status), at: now) else {
      complete(id, .response(response))
      return
    }
    if case .queued(let notBefore) = calls[id]?.phase { close(call.lane, until: notBefore) }
  }

  /// Requeues a call ahead of the others; false if it has no attempts or no time left.
  private mutating func retry(
    _ id: HostCallID, _ call: GateCall, after asked: Duration?, _ reason: RetryReason, at now: Instant
  ) -> Bool {
    let rule = call.terms.retry
    let failedAt = call.failedAt ?? now
    guard let delay = rule.delay(afterAttempt: call.countedAttempts, retryAfter: asked, random: &random),
      reason.isRateLimit || rule.mayRetry(after: now + delay - failedAt, retryAfter: asked)
    else { return false }
    calls[id]?.phase = .queued(notBefore: now + delay)
    calls[id]?.failedAt = failedAt
    lanes[call.lane]?.queue.prepend(id, in: call.line, notBefore: now + delay)
    noteUnavailable(call, asked, reason, for: now - failedAt)
    effects.append(
      .note(.retrying(id, attempt: call.attempts + 1, at: now + delay, reason: reason.text)))
    return true
  }

  /// Requeues a call ahead of the others, once, whatever its rule: it was sent on a connection that was none any more.
  private mutating func resend(_ id: HostCallID, _ call: GateCall, _ reason: RetryReason, at now: Instant) {
    calls[id]?.phase = .queued(notBefore: now)
    calls[id]?.isResent = true
    lanes[call.lane]?.queue.prepend(id, in: call.line, notBefore: now)
    effects.append(.note(.retrying(id, attempt: call.attempts + 1, at: now, reason: reason.text)))
  }

  /// Notes a host that can't be reached, or whose failure a retry met again.
  private mutating func noteUnavailable(
    _ call: GateCall, _ asked: Duration?, _ reason: RetryReason, for elapsed: Duration
  ) {
    let attempt = call.countedAttempts
    let isMetAgain = reason.isUnsent || attempt > 1
    guard !reason.isRateLimit, isMetAgain, !unavailable.contains(call.lane) else { return }
    unavailable.insert(call.lane)
    let rule = call.terms.retry
    let attemptTime = reason.isTimeout ? call.request.timeout : .zero
    var longest = rule.longest(afterAttempt: attempt, retryAfter: asked, attemptTime: attemptTime)
    if let patience = rule.patience, asked == nil { longest = min(longest, patience - elapsed) }
    effects.append(.note(.unavailable(host: call.lane, reason: reason.sentence(call.lane), upTo: longest)))
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
    call.isResent = false
    call.failedAt = nil
    call.phase = .queued(notBefore: .zero)
    queue(id, call)
    effects.append(
      .note(
        .redirected(
          id, to: call.lane, droppedCredentials: redirect.droppedCredentials,
          droppedBody: redirect.droppedBody)))
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
  private mutating func widen(_ call: GateCall) {
    guard !call.isAutomatic, let lane = lanes[call.lane] else { return }
    lanes[call.lane]?.width = min(lane.ceiling, lane.width + 1 / lane.width)
  }
}

extension GateCall {
  /// Whether a retry after this status may succeed and does nothing twice.
  func shouldRetry(status: Int) -> Bool { isIdempotent && (status == 408 || 500...599 ~= status) }
}

extension HTTPResponse {
  /// Whether the server failed, not the request.
  var isFailing: Bool { status == 408 || 500...599 ~= status }
}

/// Why a call is retried.
enum RetryReason {
  case status(Int)
  case failure(HostFailure)

  /// For traces and logs.
  var text: String {
    switch self {
    case .status(let status): "status \(status)"
    case .failure(let failure): failure.message
    }
  }

  var isRateLimit: Bool { if case .status(429) = self { true } else { false } }

  var isUnsent: Bool { if case .failure(let failure) = self { failure.isUnsent } else { false } }

  var isTimeout: Bool { if case .failure(let failure) = self { failure.code == .timeout } else { false } }

  /// What a person is told; it names the host.
  func sentence(_ host: String) -> String {
    switch self {
    case .status(let status): return "the server \(host) answers with status \(status)"
    case .failure(let failure):
      if failure.message.hasPrefix("could not connect to \(host)"),
        failure.message.hasSuffix("(connection refused)")
      {
        return "the server \(host) refuses connections"
      }
      return failure.message.contains(host) ? failure.message : "the server \(host) fails: \(failure.message)"
    }
  }
}
