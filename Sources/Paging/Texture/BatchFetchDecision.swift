/// The result of Texture's batch fetching rule, and the part that decided it.
public struct BatchFetchDecision: Sendable, Hashable {
  /// The result.
  public let shouldFetch: Bool
  /// The deciding part of the rule.
  public let reason: BatchFetchReason

  public init(_ shouldFetch: Bool, _ reason: BatchFetchReason) {
    self.shouldFetch = shouldFetch
    self.reason = reason
  }
}

/// Which of Texture's rules decided (Texture 1.2, in that order).
public enum BatchFetchReason: String, Sendable, Hashable, CaseIterable {
  case alreadyFetching
  case noLeadingScreens
  case emptyBounds
  case smallContent
  case invisible
  case towardsHead
  case withinTrigger
  case beyondTrigger
  case delegateYes
  case delegateNo

  /// The rule's number in Texture.
  public var rule: Int {
    switch self {
    case .alreadyFetching: 1
    case .noLeadingScreens, .emptyBounds: 2
    case .smallContent: 4
    case .invisible: 5
    case .towardsHead: 6
    case .withinTrigger, .beyondTrigger: 7
    case .delegateYes, .delegateNo: 8
    }
  }

  /// In words.
  public var explanation: String {
    switch self {
    case .alreadyFetching: "a fetch is in flight"
    case .noLeadingScreens: "the leading screens are not above zero"
    case .emptyBounds: "the viewport is empty"
    case .smallContent: "the content is shorter than the viewport"
    case .invisible: "not visible"
    case .towardsHead: "moving away from the edge"
    case .withinTrigger: "the remaining distance is within the trigger"
    case .beyondTrigger: "the remaining distance is beyond the trigger"
    case .delegateYes: "the delegate said yes"
    case .delegateNo: "the delegate said no"
    }
  }
}

/// May override the hint, given the time to the edge in seconds; called only while moving towards it.
public typealias BatchFetchDelegate = (_ remainingTime: Double, _ hint: Bool) -> Bool

/// Texture's batch fetching rule, bit for bit (Texture 1.2).
public func shouldFetchBatch(
  _ state: ScrollState, delegate: BatchFetchDelegate? = nil
) -> BatchFetchDecision {
  if state.isFetching { return BatchFetchDecision(false, .alreadyFetching) }
  if state.leadingScreens <= 0 { return BatchFetchDecision(false, .noLeadingScreens) }
  if state.bounds.width == 0 || state.bounds.height == 0 { return BatchFetchDecision(false, .emptyBounds) }

  let lengths = AxisLengths(state)
  if lengths.content < lengths.view { return BatchFetchDecision(true, .smallContent) }
  if !state.isVisible { return BatchFetchDecision(false, .invisible) }
  let head: ScrollDirections = state.isRightToLeft ? [.up, .right] : [.up, .left]
  if !state.scrollDirection.isDisjoint(with: head) { return BatchFetchDecision(false, .towardsHead) }

  let hint = lengths.remaining <= lengths.view * state.leadingScreens
  if let delegate, lengths.velocity > 0 {
    let answer = delegate(lengths.remaining / (lengths.velocity * 1000), hint)
    return BatchFetchDecision(answer, answer ? .delegateYes : .delegateNo)
  }
  return BatchFetchDecision(hint, hint ? .withinTrigger : .beyondTrigger)
}

/// The lengths along the relevant axis: vertical if it can scroll (Texture 1.2, rule 3).
private struct AxisLengths {
  let view: Double
  let content: Double
  let velocity: Double
  let remaining: Double

  init(_ state: ScrollState) {
    let isVertical = !state.scrollableDirections.isDisjoint(with: .vertical)
    func along(_ extent: Extent) -> Double { isVertical ? extent.height : extent.width }
    view = along(state.bounds)
    content = along(state.contentSize)
    velocity = along(state.velocity)
    let offset = along(state.targetOffset)
    let isMirrored =
      !state.flips && state.isRightToLeft && !state.scrollableDirections.isDisjoint(with: .horizontal)
    remaining = isMirrored ? offset : content - view - offset
  }
}
