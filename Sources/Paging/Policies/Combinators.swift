/// Says yes when any of its members does; asks for as many pages as the greediest.
public struct AnyOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    if let cancelling = verdicts.first(where: \.cancel) { return cancelling }
    return verdicts.max { $0.fetch < $1.fetch } ?? Verdict(false, reason: "no members")
  }
}

/// Says yes when all of its members do; asks for as few pages as the most modest.
public struct AllOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    if let cancelling = verdicts.first(where: \.cancel) { return cancelling }
    return verdicts.min { $0.fetch < $1.fetch } ?? Verdict(false, reason: "no members")
  }
}

/// Every member sees every view, so that those with a memory do not miss one.
private func askAll(_ members: inout [any FetchPolicy], _ view: PolicyView) -> [Verdict] {
  members.indices.map { members[$0].shouldBatchFetch(view) }
}

/// Says what one policy says, but never yes while the other does.
public struct NotWhile: FetchPolicy {
  private var policy: any FetchPolicy
  private var blocker: any FetchPolicy

  public init(_ policy: any FetchPolicy, blocker: any FetchPolicy) {
    self.policy = policy
    self.blocker = blocker
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdict = policy.shouldBatchFetch(view)
    let block = blocker.shouldBatchFetch(view)
    return verdict.isYes && block.isYes ? Verdict(false, reason: "held back: \(block.reason)") : verdict
  }
}
