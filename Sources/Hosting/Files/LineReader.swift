import Glibc
import Items
import Paging

/// Reads a file line by line; lines end with LF or CRLF, and may be of any length.
final class LineReader {
  private let path: String
  private let file: FileDescriptor
  /// What was read last; lines are slices of it.
  private var chunk = Bytes.empty
  /// Where the next line begins in the chunk, and how far it was searched for its end.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  init(path: String) throws(HostFailure) {
    self.path = path
    do throws(SystemError) {
      file = try FileDescriptor.open(path, O_RDONLY)
    } catch {
      throw HostFailure(error, "read", path)
    }
  }

  /// Up to `limit` lines without their ends, and whether no more will come; fewer than `limit` only at the end.
  func next(_ limit: Int) throws(HostFailure) -> (lines: [Bytes], isEnd: Bool) {
    var lines: [Bytes] = []
    while lines.count < limit, let line = try nextLine() { lines.append(line) }
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
    let room = max(LineReader.chunkSize, rest.count)
    var buffer = ByteBuffer(capacity: rest.count + room + Bytes.wantedPadding)
    buffer.append(rest)
    do throws(SystemError) {
      let count = try buffer.append(upTo: room) { room throws(SystemError) in try file.read(into: room) }
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
