/// The next step of a call.
public enum Step: Sendable, Equatable {
  /// Make this attempt, and pass the reply to the gate.
  case send(HTTPRequest)
  /// Wait until that time.
  case wait(until: Instant)
  /// The call is finished, with this reply.
  case deliver(HostReply)
}

/// The effects of a gate, in order.
public enum GateEffect: Sendable, Equatable {
  /// The next step of a call.
  case step(HostCallID, Step)
  /// What happened, for traces.
  case note(GateNote)
}

/// What happened to a call, for traces and users.
public enum GateNote: Sendable, Equatable {
  /// A retry; attempts count from 2.
  case retrying(HostCallID, attempt: Int, at: Instant, reason: String)
  /// The host can't be reached or fails; its calls are retried for at most that long. Noted once, until it answers.
  case unavailable(host: String, reason: String, upTo: Duration)
  /// The host answers again.
  case available(host: String)
  /// The call continues at another address.
  case redirected(HostCallID, to: String, droppedCredentials: Bool)
  /// The host asked all callers to wait.
  case closed(host: String, until: Instant)
  /// Fewer concurrent attempts from now on.
  case narrowed(host: String, width: Int)
}

/// The conditions of one call.
public struct GateTerms: Sendable, Hashable {
  /// The retry rule.
  public var retry: RetryRule
  /// The rate limit; nil is none.
  public var rate: RateLimit?
  /// Who shares the rate limit; unnamed calls share it per host.
  public var source: String?

  public init(retry: RetryRule = RetryRule(), rate: RateLimit? = nil, source: String? = nil) {
    self.retry = retry
    self.rate = rate
    self.source = source
  }
}

/// At most `requests` requests in any period of length `per`.
public struct RateLimit: Sendable, Hashable {
  /// At least 1.
  public let requests: Int
  /// Greater than zero.
  public let per: Duration

  /// Both greater than zero; user input is validated before.
  public init(requests: Int, per: Duration = .seconds(1)) {
    precondition(requests > 0 && per > .zero, "\(requests) requests per \(per)")
    self.requests = requests
    self.per = per
  }
}
