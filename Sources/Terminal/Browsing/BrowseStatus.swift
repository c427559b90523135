public import Listing
public import Paging

/// What is shown around a list besides its items.
public struct BrowseStatus: Sendable {
  /// The source's name.
  public var source = ""
  /// The policy that decides, as text.
  public var policy = ""
  /// Pages in flight.
  public var inFlight = 0
  /// How long visible rows were missing so far.
  public var stalled = Duration.zero
  /// The four ranges, in places.
  public var ranges = ItemRanges.none
  /// How far they reach now.
  public var mode: RangeMode?
  /// Items that are held, and may be at most.
  public var held = 0
  public var maxItems: Int?

  public init() {}
}

/// What the browser asks of its host.
public enum BrowseWish: Sendable, Hashable {
  /// Fetch again what is seen, and keep the place.
  case refresh
  /// Try again what failed.
  case retry
  /// Take the next policy.
  case nextPolicy
  /// Take the policy of that text, as `ramp` or `remainingTime(2)`.
  case policy(String)
  /// Go on with a search soon.
  case searchOn
  /// Stop the process, as Ctrl-Z does.
  case suspend
  /// Draw everything anew.
  case redraw
  case quit
}
