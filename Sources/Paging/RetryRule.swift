/// When to try again what failed in passing: exponential, with jitter, and no more than `count` times.
///
/// The defaults outlast a restart of a minute: their waits come to 75 to 151 seconds.
public struct RetryRule: Sendable, Hashable {
  /// How the wait is spread below its exponential limit.
  public enum Jitter: String, Sendable, CaseIterable {
    /// Anything from half of the limit to the limit.
    case equal
    /// Anything from nothing to the limit.
    case full
    /// The limit itself.
    case none
  }

  /// Retries after the first attempt.
  public var count: Int
  /// The first limit; it doubles each time.
  public var base: Duration
  /// No limit grows beyond it.
  public var cap: Duration
  /// How waits are spread.
  public var jitter: Jitter
  /// When the other side asks for more than this, there is no retry.
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

  /// How long to wait after failed attempt number `attempt` (from 1), or nil when that was the last one.
  ///
  /// What the other side asked for is the least there is, and is not shortened by `cap`.
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
