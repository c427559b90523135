import Glibc
import Items
import Paging

/// Reads a file line by line; lines end with LF or CRLF.
final class LineReader {
  private let path: String
  private let file: FileDescriptor
  private let limit: Int
  private let stop: StopFlag
  private let isRegular: Bool
  /// What was read last; lines are slices of it.
  private var chunk = Bytes.empty
  /// Where the next line begins in the chunk, and how far it was searched for its end.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  /// Reads the file of that path, whose lines may have so many bytes; the other side of a pipe is waited for until the flag is
  /// set.
  init(_ file: FileDescriptor, path: String, limit: Int, until stop: StopFlag) throws(SystemError) {
    self.file = file
    self.path = path
    self.limit = limit
    self.stop = stop
    isRegular = try file.status().st_mode & S_IFMT == S_IFREG
  }

  /// Bytes that were read and are kept.
  var held: Int { chunk.count }

  /// Up to `limit` lines without their ends, and whether no more will come. Fewer than `limit` come at the end, or where they are
  /// long.
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

  /// Reads on, with the line that has no end yet moved to the beginning; room doubles with its length.
  private func refill() throws(HostFailure) {
    let rest = chunk[start..<chunk.count]
    guard rest.count <= limit else {
      throw HostFailure(
        .tooLarge,
        "a line of \(path.escapingControls) is over the limit of \(limit.grouped) bytes (--max-body raises it)"
      )
    }
    let room = max(LineReader.chunkSize, rest.count)
    var buffer = ByteBuffer(capacity: rest.count + room + Bytes.wantedPadding)
    buffer.append(rest)
    do throws(SystemError) {
      let count = try buffer.append(upTo: room) { room throws(SystemError) in
        isRegular ? try file.read(into: room) : try file.read(into: room, until: stop)
      }
      isAtEnd = count == 0
    } catch {
      throw HostFailure(error, "read", path)
    }
    chunk = buffer.bytes()
    start = 0
    searched = rest.count
  }

  private static let chunkSize = 64 << 10
}
