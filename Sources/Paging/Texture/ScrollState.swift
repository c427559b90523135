/// Directions of movement, or the axes that can move (both directions of each).
public struct ScrollDirections: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let right = ScrollDirections(rawValue: 1)
  public static let left = ScrollDirections(rawValue: 2)
  public static let up = ScrollDirections(rawValue: 4)
  public static let down = ScrollDirections(rawValue: 8)
  public static let horizontal: ScrollDirections = [.right, .left]
  public static let vertical: ScrollDirections = [.up, .down]
}

/// A width and a height, or a distance along each axis.
public struct Extent: Sendable, Hashable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  public static let zero = Extent(width: 0, height: 0)
}

/// Everything that Texture's batch fetching rule looks at (Texture 1.1).
public struct ScrollState: Sendable, Hashable {
  public var isFetching = false
  /// The movement now; may be empty.
  public var scrollDirection: ScrollDirections = []
  public var scrollableDirections: ScrollDirections = .vertical
  /// Size of what is seen.
  public var bounds = Extent.zero
  /// Size of all there is.
  public var contentSize = Extent.zero
  /// Where the scroll will stop, or is: `width` along x, `height` along y.
  public var targetOffset = Extent.zero
  public var leadingScreens = 2.0
  public var isVisible = true
  public var isRightToLeft = false
  /// Points per millisecond; zero for every check except the end of a drag.
  public var velocity = Extent.zero
  /// The layout mirrors itself, so offset 0 is still the first item.
  public var flips = false

  public init() {}
}
