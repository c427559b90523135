/// Once its policy says yes, goes on until that many viewports remain.
public struct Hysteresis: FetchPolicy {
  private var policy: any FetchPolicy
  /// Where it stops, in viewports.
  public let screens: Double
  private var isFilling = PerSide(false)

  public init(_ policy: any FetchPolicy, until screens: Double) {
    self.policy = policy
    self.screens = screens
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdict = policy.shouldBatchFetch(view)
    if verdict.isYes {
      isFilling[view.direction] = true
      return verdict
    }
    let isFull = view.expectedRemaining >= screens * view.viewportLength
    if isFull { isFilling[view.direction] = false }
    guard isFilling[view.direction], !view.isFetching, !verdict.cancel else { return verdict }
    return Verdict(true, reason: "filling up")
  }
}
