/// A part of a session with one kind of motion.
public struct ScrollSegment: Sendable, Hashable {
  /// Nominal seconds since the session started.
  public let start: Double
  /// In seconds; non-negative.
  public let span: Double
  /// The first visible item at the start, as a real number.
  public let origin: Double
  /// Visible items, possibly fractional.
  public let length: Double
  /// How the position changes.
  public let motion: Motion

  /// Whether it is a fling, which runs out by itself.
  var isFling: Bool {
    switch motion {
    case .decay, .ballistic: true
    case .rest, .glide: false
    }
  }

  /// Nominal seconds at its end.
  public var end: Double { start + span }
  /// The position at its end.
  public var target: Double { position(after: span) }

  /// The position that many seconds after the start.
  public func position(after time: Double) -> Double {
    origin + motion.distance(at: max(0, min(time, span)))
  }

  /// When the position is reached; nil if not in this segment.
  public func time(whenAt position: Double) -> Double? {
    let distance = position - origin
    // Less than a billionth of an item is rounding.
    if abs(distance) < 1e-9 { return start }
    guard let time = motion.time(toTravel: distance), time <= span else { return nil }
    return start + time
  }

  /// The items visible at a position, including partially visible ones.
  func visibleItems(at position: Double) -> Range<Int> {
    let first = Int(position.rounded(.down))
    return first..<max(first, Int((position + length).rounded(.up)))
  }
}
