/// Seconds from a request to the first byte of its answer.
public enum Latency: Sendable, Hashable {
  /// Drawn for every page and attempt; the same for every policy.
  case drawn(Distribution)
  /// As logged at the time of the request.
  case logged(ConditionLog)

  var summary: String {
    switch self {
    case .drawn(let distribution): distribution.summary
    case .logged(let log): "from a log of \(log.rows.count) rows"
    }
  }
}

/// How fast bytes come, for all requests together.
public enum Bandwidth: Sendable, Hashable {
  /// Answers cost no time but their latency.
  case unlimited
  /// In bytes per second.
  case constant(Double)
  /// As logged.
  case logged(ConditionLog)
  /// As many bytes as a packet has at each moment of a list.
  case slots(SlotTrace)
}

/// How many requests a server takes in a period; more are refused with 429 and `Retry-After`.
public struct RateLimit: Sendable, Hashable {
  /// Requests in any one period.
  public let requests: Int
  /// Its length in seconds.
  public let seconds: Double

  public init(requests: Int, seconds: Double) {
    self.requests = requests
    self.seconds = seconds
  }
}
