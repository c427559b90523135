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
  private let file: FileDescriptor
  private let hurried: StopFlag

  /// Paths of standard output; opening one of them anew would begin at another place of the same file.
  static let standardOutputs = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  /// Opens a file, which is made where there is none, and locks it; `-` and its other names are standard output.
  public init(
    _ path: String, _ opening: Opening = .emptied, hurried: StopFlag = StopFlag()
  ) throws(SinkError) {
    let isStandard = OutputDescriptor.standardOutputs.contains(path)
    let name = isStandard ? "standard output" : path
    let status: stat
    do throws(SystemError) {
      file =
        isStandard
        ? try FileDescriptor(copying: STDOUT_FILENO)
        : FileDescriptor(taking: try OutputDescriptor.open(path, opening.flags, hurried))
      status = try file.status()
    } catch {
      throw SinkError(error, path: name)
    }
    self.name = name
    self.hurried = hurried
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: isStandard ? .device : .file
      case S_IFIFO, S_IFSOCK: .pipe
      default: file.withNumber { isatty($0) } == 1 ? .terminal : .device
      }
    guard kind == .file else { return }
    guard file.withNumber({ OutputLock.lock($0) }) != EWOULDBLOCK else {
      throw SinkError(OutputLock.busy(status, shown: name))
    }
    if case .emptied = opening { empty() }
  }

  /// Writes into a file that is open, where it is.
  init(_ file: FileDescriptor, name: String) throws(SinkError) {
    do throws(SystemError) {
      self.file = try file.copy()
    } catch {
      throw SinkError(error, path: name)
    }
    self.name = name
    kind = .file
    hurried = StopFlag()
  }

  /// Writes all of it; given up when the flag is set and a reader has taken nothing for a second.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SinkError) {
    do throws(SystemError) {
      switch kind {
      case .file, .device: try file.write(bytes)
      case .pipe, .terminal: try file.write(bytes, hurried)
      }
    } catch {
      throw SinkError(error, path: name)
    }
  }

  /// Writes all of a text.
  public func write(_ text: String) throws(SinkError) {
    try Bytes(text).withUnsafeBytes { bytes throws(SinkError) in try write(bytes) }
  }

  /// Takes the contents away that are there; a pipe or a device has none.
  public func empty() { try? file.empty() }

  /// Has the next bytes take the place of the last ones of a file.
  func goBack(_ count: Int) throws(SinkError) {
    do throws(SystemError) {
      if count > 0 { try file.goBack(count) }
    } catch {
      throw SinkError(error, path: name)
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
