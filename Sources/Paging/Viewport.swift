/// What the reader can see now, in items from the start of the item set.
public struct Viewport: Sendable, Hashable {
  /// Index of the first visible item, or where it would be.
  public var firstVisible: Int
  /// Index of the last visible item; one less than the first when there is none.
  public var lastVisible: Int
  /// In items; fractions are welcome.
  public var length: Double
  /// Items per second, positive towards the end.
  public var velocity: Double
  /// Whether anybody looks at all.
  public var isVisible: Bool

  /// `length` is the number of visible items unless given.
  public init(
    firstVisible: Int, lastVisible: Int, length: Double? = nil, velocity: Double = 0, isVisible: Bool = true
  ) {
    self.firstVisible = firstVisible
    self.lastVisible = lastVisible
    self.length = length ?? Double(max(0, lastVisible - firstVisible + 1))
    self.velocity = velocity
    self.isVisible = isVisible
  }

  /// Sees what lies that many items further back.
  mutating func shift(by distance: Int) {
    firstVisible += distance
    lastVisible += distance
  }
}
