public import Listing
public import Paging

/// What is shown around a list besides its items.
public struct BrowseStatus: Sendable {
  /// The source's name.
  public var source = ""
  /// The active policy, as text.
  public var policy = ""
  /// Pages in flight.
  public var inFlight = 0
  /// How long visible rows have been missing.
  public var stalled = Duration.zero
  /// The four ranges, in places.
  public var ranges = ItemRanges.none
  /// The current range mode.
  public var mode: RangeMode?
  /// Visible places whose items' details are there.
  public var details: Set<Int> = []
  /// Items held, and their maximum.
  public var held = 0
  public var maxItems: Int?

  public init() {}
}

/// A request of the browser to its host.
public enum BrowseWish: Sendable, Hashable {
  /// Refetch what is visible, and keep the place.
  case refresh
  /// Retry what failed.
  case retry
  /// Switch to the next policy.
  case nextPolicy
  /// Switch to the policy with this text, such as `ramp` or `remainingTime(2)`.
  case policy(String)
  /// Continue a search soon.
  case searchOn
  /// Suspend the process, like Ctrl-Z.
  case suspend
  /// Redraw everything.
  case redraw
  case quit
}
