public import Paging

/// A rectangle in the plane that items are laid out in.
public struct Rect: Sendable, Hashable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// Along the x axis.
  public var width: Double
  /// Along the y axis.
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Empty, at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)
}

/// The axis along which items are laid out.
public enum Axis: String, Sendable, Hashable, CaseIterable {
  /// The y axis.
  case vertical
  /// The x axis.
  case horizontal

  /// Both directions along it.
  public var directions: ScrollDirections {
    switch self {
    case .vertical: .vertical
    case .horizontal: .horizontal
    }
  }
}

extension Rect {
  /// Its start along an axis.
  public func start(along axis: Axis) -> Double { axis == .vertical ? y : x }

  /// Its length along an axis.
  public func length(along axis: Axis) -> Double { axis == .vertical ? height : width }

  /// The same rectangle with another start along an axis.
  public func moved(to start: Double, along axis: Axis) -> Rect {
    var result = self
    switch axis {
    case .vertical: result.y = start
    case .horizontal: result.x = start
    }
    return result
  }
}

extension RangeExtent {
  /// The viewport extended along the scrollable axes (Texture 4.3); it may reach beyond the content. Right and down are
  /// ahead if the direction says so, otherwise left and up.
  public func rect(
    around view: Rect, scrollable: ScrollDirections, direction: ScrollDirections
  ) -> Rect {
    var rect = view
    if !scrollable.isDisjoint(with: .horizontal) {
      grow(&rect.x, &rect.width, isForward: direction.contains(.right))
    }
    if !scrollable.isDisjoint(with: .vertical) {
      grow(&rect.y, &rect.height, isForward: direction.contains(.down))
    }
    return rect
  }

  private func grow(_ start: inout Double, _ length: inout Double, isForward: Bool) {
    start -= (isForward ? trailing : leading) * length
    length *= 1 + leading + trailing
  }
}
