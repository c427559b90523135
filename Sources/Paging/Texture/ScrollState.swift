/// Directions of movement, or scrollable axes (both directions of each).
public struct ScrollDirections: OptionSet, Sendable, Hashable {
  /// The bits, as in Texture.
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Towards larger x.
  public static let right = ScrollDirections(rawValue: 1)
  /// Towards smaller x.
  public static let left = ScrollDirections(rawValue: 2)
  /// Towards smaller y.
  public static let up = ScrollDirections(rawValue: 4)
  /// Towards larger y.
  public static let down = ScrollDirections(rawValue: 8)
  /// Both directions of the x axis.
  public static let horizontal: ScrollDirections = [.right, .left]
  /// Both directions of the y axis.
  public static let vertical: ScrollDirections = [.up, .down]
}

/// A width and a height, or a distance along each axis.
public struct Extent: Sendable, Hashable {
  /// Along the x axis.
  public var width: Double
  /// Along the y axis.
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Nothing either way.
  public static let zero = Extent(width: 0, height: 0)
}

/// The input of Texture's batch fetching rule (Texture 1.1).
public struct ScrollState: Sendable, Hashable {
  /// Whether a fetch is in flight.
  public var isFetching = false
  /// The current movement; may be empty.
  public var scrollDirection: ScrollDirections = []
  /// The axes that can scroll.
  public var scrollableDirections: ScrollDirections = .vertical
  /// Size of the visible part.
  public var bounds = Extent.zero
  /// Size of the whole content.
  public var contentSize = Extent.zero
  /// Where the scroll is or will stop: `width` along x, `height` along y.
  public var targetOffset = Extent.zero
  /// How near the edge triggers, in viewports.
  public var leadingScreens = 2.0
  /// Whether the container is on screen.
  public var isVisible = true
  /// Whether the text runs from right to left.
  public var isRightToLeft = false
  /// Points per millisecond; zero for every check except the end of a drag.
  public var velocity = Extent.zero
  /// Whether the layout is mirrored, so that offset 0 is still the first item.
  public var flips = false

  public init() {}
}
