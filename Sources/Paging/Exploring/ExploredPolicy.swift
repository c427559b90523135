/// A policy that can go back in time.
///
/// It is made anew and shown again what it was shown until then. So it does not matter whether what it remembers is part of
/// its value, as in a built-in one, or is shared, as in the tables of a script.
public struct ExploredPolicy {
  /// As people call it.
  public let name: String
  let make: () -> any FetchPolicy

  /// A policy that is a value.
  public init(_ name: String, _ policy: any FetchPolicy) {
    self.name = name
    make = { policy }
  }

  /// A policy that may share what it remembers with its copies; `make` gives one that remembers nothing.
  public init(_ name: String, making make: @escaping () -> any FetchPolicy) {
    self.name = name
    self.make = make
  }

  /// The policy as it was after these moments, of which it decided in all.
  func remade(after moments: ArraySlice<ExploredMoment>) -> any FetchPolicy {
    var policy = make()
    for moment in moments {
      for decision in moment.decisions where decision.verdict.reason != OnePage.reason {
        _ = policy.shouldBatchFetch(decision.view)
      }
    }
    return policy
  }
}

/// Says again what was said in a moment, in the same order.
struct SaidAgain: FetchPolicy {
  private var verdicts: ArraySlice<Verdict>

  init(_ moment: ExploredMoment) { verdicts = moment.decisions.map(\.verdict)[...] }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { verdicts.popFirst() ?? Verdict(false) }
}

/// Asks for one page on one side, whatever the policy in its place thinks, and leaves everything else to that.
struct OnePage: FetchPolicy {
  static let reason = "asked for by hand"
  let side: Direction
  var policy: any FetchPolicy
  private var isSpent = false

  init(_ side: Direction, before policy: any FetchPolicy) {
    self.side = side
    self.policy = policy
  }

  mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    guard !isSpent, view.direction == side, view.freeSlots > 0 else { return policy.shouldBatchFetch(view) }
    isSpent = true
    return Verdict(true, reason: Self.reason)
  }
}
