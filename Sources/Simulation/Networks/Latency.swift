/// Seconds from a request to the first byte of its response.
public enum Latency: Sendable, Hashable {
  /// Drawn for every page and attempt; the same for every policy.
  case drawn(Distribution)
  /// As logged at the time of the request.
  case logged(ConditionLog)
  /// As recorded page by page, by `browse --record`; `usual` for other pages.
  case recorded([Int: Double], usual: Double)

  /// As it was while a trace was recorded: pages that were not fetched take as long as the median.
  init(_ reading: RecordedReading) {
    let sorted = reading.latencies.values.sorted()
    self = .recorded(reading.latencies, usual: sorted.isEmpty ? 0 : sorted[sorted.count / 2])
  }

  var summary: String {
    switch self {
    case .drawn(let distribution): distribution.summary
    case .logged(let log): "from a log of \(log.rows.count) rows"
    case .recorded(let pages, _): "recorded for \(pages.count) pages"
    }
  }
}

/// The rate of received bytes, shared by all requests.
public enum Bandwidth: Sendable, Hashable {
  /// No transfer time.
  case unlimited
  /// In bytes per second.
  case constant(Double)
  /// As logged.
  case logged(ConditionLog)
  /// One packet at each listed time.
  case slots(SlotTrace)
}

/// The number of requests a server accepts in a period; more get 429 and `Retry-After`.
public struct ServerLimit: Sendable, Hashable {
  /// Requests per period.
  public let requests: Int
  /// Its length in seconds.
  public let seconds: Double

  public init(requests: Int, seconds: Double) {
    self.requests = requests
    self.seconds = seconds
  }
}
