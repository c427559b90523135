/// Says what its policy says, at most that often per second and side; at least once in the longest time that there is.
public struct AtMost: FetchPolicy {
  private var policy: any FetchPolicy
  /// Yeses per second.
  public let rate: Double
  private let interval: Duration
  private var next = PerSide(Instant.zero)

  public init(_ policy: any FetchPolicy, rate: Double) {
    self.policy = policy
    self.rate = rate
    // A rate may be so small that its inverse is infinite.
    let seconds = rate > 0 ? min(1 / rate, Limits.seconds) : Limits.seconds
    interval = .nanoseconds(Int64((seconds * 1e9).rounded(.up)))
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    var verdict = policy.shouldBatchFetch(view)
    guard verdict.isYes, !view.isFetching else { return verdict }
    let opens = next[view.direction]
    guard view.now >= opens else {
      return Verdict(wait: opens - view.now, reason: "at most \(rate) per second")
    }
    verdict.fetch = 1
    next[view.direction] = view.now + interval
    return verdict
  }
}
