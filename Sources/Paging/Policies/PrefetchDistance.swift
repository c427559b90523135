/// Fetches when fewer than that many items remain, those on their way counted: the rule of Jetpack's Paging
/// 3.
public struct PrefetchDistance: FetchPolicy, Sendable {
  /// How near in items triggers.
  public let items: Int

  public init(_ items: Int) { self.items = items }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let decision = view.decision(distance: items)
    return Verdict(decision.shouldFetch, reason: decision.reason.explanation)
  }
}
