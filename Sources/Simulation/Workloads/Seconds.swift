import Paging

/// Conversion of seconds to the machine's time, clamped to 73 years.
enum Seconds {
  private static let limit = 2.3e9

  /// The first whole nanosecond at or after that time.
  static func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: nanoseconds(seconds)) }

  static func duration(_ seconds: Double) -> Duration { .nanoseconds(nanoseconds(seconds)) }

  private static func nanoseconds(_ seconds: Double) -> Int64 {
    seconds.isNaN ? 0 : Int64((max(-limit, min(seconds, limit)) * 1e9).rounded(.up))
  }
}
