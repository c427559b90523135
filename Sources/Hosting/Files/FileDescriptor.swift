import Glibc

/// An open file of the system, closed when it is let go.
final class FileDescriptor: Sendable {
  private let number: Int32

  /// Takes over a descriptor that is open.
  private init(number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a file; one that is made gets the mode, less the user's mask.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666
  ) throws(SystemError) -> FileDescriptor {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
    let number = retrying { Glibc.open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw .last }
    return FileDescriptor(number: Int32(number))
  }

  /// Standard output, under a number of its own.
  static func standardOutput() throws(SystemError) -> FileDescriptor {
    let number = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .last }
    return FileDescriptor(number: number)
  }

  /// What the system knows of the file.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Sets the permission bits.
  func setMode(_ mode: mode_t) throws(SystemError) {
    guard fchmod(number, mode) == 0 else { throw .last }
  }

  /// Reads what there is, up to the room; zero at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = FileDescriptor.retrying { Glibc.read(number, room.baseAddress, room.count) }
      if count >= 0 { return count }
      guard errno == EAGAIN else { throw .last }
      wait(for: Int16(POLLIN))
    }
  }

  /// Writes all of it.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = FileDescriptor.retrying {
        Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        wait(for: Int16(POLLOUT))
      } else {
        throw .last
      }
    }
  }

  /// Writes all of it to a pipe, in parts that never block once there is room; fails with `ECANCELED` when the flag is set and
  /// nobody has taken anything for a second.
  func write(_ bytes: UnsafeRawBufferPointer, _ hurried: StopFlag) throws(SystemError) {
    var (done, waited) = (0, 0)
    while done < bytes.count {
      var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      if poll(&entry, 1, 100) <= 0 {
        waited = hurried.isSet ? waited + 1 : 0
        if waited > 10 { throw SystemError(number: ECANCELED) }
        continue
      }
      waited = 0
      // What POSIX calls `PIPE_BUF`: that much fits whole where a pipe says that it can be written.
      let part = UnsafeRawBufferPointer(rebasing: bytes[done..<min(bytes.count, done + 4096)])
      try write(part)
      done += part.count
    }
  }

  /// A pipe or terminal that another program made non-blocking can refuse for a while.
  private func wait(for events: Int16) {
    var entry = pollfd(fd: number, events: events, revents: 0)
    _ = poll(&entry, 1, -1)
  }

  private static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return Int(count) }
    }
  }
}
