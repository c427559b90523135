/// Fetches whatever there is, as fast as it may.
public struct Everything: FetchPolicy, Sendable {
  public init() {}

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    Verdict(fetch: max(0, view.freeSlots), reason: "everything")
  }
}
