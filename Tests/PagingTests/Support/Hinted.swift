import Paging

/// Follows the built-in rule, with the trigger that the source declares.
struct Hinted: FetchPolicy, Sendable {
  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    Verdict(view.hint, reason: view.hintReason.explanation)
  }
}
