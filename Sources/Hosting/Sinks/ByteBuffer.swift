import Glibc
import Items

/// Bytes that grow at the end; in the end they become `Bytes` without a copy.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    base = ByteBuffer.allocated(malloc(capacity))
  }

  deinit { free(base) }

  /// What is in it; the pointer is valid until the next change.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Makes sure that `extra` bytes fit.
  mutating func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    capacity = max(capacity * 2, count + extra)
    base = ByteBuffer.allocated(realloc(base, capacity))
  }

  mutating func append(_ byte: UInt8) {
    if count == capacity { reserve(1) }
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    reserve(source.count)
    (base + count).copyMemory(from: start, byteCount: source.count)
    count += source.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ bytes: Bytes) { bytes.withUnsafeBytes { append($0) } }

  /// Lets `fill` write up to `room` bytes at the end; it answers how many it wrote.
  mutating func append<Failure: Error>(
    upTo room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    reserve(room)
    let written = try fill(UnsafeMutableRawBufferPointer(start: base + count, count: room))
    count += written
    return written
  }

  /// Drops the last byte, if there is one.
  mutating func removeLast() { count = max(0, count - 1) }

  /// Drops the contents and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// The contents, with the padding that parsers like.
  consuming func bytes() -> Bytes {
    reserve(Bytes.wantedPadding)
    memset(base + count, 0, Bytes.wantedPadding)
    let bytes = Bytes(adopting: base, count: count, capacity: capacity) { free($0) }
    discard self
    return bytes
  }

  private static func allocated(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
    guard let pointer else { preconditionFailure("out of memory") }
    return pointer
  }
}
