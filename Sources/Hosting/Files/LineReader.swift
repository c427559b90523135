import Glibc
import Items
import Paging

/// Reads a file line by line; lines end with LF or CRLF. A file whose name ends in `.gz` or `.zst` is unpacked.
final class LineReader {
  private let file: UnpackedFile
  private let limit: Int
  /// The last chunk read; lines are slices of it.
  private var chunk = Bytes.empty
  /// Where the next line starts in the chunk, and how far its end was searched for.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  /// Reads the file at that path, with lines up to `limit` bytes; waits for the other end of a pipe until the flag is
  /// set.
  init(_ file: FileDescriptor, path: String, limit: Int, until stop: StopFlag) throws(SystemError) {
    self.file = try UnpackedFile(file, path: path, until: stop)
    self.limit = limit
  }

  /// Bytes read and kept.
  var held: Int { chunk.count }

  /// Up to `limit` lines without their ends, and whether they are the last. Fewer at the end, or if they are long.
  func next(_ limit: Int) throws(HostFailure) -> (lines: [Bytes], isEnd: Bool) {
    var lines: [Bytes] = []
    var size = 0
    while lines.count < limit, size <= self.limit / 4, let line = try nextLine() {
      size += line.count
      lines.append(line)
    }
    return (lines, isAtEnd && start == chunk.count)
  }

  private func nextLine() throws(HostFailure) -> Bytes? {
    while true {
      if let end = nextLineFeed() {
        defer { (start, searched) = (end + 1, end + 1) }
        return withoutCarriageReturn(chunk[start..<end])
      }
      searched = chunk.count
      if isAtEnd {
        defer { start = chunk.count }
        return start < chunk.count ? chunk[start..<chunk.count] : nil
      }
      try refill()
    }
  }

  private func nextLineFeed() -> Int? {
    chunk.withUnsafeBytes { bytes in
      guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
      return memchr(base + searched, 10, bytes.count - searched).map { UnsafeRawPointer($0) - base }
    }
  }

  private func withoutCarriageReturn(_ line: Bytes) -> Bytes {
    let endsWithReturn = line.withUnsafeBytes { $0.last == UInt8(ascii: "\r") }
    return endsWithReturn ? line[0..<line.count - 1] : line
  }

  /// Reads more, after moving the incomplete line to the front; the room doubles with its length.
  private func refill() throws(HostFailure) {
    let rest = chunk[start..<chunk.count]
    guard rest.count <= limit else {
      throw HostFailure(
        .tooLarge,
        "a line of \(file.path.escapingControls) is over the limit of \(limit.grouped) bytes (--max-body raises it)"
      )
    }
    let room = max(LineReader.chunkSize, rest.count)
    var buffer = ByteBuffer(capacity: rest.count + room + Bytes.wantedPadding)
    buffer.append(rest)
    isAtEnd = try buffer.append(upTo: room, file.read(into:)) == 0
    chunk = buffer.bytes()
    start = 0
    searched = rest.count
  }

  private static let chunkSize = 64 << 10
}
