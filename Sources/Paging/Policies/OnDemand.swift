/// Fetches only what the reader already waits for.
public struct OnDemand: FetchPolicy, Sendable {
  public init() {}

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.isFetching { return Verdict(false, reason: "a fetch is under way") }
    return view.isUnfilled
      ? Verdict(true, reason: "the edge is in sight") : Verdict(false, reason: "the edge is not in sight")
  }
}

extension PolicyView {
  /// Whether the viewport reaches the edge, with everything on its way counted. Before the first item only looks count,
  /// and who just stands at it is not waiting for anything.
  var isUnfilled: Bool {
    if direction == .prepend {
      let distance = firstVisible + expectedItems
      return isVisible && (distance < 0 || distance == 0 && approach > 0)
    }
    return lastVisible >= expectedCount - 1 || Double(expectedCount) < viewportLength
  }
}
