/// An immutable run of bytes inside shared storage; a slice costs one reference count and no copy.
///
/// Storage is freed with its last slice. `padding` bytes after the slice may be read, not written: parsers that read in
/// wide strides need them.
public struct Bytes: @unchecked Sendable {
  /// Nil is no bytes: the nothing of every item would be counted by all threads at once.
  @usableFromInline let storage: Storage?
  @usableFromInline let start: UnsafeRawPointer
  /// Length in bytes.
  public let count: Int

  /// Adopts memory that `free` releases; the first `count` of the `capacity` bytes at `base` are the contents.
  public init(
    adopting base: UnsafeMutableRawPointer, count: Int, capacity: Int,
    free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    precondition(count <= capacity, "\(count) bytes in a buffer of \(capacity)")
    storage = Storage(base: base, capacity: capacity, free: free)
    start = UnsafeRawPointer(base)
    self.count = count
  }

  /// Copies the bytes, with at least `Bytes.wantedPadding` readable zero bytes after them.
  public init(copying source: UnsafeRawBufferPointer) {
    let capacity = source.count + Bytes.wantedPadding
    let base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    if let start = source.baseAddress { base.copyMemory(from: start, byteCount: source.count) }
    (base + source.count).initializeMemory(as: UInt8.self, repeating: 0, count: Bytes.wantedPadding)
    self.init(adopting: base, count: source.count, capacity: capacity) { $0.deallocate() }
  }

  /// The UTF-8 form of a string.
  public init(_ string: String) {
    var string = string
    self = string.withUTF8 { Bytes(copying: UnsafeRawBufferPointer($0)) }
  }

  private init(storage: Storage?, start: UnsafeRawPointer, count: Int) {
    self.storage = storage
    self.start = start
    self.count = count
  }

  /// Padding a JSON parser reads past the end, in bytes.
  public static let wantedPadding = 64

  /// No bytes.
  public static let empty = Bytes(storage: nil, start: padded.start, count: 0)

  /// No bytes, with zero bytes behind them.
  private static let padded = Bytes(copying: UnsafeRawBufferPointer(start: nil, count: 0))

  /// Readable bytes after the slice.
  public var padding: Int {
    storage.map { UnsafeRawPointer($0.base + $0.capacity) - start - count } ?? Bytes.wantedPadding
  }

  /// A slice of these bytes that shares their storage; `range` is relative to this slice.
  public subscript(range: Range<Int>) -> Bytes {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "\(range) is outside of \(count) bytes")
    return Bytes(storage: storage, start: start + range.lowerBound, count: range.count)
  }

  /// The bytes of items, from a place on, which lie behind each other in the same storage with the separator between them; and the
  /// place of the first that does not.
  public static func run(
    of items: [Item], from start: Int, by separator: UInt8
  ) -> (bytes: Bytes, end: Int) {
    items.withUnsafeBufferPointer { items in
      let first = items[start].bytes
      guard let storage = first.storage else { return (first, start + 1) }
      var (end, place) = (first.start + first.count, start + 1)
      while place < items.count, items[place].bytes.storage === storage,
        items[place].bytes.start == end + 1, end.load(as: UInt8.self) == separator
      {
        end += 1 + items[place].bytes.count
        place += 1
      }
      return (Bytes(storage: storage, start: first.start, count: end - first.start), place)
    }
  }

  /// Calls `body` with the bytes. They stay where they are during the call, and for as long as somebody holds them.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withExtendedLifetime(storage) { () throws(Failure) in try body(whileHeld) }
  }

  /// The bytes, for as long as somebody holds them: nothing is counted.
  @inlinable public var whileHeld: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The bytes as text; invalid UTF-8 becomes U+FFFD.
  public var string: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  @usableFromInline
  final class Storage {
    let base: UnsafeMutableRawPointer
    let capacity: Int
    private let free: @Sendable (UnsafeMutableRawPointer) -> Void

    init(
      base: UnsafeMutableRawPointer, capacity: Int,
      free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) {
      self.base = base
      self.capacity = capacity
      self.free = free
    }

    deinit { free(base) }
  }
}

extension Bytes: Equatable {
  /// Slices of the same place in one storage are equal without being compared.
  public static func == (left: Bytes, right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    if left.start == right.start { return true }
    return left.withUnsafeBytes { l in right.withUnsafeBytes { r in areEqual(l, r) } }
  }

  /// Compares eight bytes at a time; both have the same length.
  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let words = left.count & ~7
    for offset in stride(from: 0, to: words, by: 8) {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
    }
    return left[words...].elementsEqual(right[words...])
  }
}
