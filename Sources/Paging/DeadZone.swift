/// The viewports for which a policy's "no" stays a "no" while nothing but the viewport changes.
///
/// A feed asks a policy for it after a "no", and then takes the reader's moves inside of it without asking again: most moves of a
/// list lead to nothing. It may be smaller than it could be, but never larger.
///
/// ```swift
/// var zone = view.wholeZone
/// zone.lastVisible = 79  // of 100 items held, the policy wants 20 ahead
/// ```
public struct DeadZone: Sendable, Hashable {
  /// The viewport's length in items.
  public let length: Double
  /// Whether anyone is looking.
  public let isVisible: Bool
  /// Indices of the first visible item, from the lowest to the highest.
  public var firstVisible = Int.min...Int.max
  /// The highest index of the last visible item.
  public var lastVisible = Int.max
  /// Velocities, in items per second.
  public var velocity = -Double.infinity...Double.infinity

  /// Every viewport of that length and visibility.
  public init(length: Double, isVisible: Bool) {
    self.length = length
    self.isVisible = isVisible
  }

  /// The same viewports, after items were inserted before them.
  func shifted(by distance: Int) -> DeadZone {
    var zone = self
    let (low, high) = (firstVisible.lowerBound, firstVisible.upperBound)
    zone.firstVisible = low.clampedSum(distance)...high.clampedSum(distance)
    zone.lastVisible = lastVisible.clampedSum(distance)
    return zone
  }

  /// Those of the viewports whose first item is in the range; nil if there are none.
  func clamped(to range: ClosedRange<Int>) -> DeadZone? {
    guard firstVisible.overlaps(range) else { return nil }
    var zone = self
    zone.firstVisible = firstVisible.clamped(to: range)
    return zone
  }

  /// The viewports that are in both.
  func intersection(_ other: DeadZone) -> DeadZone? {
    guard firstVisible.overlaps(other.firstVisible), velocity.overlaps(other.velocity) else { return nil }
    var zone = self
    zone.firstVisible = firstVisible.clamped(to: other.firstVisible)
    zone.lastVisible = min(lastVisible, other.lastVisible)
    zone.velocity = velocity.clamped(to: other.velocity)
    return zone
  }

  /// Whether a viewport is in it.
  @inlinable
  public func contains(_ viewport: Viewport) -> Bool {
    firstVisible.contains(viewport.firstVisible) && viewport.lastVisible <= lastVisible
      && velocity.contains(viewport.velocity) && viewport.length == length && viewport.isVisible == isVisible
  }
}

extension PolicyView {
  /// Every viewport of the present length and visibility.
  public var wholeZone: DeadZone { DeadZone(length: viewportLength, isVisible: isVisible) }

  /// The zone of a rule that says no to this view, where `isNo` tells whether it would also say no at another first item, moving
  /// towards the edge: as far as `items` from here. Nil if the rule says yes there.
  func deadZone(within items: Double, isNo: (PolicyView) -> Bool) -> DeadZone? {
    var zone = wholeZone
    var edge = self
    edge.velocity = direction == .prepend ? -1 : 1
    let distance = items > 0 ? Int(min(items, 1e9)) : 0
    // A boundary that rounding has moved is an item or two nearer.
    for nearer in 0...2 where nearer <= distance {
      let moved = (distance - nearer) * (direction == .prepend ? -1 : 1)
      edge.firstVisible = firstVisible + moved
      edge.lastVisible = lastVisible + moved
      guard isNo(edge) else { continue }
      if direction == .prepend {
        zone.firstVisible = edge.firstVisible...Int.max
      } else {
        zone.firstVisible = Int.min...edge.firstVisible
      }
      return zone
    }
    // Within the trigger, but moving away.
    guard approach < 0 else { return nil }
    zone.velocity = direction == .prepend ? 0.nextUp...Double.infinity : -Double.infinity...0.nextDown
    return zone
  }
}
