import CCurl
import Glibc
import Paging

/// Ends a wait from another thread or a signal handler: a pipe whose read end the loop polls.
final class Waker: Sendable {
  /// Readable when woken.
  let reading: Int32
  /// Writing a byte wakes; signal handlers do so directly.
  let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe for the loop: error \(errno)") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the current wait, or the next one.
  func wake() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Clears earlier calls of `wake`.
  func reset() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(reading, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }

  /// Whether there is something to read now, or after so long at the most.
  static func isReadable(_ descriptor: Int32, within duration: Duration = .zero) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(clamping: duration.nanoseconds / 1_000_000)) > 0
  }

  /// Waits until woken, the descriptor (-1 is none) is readable, or the time has passed; nil is forever.
  func wait(or descriptor: Int32, _ duration: Duration?) {
    ccurl_wait_readable(reading, descriptor, duration.map { max($0.nanoseconds, 0) } ?? -1)
  }
}
