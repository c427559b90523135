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

  /// That many nanoseconds later.
  public func later(by nanoseconds: Int64) -> Instant {
    Instant(nanoseconds: self.nanoseconds.clampedSum(nanoseconds))
  }

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
    let whole = parts?.nanoseconds ?? .max
    return self < .zero ? -whole : whole
  }

  /// The magnitude in whole nanoseconds and the attoseconds beyond them; nil beyond 292 years. One division by a machine word,
  /// where `components` multiplies and divides 128 bits.
  private var parts: (nanoseconds: Int64, attoseconds: Int64)? {
    let magnitude = attoseconds.magnitude
    let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
    let billion: UInt64 = 1_000_000_000
    guard high < billion / 2 else { return nil }
    let (nanoseconds, rest) = billion.dividingFullWidth((high, low))
    return (Int64(nanoseconds), Int64(rest))
  }

  /// Seconds, clamped to `Limits`; zero for negative numbers and NaN.
  public init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, Limits.seconds) : 0)
  }

  /// Seconds as a number, as in scripts and output.
  public var inSeconds: Double {
    guard let (nanoseconds, rest) = parts else { return Double(attoseconds) / 1e18 }
    let (seconds, nanosecondsBeyond) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let magnitude = Double(seconds) + Double(nanosecondsBeyond * 1_000_000_000 + rest) / 1e18
    return self < .zero ? -magnitude : magnitude
  }
}
