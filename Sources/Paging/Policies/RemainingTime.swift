/// Fetches when the edge is less than that many seconds away at the present speed, or already in sight.
public struct RemainingTime: FetchPolicy, Sendable {
  /// How near in time triggers.
  public let seconds: Double

  public init(seconds: Double) { self.seconds = seconds }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.isFetching { return Verdict(false, reason: "a fetch is under way") }
    if view.isUnfilled { return Verdict(true, reason: "the edge is in sight") }
    guard view.isVisible, view.approach > 0 else {
      return Verdict(false, reason: "the edge does not come nearer")
    }
    let time = view.expectedRemaining / view.approach
    return time < seconds
      ? Verdict(true, reason: "the edge is near in time") : Verdict(false, reason: "the edge is far in time")
  }
}
