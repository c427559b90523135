/// Bytes that grow at the end; in the end they become `Bytes` without a copy.
///
/// ```swift
/// var buffer = ByteBuffer()
/// buffer.append("one line")
/// buffer.append(UInt8(ascii: "\n"))
/// let bytes = buffer.bytes()
/// ```
public struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var length = 0

  /// A buffer of nothing yet.
  public init(capacity: Int = 256) {
    self.capacity = max(1, capacity)
    base = ByteBuffer.allocate(self.capacity)
  }

  deinit { base.deallocate() }

  /// Bytes that are in it.
  @inlinable public var count: Int { length }

  /// What is in it; the pointer is valid until the next change.
  @inlinable public var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: length)
  }

  /// Makes sure that `extra` bytes fit.
  @inlinable
  public mutating func reserve(_ extra: Int) {
    if length + extra > capacity { grow(to: max(capacity * 2, length + extra)) }
  }

  /// Adds a byte.
  @inlinable
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length += 1
  }

  /// Adds a copy of the bytes.
  @inlinable
  public mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    reserve(source.count)
    (base + length).copyMemory(from: start, byteCount: source.count)
    length += source.count
  }

  /// Adds text that is part of the program.
  @inlinable
  public mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds the UTF-8 form of a text.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a copy of the bytes.
  public mutating func append(_ bytes: Bytes) { bytes.withUnsafeBytes { append($0) } }

  /// Lets `fill` write up to `room` bytes at the end; it answers how many it wrote.
  @inlinable
  public mutating func append<Failure: Error>(
    upTo room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    reserve(room)
    let written = try fill(UnsafeMutableRawBufferPointer(start: base + length, count: room))
    length += written
    return written
  }

  /// Drops the last byte, if there is one.
  public mutating func removeLast() { length = max(0, length - 1) }

  /// Drops the contents and keeps the memory.
  @inlinable public mutating func removeAll() { length = 0 }

  /// The contents, with the padding that parsers like.
  public consuming func bytes() -> Bytes {
    reserve(Bytes.wantedPadding)
    (base + length).initializeMemory(as: UInt8.self, repeating: 0, count: Bytes.wantedPadding)
    let bytes = Bytes(adopting: base, count: length, capacity: capacity) { $0.deallocate() }
    discard self
    return bytes
  }

  @usableFromInline
  mutating func grow(to capacity: Int) {
    let grown = ByteBuffer.allocate(capacity)
    grown.copyMemory(from: base, byteCount: length)
    base.deallocate()
    (base, self.capacity) = (grown, capacity)
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
  }
}
