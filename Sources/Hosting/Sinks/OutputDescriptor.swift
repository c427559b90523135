import Glibc
import Items

/// An output that is open: every file that a run writes for a person, by a name that the person gave.
///
/// A pipe without a reader is waited for, and a reader who takes nothing, until the flag is set. All results are checked here.
public final class OutputDescriptor: Sendable {
  /// What there is at the other end.
  public enum Kind: Sendable {
    /// Contents that can be read back and replaced.
    case file
    /// A reader, who may keep writers waiting.
    case pipe
    /// A person.
    case terminal
    case device
  }

  /// What becomes of a file that is there.
  public enum Opening: Sendable {
    /// It is emptied.
    case emptied
    /// It stays as it is, until something is written.
    case kept
    /// It stays, and opening fails.
    case refused

    var flags: Int32 {
      switch self {
      case .emptied: O_WRONLY | O_CREAT
      case .kept: O_WRONLY | O_CREAT
      case .refused: O_WRONLY | O_CREAT | O_EXCL
      }
    }
  }

  /// What it is.
  public let kind: Kind
  /// For messages.
  public let name: String
  private let number: Int32
  private let hurried: StopFlag

  /// Paths of standard output; opening one of them anew would begin at another place of the same file.
  static let standardOutputs = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  /// Opens a file, which is made where there is none, and locks it; `-` and its other names are standard output.
  public init(
    _ path: String, _ opening: Opening = .emptied, hurried: StopFlag = StopFlag()
  ) throws(SinkError) {
    let isStandard = OutputDescriptor.standardOutputs.contains(path)
    let name = isStandard ? "standard output" : path
    let number: Int32
    do throws(SystemError) {
      number =
        isStandard
        ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : try OutputDescriptor.open(path, opening.flags, hurried)
      guard number >= 0 else { throw .last }
    } catch {
      throw SinkError(error, path: name)
    }
    self.number = number
    self.name = name
    self.hurried = hurried
    var status = stat()
    fstat(number, &status)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: isStandard ? .device : .file
      case S_IFIFO, S_IFSOCK: .pipe
      default: isatty(number) == 1 ? .terminal : .device
      }
    guard kind == .file else { return }
    guard OutputLock.lock(number) != EWOULDBLOCK else {
      throw SinkError(OutputLock.busy(status, shown: name))
    }
    if case .emptied = opening { empty() }
  }

  /// Writes into a file that is open, where it is.
  init(_ file: FileDescriptor, name: String) throws(SinkError) {
    number = file.withNumber { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    guard number >= 0 else { throw SinkError(.last, path: name) }
    self.name = name
    kind = .file
    hurried = StopFlag()
  }

  deinit { close(number) }

  /// Writes all of it; given up when the flag is set and a reader has taken nothing for a second.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SinkError) {
    do throws(SystemError) {
      try send(bytes)
    } catch {
      throw SinkError(error, path: name)
    }
  }

  /// Writes all of a text.
  public func write(_ text: String) throws(SinkError) {
    try Bytes(text).withUnsafeBytes { bytes throws(SinkError) in try write(bytes) }
  }

  /// Takes the contents away that are there; a pipe or a device has none.
  public func empty() { _ = ftruncate(number, 0) }

  /// Has the next bytes take the place of the last ones of a file.
  func goBack(_ count: Int) throws(SinkError) {
    guard count == 0 || lseek(number, -count, SEEK_CUR) >= 0 else { throw SinkError(.last, path: name) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var (done, waited) = (0, 0)
    while done < bytes.count {
      // What POSIX calls `PIPE_BUF`: that much fits whole where a pipe says that it can be written.
      let part = kind == .file || kind == .device ? bytes.count - done : min(bytes.count - done, 4096)
      if kind != .file && kind != .device {
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        if poll(&entry, 1, 100) <= 0 {
          waited = hurried.isSet ? waited + 1 : 0
          if waited > 10 { throw SystemError(number: ECANCELED) }
          continue
        }
      }
      waited = 0
      let count = Glibc.write(number, bytes.baseAddress! + done, part)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, 100)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Opening a pipe waits for a reader; so that a signal can end that, it is tried again and again.
  private static func open(
    _ path: String, _ flags: Int32, _ hurried: StopFlag
  ) throws(SystemError) -> Int32 {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL) }
    var status = stat()
    let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    while true {
      let number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0), 0o666)
      if number >= 0 {
        if isPipe { _ = fcntl(number, F_SETFL, 0) }
        return number
      }
      if errno == EINTR { continue }
      guard isPipe, errno == ENXIO else { throw .last }
      if hurried.isSet { throw SystemError(number: ECANCELED) }
      _ = poll(nil, 0, 20)
    }
  }
}
