/// Which rule of Texture's decided (Texture 1.2, in that order).
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

  /// The rule's number in Texture's order.
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
    case .alreadyFetching: "a fetch is under way"
    case .noLeadingScreens: "the leading screens are not above zero"
    case .emptyBounds: "the viewport is empty"
    case .smallContent: "the content is shorter than the viewport"
    case .invisible: "nobody looks"
    case .towardsHead: "moving away from the edge"
    case .withinTrigger: "the remaining distance is within the trigger"
    case .beyondTrigger: "the remaining distance is beyond the trigger"
    case .delegateYes: "the delegate said yes"
    case .delegateNo: "the delegate said no"
    }
  }
}
