import Glibc
import Items

/// An open output: any file written for the user under a name the user gave.
///
/// Waits for a pipe's reader, also one that stalls, until the flag is set. All results of system calls are checked
/// here.
public final class OutputDescriptor: Sendable {
  /// The kind of the output.
  public enum Kind: Sendable {
    /// Its contents can be read back and replaced.
    case file
    /// A reader, who may block writers.
    case pipe
    /// A terminal.
    case terminal
    case device
  }

  /// What happens to an existing file.
  public enum Opening: Sendable {
    /// It is truncated.
    case emptied
    /// It is unchanged until something is written.
    case kept
    /// It is unchanged, and opening fails.
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
  /// The name in messages.
  public let name: String
  private let file: FileDescriptor
  private let hurried: StopFlag

  /// Opens a file, created if missing, and locks it. A name of standard output or standard error is that stream, which is not opened
  /// again: that would start at another position of the same file. The file to which one of them goes is refused by its own name.
  public init(
    _ path: String, _ opening: Opening = .emptied, hurried: StopFlag = StopFlag()
  ) throws(SinkError) {
    let stream = StandardStream(path: path)
    let name = stream?.name ?? path
    if let refusal = StandardStream.refusal(of: path) { throw SinkError(refusal) }
    let status: stat
    do throws(SystemError) {
      if let stream {
        file = try FileDescriptor(copying: stream.rawValue)
      } else {
        file = FileDescriptor(taking: try OutputDescriptor.open(path, opening.flags, hurried))
      }
      status = try file.status()
    } catch {
      throw SinkError(error, path: name)
    }
    self.name = name
    self.hurried = hurried
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: stream == nil ? .file : .device
      case S_IFIFO, S_IFSOCK: .pipe
      default: file.withNumber { isatty($0) } == 1 ? .terminal : .device
      }
    guard kind == .file else { return }
    guard file.withNumber({ OutputLock.lock($0) }) != EWOULDBLOCK else {
      throw SinkError(OutputLock.busy(status, shown: name))
    }
    if case .emptied = opening { empty() }
  }

  /// Writes to an open file, at its position.
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

  /// Writes all of it; abandoned if the flag is set and nothing was read for a second.
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

  /// Writes a whole text.
  public func write(_ text: String) throws(SinkError) {
    try Bytes(text).withUnsafeBytes { bytes throws(SinkError) in try write(bytes) }
  }

  /// Truncates the file; no-op for a pipe, a device or a standard stream, whatever that goes to.
  public func empty() { if kind == .file { try? file.empty() } }

  /// Moves back in a file, to overwrite the last bytes.
  func goBack(_ count: Int) throws(SinkError) {
    do throws(SystemError) {
      if count > 0 { try file.goBack(count) }
    } catch {
      throw SinkError(error, path: name)
    }
  }

  /// Opening a pipe blocks until there is a reader; so that a signal can end that, it is polled.
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
