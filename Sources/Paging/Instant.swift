/// A point in time, counted from the start of the run; real or virtual time alike.
///
/// What would lie more than 292 years from the start lies at the end of time, which nothing is later than.
public struct Instant: Hashable, Comparable, Sendable {
  /// Since the start of the run.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the run.
  public static let zero = Instant(nanoseconds: 0)

  /// Since the start of the run, in seconds.
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
  /// Whole nanoseconds; durations beyond 292 years are cut to that.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow
      ? (seconds < 0 ? .min / 4 : .max / 4) : product.clampedSum(attoseconds / 1_000_000_000)
  }

  /// So many seconds, at most those of `Limits`; nothing for less than nothing and for what is no number.
  public init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, Limits.seconds) : 0)
  }

  /// Seconds as a number, as scripts and output have them.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
