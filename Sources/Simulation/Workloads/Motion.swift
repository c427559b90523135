import Experiments

/// A way of moving through a list, in items and seconds from its start; it never reverses.
///
/// Each has a closed form for position, speed and inverse, so nothing is sampled.
public enum Motion: Sendable, Hashable {
  /// Stands still; a tracker may still report the speed of the preceding steps.
  case rest(reported: Double)
  /// Constant speed.
  case glide(velocity: Double)
  /// Exponential decay of speed, as in UIScrollView: `v0 (1 - e^(-kt)) / k`.
  case decay(velocity: Double, rate: Double)
  /// Stops after that distance and time, by Flutter's closed form of Android's OverScroller.
  case ballistic(distance: Double, span: Double)

  /// ln 0.78 / ln 0.9, the exponent of Android's deceleration.
  static let androidExponent = Elementary.log(0.78) / Elementary.log(0.9)

  /// Items travelled after that time; negative towards the start.
  public func distance(at time: Double) -> Double {
    switch self {
    case .rest: 0
    case .glide(let velocity): velocity * time
    case .decay(let velocity, let rate): velocity * (1 - Elementary.exp(-rate * time)) / rate
    case .ballistic(let distance, let span):
      distance * (1 - Elementary.pow(max(0, 1 - time / span), Self.androidExponent))
    }
  }

  /// Items per second at that time.
  public func velocity(at time: Double) -> Double {
    switch self {
    case .rest(let reported): reported
    case .glide(let velocity): velocity
    case .decay(let velocity, let rate): velocity * Elementary.exp(-rate * time)
    case .ballistic(let distance, let span):
      distance * Self.androidExponent / span
        * Elementary.pow(max(0, 1 - time / span), Self.androidExponent - 1)
    }
  }

  /// Items per second when that many items have been travelled.
  public func velocity(after distance: Double) -> Double {
    switch self {
    case .rest(let reported): reported
    case .glide(let velocity): velocity
    case .decay(let velocity, let rate): velocity - rate * distance
    case .ballistic(let whole, let span):
      whole * Self.androidExponent / span
        * Elementary.pow(max(0, 1 - distance / whole), 1 - 1 / Self.androidExponent)
    }
  }

  /// When that many items have been travelled; nil if never.
  public func time(toTravel distance: Double) -> Double? {
    if distance == 0 { return 0 }
    let forward = distance > 0
    switch self {
    case .rest: return nil
    case .glide(let velocity): return (velocity > 0) == forward && velocity != 0 ? distance / velocity : nil
    case .decay(let velocity, let rate):
      let left = 1 - distance * rate / velocity
      return (velocity > 0) == forward && left > 0 ? -Elementary.log(left) / rate : nil
    case .ballistic(let whole, let span):
      let left = 1 - distance / whole
      return (whole > 0) == forward && left >= 0
        ? span * (1 - Elementary.pow(left, 1 / Self.androidExponent)) : nil
    }
  }
}
