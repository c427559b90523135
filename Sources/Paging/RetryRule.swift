/// When to retry transient failures: exponential backoff with jitter, at most `count` times.
///
/// The defaults outlast a one-minute restart: their waits total 75 to 151 seconds.
///
/// ```swift
/// let wait = RetryRule(count: 3).delay(afterAttempt: 1, random: &random)
/// ```
public struct RetryRule: Sendable, Hashable {
  /// How the wait is spread below its exponential limit.
  public enum Jitter: String, Sendable, CaseIterable {
    /// Between half of the limit and the limit.
    case equal
    /// Between zero and the limit.
    case full
    /// The limit itself.
    case none
  }

  /// Retries after the first attempt.
  public var count: Int
  /// The first limit; doubled each time.
  public var base: Duration
  /// Maximum limit.
  public var cap: Duration
  /// How waits are spread.
  public var jitter: Jitter
  /// There is no retry if the server asks for a longer wait than this.
  public var maxWait: Duration

  public init(
    count: Int = 10, base: Duration = .milliseconds(500), cap: Duration = .seconds(30),
    jitter: Jitter = .equal, maxWait: Duration = .seconds(300)
  ) {
    self.count = count
    self.base = base
    self.cap = cap
    self.jitter = jitter
    self.maxWait = maxWait
  }

  /// No retries.
  public static let never = RetryRule(count: 0)

  /// How long to wait after failed attempt number `attempt` (from 1), or nil if it was the last.
  ///
  /// The wait the server asked for is the minimum, and is not shortened by `cap`.
  public func delay(
    afterAttempt attempt: Int, retryAfter: Duration? = nil, random: inout RandomStream
  ) -> Duration? {
    guard attempt <= count else { return nil }
    if let retryAfter, retryAfter > maxWait { return nil }
    let doublings = min(max(0, attempt - 1), 40)
    let limit = min(cap.inSeconds, base.inSeconds * Double(1 << doublings))
    let seconds =
      switch jitter {
      case .equal: (1 + random.unit()) / 2 * limit
      case .full: random.unit() * limit
      case .none: limit
      }
    return max(.nanoseconds(Int64(min(max(0, seconds), Limits.seconds) * 1e9)), retryAfter ?? .zero)
  }
}
