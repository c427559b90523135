import Experiments

/// How a platform decelerates after a fling: speeds and distances in dp (pt on iOS), times in seconds.
///
/// UIScrollView's deceleration rate per millisecond; Android's OverScroller in its ballistic form.
public struct Fling: Sendable, Hashable {
  /// The platform's scrolling behaviour.
  public enum Platform: String, Sendable, CaseIterable {
    case ios
    case android
  }

  /// Time until it stops.
  public let span: Double
  /// Distance travelled, signed like the speed.
  public let distance: Double
  private let motion: Motion

  private static let friction = 0.015
  /// Standard gravity in inches, at 160 dots per inch, with OverScroller's 0.84.
  private static let coefficient = 9.80665 * 39.37 * 160 * 0.84
  private static let inflexion = 0.35

  /// UIScrollView: the speed is multiplied by `rate` each millisecond, until it is below `stop`.
  public static func ios(velocity: Double, rate: Double = 0.998, stop: Double = 10) -> Fling {
    let decay = -1000 * Elementary.log(rate)
    let span = max(0, Elementary.log(max(abs(velocity), 1e-9) / stop) / decay)
    let motion = Motion.decay(velocity: velocity, rate: decay)
    return Fling(span: span, distance: motion.distance(at: span), motion: motion)
  }

  /// OverScroller: `splineSpan` is the duration of Android's own spline for the same distance.
  public static func android(velocity: Double) -> Fling {
    let distance = androidDistance(abs(velocity)) * (velocity < 0 ? -1 : 1)
    let span = inflexion * Motion.androidExponent * splineSpan(velocity: abs(velocity))
    guard span > 0 else { return Fling(span: 0, distance: 0, motion: .rest(reported: 0)) }
    return Fling(span: span, distance: distance, motion: .ballistic(distance: distance, span: span))
  }

  /// The duration of Android's spline from that speed.
  public static func splineSpan(velocity: Double) -> Double {
    Elementary.pow(velocity * inflexion / (friction * coefficient), 1 / (Motion.androidExponent - 1))
  }

  private static func androidDistance(_ velocity: Double) -> Double {
    let exponent = Motion.androidExponent
    let energy = velocity * inflexion / (friction * coefficient)
    return friction * coefficient * Elementary.pow(energy, exponent / (exponent - 1))
  }

  /// The same, in items of that height.
  func inItems(of height: Double) -> (motion: Motion, span: Double) {
    switch motion {
    case .decay(let velocity, let rate): (.decay(velocity: velocity / height, rate: rate), span)
    case .ballistic(let distance, let span): (.ballistic(distance: distance / height, span: span), span)
    case .rest, .glide: (motion, span)
    }
  }
}
