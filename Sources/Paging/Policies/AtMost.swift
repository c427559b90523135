/// Says what its policy says, at most that often per second and side.
public struct AtMost: FetchPolicy {
  private var policy: any FetchPolicy
  /// Yeses per second.
  public let rate: Double
  private var next = PerSide(Instant.zero)

  public init(_ policy: any FetchPolicy, rate: Double) {
    self.policy = policy
    self.rate = rate
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    var verdict = policy.shouldBatchFetch(view)
    guard verdict.isYes, !view.isFetching else { return verdict }
    let opens = next[view.direction]
    guard view.now >= opens else {
      return Verdict(wait: opens - view.now, reason: "at most \(rate) per second")
    }
    verdict.fetch = 1
    next[view.direction] = view.now + .nanoseconds(Int64((1e9 / rate).rounded(.up)))
    return verdict
  }
}
