/// A point in time since the start of the run, in real or virtual time.
///
/// Arithmetic saturates 292 years from the start.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the start of the run.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the run.
  public static let zero = Instant(nanoseconds: 0)

  /// Seconds since the start of the run.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds.clampedSum(duration.nanoseconds))
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    .nanoseconds(later.nanoseconds.clampedDifference(earlier.nanoseconds))
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Duration {
  /// Whole nanoseconds, clamped to 292 years.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow
      ? (seconds < 0 ? .min / 4 : .max / 4) : product.clampedSum(attoseconds / 1_000_000_000)
  }

  /// Seconds, clamped to `Limits`; zero for negative numbers and NaN.
  public init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, Limits.seconds) : 0)
  }

  /// Seconds as a number, as in scripts and output.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
