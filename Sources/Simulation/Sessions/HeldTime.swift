import Paging

/// How long items are held: exact, however the time is cut.
struct HeldTime {
  /// In item-nanoseconds.
  private var sum: Int128 = 0
  private var counted = Instant.zero

  /// In item-seconds.
  var seconds: Double { Double(sum) / 1e9 }

  /// So many items have been held since the last count.
  mutating func add(_ items: Int, until now: Instant) {
    sum += Int128(items) * Int128(now.nanoseconds - counted.nanoseconds)
    counted = now
  }
}
