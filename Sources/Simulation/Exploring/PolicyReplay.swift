import Paging

extension FreshPolicy {
  /// The policy as it was after these moments, of which it decided in all: it is made anew and shown again what it was shown.
  func remade(after moments: ArraySlice<ExploredMoment>) -> any FetchPolicy {
    var policy = make()
    for moment in moments {
      for decision in moment.decisions where decision.verdict != .byHand {
        _ = policy.shouldBatchFetch(decision.view)
      }
    }
    return policy
  }
}

/// Says again what was said in a moment, in the same order.
struct SaidAgain: FetchPolicy {
  private var verdicts: ArraySlice<Verdict>

  init(_ moment: ExploredMoment) {
    verdicts = moment.decisions.map(\.verdict).filter { $0 != .byHand }[...]
  }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { verdicts.popFirst() ?? Verdict(false) }
}
