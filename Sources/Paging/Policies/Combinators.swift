/// Fetches if any of its members would, as many pages as the most eager one; where none would, it is asked again when the first of
/// them wants to be.
public struct AnyOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    if let cancelling = verdicts.first(where: \.cancel) {
      wasHeldBack()
      return cancelling
    }
    let most = verdicts.max { $0.fetch < $1.fetch } ?? Verdict(false, reason: "no members")
    guard !most.isYes else { return most }
    return verdicts.filter { $0.wait != nil }.min { $0.wait ?? .zero < $1.wait ?? .zero } ?? most
  }

  public mutating func wasHeldBack() { members.indices.forEach { members[$0].wasHeldBack() } }
}

/// Fetches if all of its members would, as few pages as the most modest one.
public struct AllOf: FetchPolicy {
  private var members: [any FetchPolicy]

  public init(_ members: [any FetchPolicy]) { self.members = members }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let verdicts = askAll(&members, view)
    let least = verdicts.first(where: \.cancel) ?? verdicts.min { $0.fetch < $1.fetch }
    if least?.isYes != true { wasHeldBack() }
    return least ?? Verdict(false, reason: "no members")
  }

  public mutating func wasHeldBack() { members.indices.forEach { members[$0].wasHeldBack() } }
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
    // What blocks never fetches.
    if block.isYes { blocker.wasHeldBack() }
    guard verdict.isYes, block.isYes else { return verdict }
    wasHeldBack()
    return Verdict(false, reason: "held back: \(block.reason)")
  }

  public mutating func wasHeldBack() { policy.wasHeldBack() }
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

  public mutating func wasHeldBack() { policy.wasHeldBack() }
}

/// Follows its policy, with a limit of fetches per second and side; at least one in the longest possible time.
public struct AtMost: FetchPolicy {
  private var policy: any FetchPolicy
  /// Maximum fetches per second.
  public let rate: Double
  private let interval: Duration
  private var next = PerSide(Instant.zero)
  /// Where the last answer was a yes: its side, and what held for it before.
  private var last: (side: Direction, next: Instant)?

  public init(_ policy: any FetchPolicy, rate: Double) {
    self.policy = policy
    self.rate = rate
    // The inverse of a tiny rate can be infinite.
    let seconds = rate > 0 ? min(1 / rate, Limits.seconds) : Limits.seconds
    interval = .nanoseconds(Int64((seconds * 1e9).rounded(.up)))
  }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    var verdict = policy.shouldBatchFetch(view)
    last = nil
    guard verdict.isYes, !view.isFull else { return verdict }
    let opens = next[view.direction]
    guard view.now >= opens else {
      return Verdict(wait: opens - view.now, reason: "at most \(rate) per second")
    }
    verdict.fetch = 1
    last = (view.direction, opens)
    next[view.direction] = view.now + interval
    return verdict
  }

  /// What was not fetched does not count.
  public mutating func wasHeldBack() {
    if let (side, before) = last.take() { next[side] = before }
    policy.wasHeldBack()
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
