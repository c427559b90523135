import Paging

/// Seconds as numbers, turned into the machine's time; what is beyond it is cut to 73 years.
enum Seconds {
  private static let limit = 2.3e9

  /// The first whole nanosecond at or after that.
  static func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: nanoseconds(seconds)) }

  static func duration(_ seconds: Double) -> Duration { .nanoseconds(nanoseconds(seconds)) }

  private static func nanoseconds(_ seconds: Double) -> Int64 {
    seconds.isNaN ? 0 : Int64((max(-limit, min(seconds, limit)) * 1e9).rounded(.up))
  }
}
