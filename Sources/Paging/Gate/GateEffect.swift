/// What is to become of one call.
public enum Step: Sendable, Equatable {
  /// Make this attempt, and give the gate its reply.
  case send(HTTPRequest)
  /// Nothing before that time.
  case wait(until: Instant)
  /// The call is over, with this reply.
  case deliver(HostReply)
}

/// What a gate says, in order.
public enum GateEffect: Sendable, Equatable {
  /// What to do about a call.
  case step(HostCallID, Step)
  /// What happened, for traces.
  case note(GateNote)
}

/// What happened on the way of a call, for traces and people.
public enum GateNote: Sendable, Equatable {
  /// The next attempt, from 2 on.
  case retrying(HostCallID, attempt: Int, at: Instant, reason: String)
  /// The call goes on at another address.
  case redirected(HostCallID, to: String, droppedCredentials: Bool)
  /// The host asked everybody to wait.
  case closed(host: String, until: Instant)
  /// Fewer attempts at once from now on.
  case narrowed(host: String, width: Int)
}

/// The conditions of one call.
public struct GateTerms: Sendable, Hashable {
  /// When to try again.
  public var retry: RetryRule
  /// How often calls may be sent; nil is no limit.
  public var rate: RateLimit?
  /// Who shares the rate limit; calls without a name share it per host.
  public var source: String?

  public init(retry: RetryRule = RetryRule(), rate: RateLimit? = nil, source: String? = nil) {
    self.retry = retry
    self.rate = rate
    self.source = source
  }
}

/// So many requests in any span of that length.
public struct RateLimit: Sendable, Hashable {
  /// At least 1.
  public let requests: Int
  /// More than nothing.
  public let per: Duration

  /// Both more than zero: what comes from people is checked before.
  public init(requests: Int, per: Duration = .seconds(1)) {
    precondition(requests > 0 && per > .zero, "\(requests) requests per \(per)")
    self.requests = requests
    self.per = per
  }
}
