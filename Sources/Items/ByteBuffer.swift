/// A growable byte buffer that turns into `Bytes` without a copy.
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

  /// An empty buffer.
  public init(capacity: Int = 256) {
    self.capacity = max(1, capacity)
    base = ByteBuffer.allocate(self.capacity)
  }

  deinit { base.deallocate() }

  /// Number of bytes written.
  @inlinable public var count: Int { length }

  /// The bytes written so far; the pointer is valid until the next change.
  @inlinable public var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: length)
  }

  /// Makes room for `extra` more bytes.
  @inlinable
  public mutating func reserve(_ extra: Int) {
    if length + extra > capacity { grow(to: max(capacity * 2, length + extra)) }
  }

  /// Appends a byte.
  @inlinable
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length += 1
  }

  /// Appends eight bytes, the lowest first.
  @inlinable
  mutating func append(word: UInt64) {
    reserve(8)
    (base + length).storeBytes(of: word.littleEndian, as: UInt64.self)
    length += 8
  }

  /// Appends a copy of the bytes.
  @inlinable
  public mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    reserve(source.count)
    (base + length).copyMemory(from: start, byteCount: source.count)
    length += source.count
  }

  /// Appends static text.
  @inlinable
  public mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a string as UTF-8.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a copy of the bytes.
  public mutating func append(_ bytes: Bytes) { bytes.withUnsafeBytes { append($0) } }

  /// Lets `fill` write up to `room` bytes at the end; it returns how many it wrote.
  @inlinable
  public mutating func append<Failure: Error>(
    upTo room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    reserve(room)
    let written = try fill(UnsafeMutableRawBufferPointer(start: base + length, count: room))
    length += written
    return written
  }

  /// Removes the last byte, if there is one.
  public mutating func removeLast() { length = max(0, length - 1) }

  /// Removes the contents and keeps the memory.
  @inlinable public mutating func removeAll() { length = 0 }

  /// The contents, with the padding that JSON parsers read.
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
