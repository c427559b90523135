import Glibc
import Items
import Paging

/// A text output that is written in large parts.
final class SinkFile {
  /// Bytes given to it so far; where the next one will be.
  private(set) var offset = 0
  /// Whether it is a file whose contents can be read back and replaced.
  let isRegular: Bool
  /// Nil for standard output.
  let path: String?
  private let descriptor: FileDescriptor
  /// Whether a reader at the other end may keep writers waiting.
  private let isPipe: Bool
  private let hurried: StopFlag
  private var buffer = ByteBuffer(capacity: SinkFile.partSize * 2)

  /// Opens the file and empties it; `-` is standard output. While `hurried` is set, the reader of a pipe who takes nothing
  /// for a second is given up.
  init(_ path: String, _ hurried: StopFlag) throws(SinkError) {
    self.path = path == "-" ? nil : path
    self.hurried = hurried
    do throws(SystemError) {
      descriptor =
        path == "-"
        ? try .standardOutput() : try .open(path, O_WRONLY | O_CREAT | O_TRUNC)
      let mode = try descriptor.status().st_mode
      isRegular = path != "-" && mode & S_IFMT == S_IFREG
      isPipe = mode & S_IFMT == S_IFIFO || mode & S_IFMT == S_IFSOCK
    } catch {
      throw SinkFile.explain(error, path)
    }
  }

  func append(_ bytes: Bytes) {
    buffer.append(bytes)
    offset += bytes.count
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(bytes)
    offset += bytes.count
  }

  func append(_ text: StaticString) {
    buffer.append(text)
    offset += text.utf8CodeUnitCount
  }

  func append(_ byte: UInt8) {
    buffer.append(byte)
    offset += 1
  }

  /// Writes what was given when it is a part's worth; to be called after each item.
  func flushParts() throws(SinkError) {
    if buffer.count >= SinkFile.partSize { try flush() }
  }

  /// Writes what was given.
  func flush() throws(SinkError) {
    guard buffer.count > 0 else { return }
    // What a failed write got through is not known, so nothing is written twice.
    defer { buffer.removeAll() }
    do throws(SystemError) {
      if isPipe {
        try descriptor.write(buffer.contents, hurried)
      } else {
        try descriptor.write(buffer.contents)
      }
    } catch {
      throw SinkError(error, path: path ?? "standard output")
    }
  }

  /// Puts other contents in place of the file's, which `write` makes of them; it answers how many bytes they are.
  /// The old ones stay if that fails. Nothing can be written afterwards.
  func replaceContents(
    _ write: (_ source: FileDescriptor, _ target: FileDescriptor) throws(SystemError) -> Int
  ) throws(SinkError) {
    guard let path, isRegular else { preconditionFailure("\(path ?? "-") can't be replaced") }
    try flush()
    do throws(SystemError) {
      guard let resolved = ResolvedPath(path)?.path else { throw SystemError(number: ENOENT) }
      let source = try FileDescriptor.open(resolved, O_RDONLY)
      if let broker = CageBroker.current, broker.replaces(resolved) {
        try broker.replace(resolved) { target throws(SystemError) in offset = try write(source, target) }
      } else {
        try WholeFile.replace(resolved: resolved) { target throws(SystemError) in
          offset = try write(source, target)
        }
      }
    } catch {
      throw SinkError(error, path: path)
    }
  }

  /// A missing folder is named, because the file is not what is wrong.
  private static func explain(_ error: SystemError, _ path: String) -> SinkError {
    guard error.number == ENOENT, let slash = path.lastIndex(of: "/") else {
      return SinkError(error, path: path == "-" ? "standard output" : path)
    }
    let (file, folder) = (path.escapingControls, String(path[..<slash]).escapingControls)
    return SinkError(
      HostFailure(.notFound, "can't write \(file): the folder \(folder) does not exist"))
  }

  private static let partSize = 256 << 10
}
