import CCurl
import Glibc
import Paging

/// Ends a wait from another thread or a signal handler: a descriptor that the loop polls.
///
/// Not a pipe: who writes to one is taken to wait next, so the kernel has the woken thread wait for its processor while another
/// one is free.
final class Waker: Sendable {
  /// Readable when woken.
  let descriptor: Int32

  init() {
    descriptor = ccurl_wake_create()
    if descriptor < 0 {
      SystemShortage.end(without: "descriptor to wake the loop", "ulimit -n", error: errno)
    }
  }

  deinit { close(descriptor) }

  /// Ends the current wait, or the next one.
  func wake() { Self.wake(descriptor) }

  /// The same, for signal handlers.
  static func wake(_ descriptor: Int32) {
    var count: UInt64 = 1
    _ = write(descriptor, &count, 8)
  }

  /// Clears earlier calls of `wake`.
  func reset() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Whether there is something to read now, or after so long at the most.
  static func isReadable(_ descriptor: Int32, within duration: Duration = .zero) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(clamping: duration.nanoseconds / 1_000_000)) > 0
  }

  /// Waits until woken, one of the descriptors (-1 is none) is readable, or the time has passed; nil is forever. Returns whether it
  /// was woken.
  func wait(_ duration: Duration?, or one: Int32 = -1, or other: Int32 = -1) -> Bool {
    ccurl_wait_readable(descriptor, one, other, duration.map { max($0.nanoseconds, 0) } ?? -1)
  }
}
