/// Fetches if any of its members would, as many pages as the most eager one.
public struct AnyOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    if let cancelling = verdicts.first(where: \.cancel) { return cancelling }
    return verdicts.max { $0.fetch < $1.fetch } ?? Verdict(false, reason: "no members")
  }
}

/// Fetches if all of its members would, as few pages as the most modest one.
public struct AllOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    if let cancelling = verdicts.first(where: \.cancel) { return cancelling }
    return verdicts.min { $0.fetch < $1.fetch } ?? Verdict(false, reason: "no members")
  }
}

/// Every member sees every view, so that stateful ones miss none.
private func askAll(_ members: inout [any FetchPolicy], _ view: PolicyView) -> [Verdict] {
  members.indices.map { members[$0].shouldBatchFetch(view) }
}

/// Follows one policy, except while the other would fetch.
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

/// Once its policy says yes, continues until this many viewports remain.
public struct Hysteresis: FetchPolicy {
  private var policy: any FetchPolicy
  /// Where it stops, in viewports.
  public let screens: Double
  private var isFilling = PerSide(false)

  public init(_ policy: any FetchPolicy, until screens: Double) {
    self.policy = policy
    self.screens = screens
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdict = policy.shouldBatchFetch(view)
    if verdict.isYes {
      isFilling[view.direction] = true
      return verdict
    }
    let isFull = view.expectedRemaining >= screens * view.viewportLength
    if isFull { isFilling[view.direction] = false }
    guard isFilling[view.direction], !view.isFull, !verdict.cancel else { return verdict }
    return Verdict(true, reason: "filling up")
  }
}

/// Follows its policy, with a limit of fetches per second and side; at least one in the longest possible time.
public struct AtMost: FetchPolicy {
  private var policy: any FetchPolicy
  /// Maximum fetches per second.
  public let rate: Double
  private let interval: Duration
  private var next = PerSide(Instant.zero)

  public init(_ policy: any FetchPolicy, rate: Double) {
    self.policy = policy
    self.rate = rate
    // The inverse of a tiny rate can be infinite.
    let seconds = rate > 0 ? min(1 / rate, Limits.seconds) : Limits.seconds
    interval = .nanoseconds(Int64((seconds * 1e9).rounded(.up)))
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    var verdict = policy.shouldBatchFetch(view)
    guard verdict.isYes, !view.isFull else { return verdict }
    let opens = next[view.direction]
    guard view.now >= opens else {
      return Verdict(wait: opens - view.now, reason: "at most \(rate) per second")
    }
    verdict.fetch = 1
    next[view.direction] = view.now + interval
    return verdict
  }
}

/// A value for each side of an item set.
struct PerSide<Value: Sendable>: Sendable {
  private var append: Value
  private var prepend: Value

  init(_ value: Value) {
    append = value
    prepend = value
  }

  subscript(direction: Direction) -> Value {
    get { direction == .prepend ? prepend : append }
    set { if direction == .prepend { prepend = newValue } else { append = newValue } }
  }
}
