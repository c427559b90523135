/// The conditions of one call.
public struct GateTerms: Sendable, Hashable {
  /// The retry rule.
  public var retry: RetryRule
  /// The rate limit; nil is none.
  public var rate: RateLimit?
  /// Who shares the rate limit; unnamed calls share it per host.
  public var source: String?
  /// How many like it may be in flight to one host; nil is the gate's own maximum.
  public var width: Width?

  public init(
    retry: RetryRule = RetryRule(), rate: RateLimit? = nil, source: String? = nil, width: Width? = nil
  ) {
    self.retry = retry
    self.rate = rate
    self.source = source
    self.width = width
  }
}

/// How many pages of a source are fetched at once.
public enum Width: Sendable, Hashable {
  /// As many as a person or a script has said.
  case pages(Int)
  /// As many as the host takes, which the gate finds out from its answers and their latency (`AutomaticWidth`).
  case automatic
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

  /// The time from a request to the one that so many later may follow. It is a little longer than the period: what leaves in time may
  /// arrive late, and what leaves after it may not.
  var spacing: Duration { per + min(max(per / 100, .milliseconds(5)), per / 10, .milliseconds(50)) }

  /// What each of so many programs may send that share the limit: together never more in any period, as long as each may send
  /// one; beyond, one each in a longer period.
  public func shared(by count: Int) -> RateLimit {
    guard requests < count else { return RateLimit(requests: requests / max(1, count), per: per) }
    return RateLimit(
      requests: 1, per: Duration(limitedSeconds: per.inSeconds * Double(count) / Double(requests)))
  }
}
