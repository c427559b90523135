import Glibc

/// What a process tells the one beside it: a kind, a length, and bytes.
public struct SideFrame: Sendable {
  /// What the two have agreed on.
  public let kind: UInt8
  public let bytes: [UInt8]

  /// Larger ones come from nobody.
  private static let most = 64_000_000

  public init(kind: UInt8, _ text: String) {
    self.kind = kind
    bytes = Array(text.utf8)
  }

  private init(kind: UInt8, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

  /// As it is written.
  public var encoded: [UInt8] {
    var encoded = [kind]
    withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { encoded.append(contentsOf: $0) }
    return encoded + bytes
  }

  /// The next one, waiting for it; nil at the end.
  public static func read(from descriptor: Int32) -> SideFrame? {
    guard let head = read(5, from: descriptor) else { return nil }
    let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= most, let bytes = read(count, from: descriptor) else { return nil }
    return SideFrame(kind: head[0], bytes: bytes)
  }

  /// Writes all of it, waiting for that.
  public func write(to descriptor: Int32) {
    let bytes = encoded
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done)
      }
      if count > 0 { done += count } else if errno != EINTR { return }
    }
  }

  /// Exactly so many bytes; nil if there are fewer.
  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
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
