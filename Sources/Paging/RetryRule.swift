/// When to retry transient failures: exponential backoff with jitter, at most `count` times.
///
/// The defaults outlast a one-minute restart, and end within five minutes: their waits total 75 to 151 seconds, and
/// attempts that take long are cut off by `patience`.
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
  /// An HTTP request is not retried later than this after its first failure, or later than `maxWait` where the server
  /// asks for the wait; nil if only `count` limits it. A rate limit (429) is waited for however often it is met.
  ///
  /// Nil where a person or a script sets the retries, and in the lab, whose results it would change.
  public var patience: Duration?

  public init(
    count: Int = 10, base: Duration = .milliseconds(500), cap: Duration = .seconds(30),
    jitter: Jitter = .equal, maxWait: Duration = .seconds(300), patience: Duration? = .seconds(240)
  ) {
    self.count = count
    self.base = base
    self.cap = cap
    self.jitter = jitter
    self.maxWait = maxWait
    self.patience = patience
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

  /// Whether a retry after a first failure so long ago is still made.
  func mayRetry(after sinceFirst: Duration, retryAfter: Duration?) -> Bool {
    guard let patience else { return true }
    return sinceFirst <= (retryAfter == nil ? patience : max(patience, maxWait))
  }

  /// How long the retries after failed attempt number `attempt` (from 1) can take, each attempt taking `attemptTime`.
  func longest(afterAttempt attempt: Int, retryAfter: Duration?, attemptTime: Duration = .zero) -> Duration {
    let remaining = max(0, count - attempt + 1)
    let asked = retryAfter?.inSeconds ?? 0
    // Limits stop growing after so many doublings.
    let growing = min(remaining, max(0, 41 - attempt))
    let limits = (0..<growing).map { min(cap.inSeconds, base.inSeconds * Double(1 << (attempt - 1 + $0))) }
    let waits =
      limits.reduce(0) { $0 + max($1, asked) } + Double(remaining - growing) * max(cap.inSeconds, asked)
    var longest = waits + Double(remaining) * attemptTime.inSeconds
    if let patience {
      longest = min(longest, (retryAfter == nil ? patience : max(patience, maxWait)).inSeconds)
    }
    return .nanoseconds(Int64(min(longest, Limits.seconds) * 1e9))
  }
}
