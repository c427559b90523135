/// What the reader sees, in items from the start of the item set.
///
/// ```swift
/// let viewport = Viewport(firstVisible: 0, lastVisible: 9, velocity: 2)
/// ```
public struct Viewport: Sendable, Hashable {
  /// Index of the first visible item, or where it would be.
  public var firstVisible: Int
  /// Index of the last visible item; one less than the first if there is none.
  public var lastVisible: Int
  /// In items, possibly fractional.
  public var length: Double
  /// Items per second, positive towards the end.
  public var velocity: Double
  /// Whether anyone is looking.
  public var isVisible: Bool

  /// `length` defaults to the number of visible items.
  public init(
    firstVisible: Int, lastVisible: Int, length: Double? = nil, velocity: Double = 0, isVisible: Bool = true
  ) {
    self.firstVisible = firstVisible
    self.lastVisible = lastVisible
    self.length = length ?? Double(max(0, lastVisible - firstVisible + 1))
    self.velocity = velocity
    self.isVisible = isVisible
  }

  /// Moves the viewport `distance` items towards the end.
  mutating func shift(by distance: Int) {
    firstVisible += distance
    lastVisible += distance
  }
}
