/// Says what the built-in rule says, with the trigger that the source was declared with.
public struct Hinted: FetchPolicy, Sendable {
  public init() {}

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    Verdict(view.hint, reason: view.hintReason.explanation)
  }
}
