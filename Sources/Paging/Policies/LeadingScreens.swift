/// Fetches when less than that many viewports remain: Texture's rule, the one that feeds have by default.
public struct LeadingScreens: FetchPolicy, Sendable {
  /// Nil is what the source says.
  public let screens: Double?

  public init(_ screens: Double? = nil) { self.screens = screens }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let decision = view.decision(leadingScreens: screens ?? view.leadingScreens)
    return Verdict(decision.shouldFetch, reason: decision.reason.explanation)
  }
}
