import Glibc

/// What a run tells the process that serves its page: a kind, a length, and bytes.
enum ServerFrame {
  enum Kind: UInt8 {
    /// The data of the page, JSON.
    case state
    /// The same as metrics.
    case metrics
    /// The run is over, and these were its last.
    case end
  }

  /// Larger ones come from nobody.
  static let most = 16_000_000

  static func bytes(_ kind: Kind, _ text: String) -> [UInt8] {
    let count = UInt32(text.utf8.count)
    var bytes: [UInt8] = [kind.rawValue]
    withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: text.utf8)
    return bytes
  }

  /// The next one, waiting for it; nil at the end.
  static func read(from descriptor: Int32) -> (kind: Kind, bytes: [UInt8])? {
    guard let head = read(5, from: descriptor), let kind = Kind(rawValue: head[0]) else { return nil }
    let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= most, let bytes = read(count, from: descriptor) else { return nil }
    return (kind, bytes)
  }

  /// Exactly so many bytes; nil if there are fewer.
  static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, count - done) }
      if got > 0 {
        done += got
      } else if got == 0 || errno != EINTR {
        return nil
      }
    }
    return bytes
  }
}
