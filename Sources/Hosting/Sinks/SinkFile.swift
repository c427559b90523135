import Glibc
import Items
import Paging

/// A text output that is written in large parts.
final class SinkFile {
  /// Bytes given to it so far; where the next one will be.
  private(set) var offset = 0
  /// Whether it is a file whose contents can be read back and replaced.
  var isRegular: Bool { descriptor.kind == .file }
  private let path: String
  private let descriptor: OutputDescriptor
  /// What a terminal is given instead of the bytes.
  private let harmless: (String) -> String
  private var buffer = ByteBuffer(capacity: SinkFile.partSize * 2)

  /// Opens the file and empties it; `-` is standard output. While `hurried` is set, the reader of a pipe who takes nothing
  /// for a second is given up. On a terminal nothing of the items steers it; `harmless` says what it is given instead.
  init(_ path: String, _ hurried: StopFlag, harmless: @escaping (String) -> String) throws(SinkError) {
    self.path = path
    self.harmless = harmless
    try SinkFile.spareDatabase(path)
    do throws(SinkError) {
      descriptor = try OutputDescriptor(path, hurried: hurried)
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
    guard descriptor.kind == .terminal else { return try descriptor.write(buffer.contents) }
    try descriptor.write(harmless(String(decoding: buffer.contents, as: UTF8.self)))
  }

  /// Puts other contents in place of the file's, which `write` makes of them; it answers how many bytes they are.
  /// The old ones stay if that fails. Nothing can be written afterwards.
  func replaceContents(
    _ write: (_ source: FileDescriptor, _ target: FileDescriptor) throws(SystemError) -> Int
  ) throws(SinkError) {
    guard isRegular else { preconditionFailure("\(path) can't be replaced") }
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
  private static func explain(_ error: SinkError, _ path: String) -> SinkError {
    guard error.failure.code == .notFound, let slash = path.lastIndex(of: "/") else { return error }
    let (file, folder) = (path.escapingControls, String(path[..<slash]).escapingControls)
    return SinkError(
      HostFailure(.notFound, "can't write \(file): the folder \(folder) does not exist"))
  }

  /// Text never takes the place of a database: whoever names one has left the format out, or named what the script reads.
  private static func spareDatabase(_ path: String) throws(SinkError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = try? FileDescriptor.open(path, O_RDONLY)
    else { return }
    let mark: StaticString = "SQLite format 3"
    let isDatabase = withUnsafeTemporaryAllocation(byteCount: mark.utf8CodeUnitCount, alignment: 1) { room in
      let count = (try? file.read(into: room)) ?? 0
      return count == room.count
        && room.elementsEqual(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
    }
    guard isDatabase else { return }
    throw SinkError(
      HostFailure(
        .invalid,
        "\(path.escapingControls) is a database, and text would take its place: name another file, "
          + "or write into it with --format sqlite"))
  }

  private static let partSize = 256 << 10
}
