/// A part of a session in which the reader moves in one way.
public struct ScrollSegment: Sendable, Hashable {
  /// Nominal seconds since the session began.
  public let start: Double
  /// In seconds; never negative.
  public let span: Double
  /// The first visible item at the start, as a real number.
  public let origin: Double
  /// How many items the viewport shows; fractions are welcome.
  public let length: Double
  /// How the place changes.
  public let motion: Motion

  /// Nominal seconds at its end.
  public var end: Double { start + span }
  /// The place at its end.
  public var target: Double { position(after: span) }

  /// The first visible item as a real number, that many seconds after the start.
  public func position(after time: Double) -> Double {
    origin + motion.distance(at: max(0, min(time, span)))
  }

  /// Nominal seconds at which the place is passed or reached; nil if that is not in this segment.
  public func time(whenAt position: Double) -> Double? {
    let distance = position - origin
    // Less than a billionth of an item is rounding.
    if abs(distance) < 1e-9 { return start }
    guard let time = motion.time(toTravel: distance), time <= span else { return nil }
    return start + time
  }

  /// The items that a place shows: those with a part inside the viewport.
  func visibleItems(at position: Double) -> Range<Int> {
    let first = Int(position.rounded(.down))
    return first..<max(first, Int((position + length).rounded(.up)))
  }
}
