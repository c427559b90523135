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
