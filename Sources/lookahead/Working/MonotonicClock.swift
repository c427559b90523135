import Glibc
import Paging

extension Instant {
  /// The clock of this machine that never jumps.
  static var ofMonotonicClock: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .zero + .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
