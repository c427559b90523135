/// Ids in the form in which they are kept: the number of integers, the integers, and the digests of texts.
///
/// Integers are kept as their differences where that is shorter, so that those of a list which counts them take no room.
public struct IDList: Sendable {
  var integers: [Int64] = []
  var texts: [TextDigest] = []

  public init() {}

  /// Texts, by their digests.
  public init(_ digests: some Sequence<TextDigest>) { texts = Array(digests) }

  init(_ integers: [Int64], _ texts: [TextDigest]) { (self.integers, self.texts) = (integers, texts) }

  public var isEmpty: Bool { integers.isEmpty && texts.isEmpty }

  public mutating func append(_ other: IDList) {
    integers += other.integers
    texts += other.texts
  }

  public mutating func append(_ id: ItemID) {
    switch id {
    case .integer(let value): integers.append(value)
    case .text(let value): texts.append(TextDigest(value))
    }
  }

  mutating func append(_ items: [Item]) {
    // Through a pointer, so that the bytes of the items, which other threads hold too, are not counted.
    items.withUnsafeBufferPointer { items in
      for place in items.indices {
        if case .integer(let value) = items[place].id {
          integers.append(value)
        } else {
          append(items[place].id)
        }
      }
    }
  }

  mutating func remove(_ id: ItemID) {
    switch id {
    case .integer(let value): integers.removeAll { $0 == value }
    case .text(let value):
      let digest = TextDigest(value)
      texts.removeAll { $0 == digest }
    }
  }

  mutating func remove(_ other: IDList) {
    guard !other.isEmpty else { return }
    let (otherIntegers, otherTexts) = (Set(other.integers), Set(other.texts))
    integers.removeAll { otherIntegers.contains($0) }
    texts.removeAll { otherTexts.contains($0) }
  }

  /// To be read again.
  public var bytes: Bytes {
    var buffer = ByteBuffer(capacity: 64 + 16 * texts.count + Bytes.wantedPadding)
    buffer.append(word: UInt64(integers.count) | IDList.isPacked)
    packIntegers(into: &buffer)
    if buffer.count > (1 + integers.count) * 8 {
      buffer.removeAll()
      buffer.append(word: UInt64(integers.count))
      for id in integers { buffer.append(word: UInt64(bitPattern: id)) }
    }
    for text in texts {
      buffer.append(word: text.high)
      buffer.append(word: text.low)
    }
    return buffer.bytes()
  }

  /// Writes how large each difference is, seven bits a byte, the lowest first, and a negative one odd; and how many integers in a
  /// row have it.
  private func packIntegers(into buffer: inout ByteBuffer) {
    var (last, place) = (0 as Int64, 0)
    while place < integers.count {
      let difference = integers[place] &- last
      let start = place
      repeat {
        last = integers[place]
        place += 1
      } while place < integers.count && place - start < IDList.longestRun
        && integers[place] &- last == difference
      var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
      while rest >= 0x80 {
        buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      buffer.append(UInt8(rest))
      buffer.append(UInt8(place - start))
    }
  }

  /// Reads what `bytes` gave; less if they are cut.
  public init(_ bytes: Bytes) {
    bytes.withUnsafeBytes { raw in
      var list = KeptList(bytes: raw)
      guard let first = list.word() else { return }
      let count = Int(first & ~IDList.isPacked)
      if first & IDList.isPacked != 0 {
        while integers.count < count, let difference = list.difference(), let repeats = list.byte() {
          for _ in 0..<min(Int(repeats), count - integers.count) {
            integers.append((integers.last ?? 0) &+ difference)
          }
        }
      } else {
        while integers.count < count, let word = list.word() { integers.append(Int64(bitPattern: word)) }
      }
      while let high = list.word(), let low = list.word() { texts.append(TextDigest(high: high, low: low)) }
    }
  }

  /// How many integers there are at the most in what `bytes` gave, of which this is the beginning, and which has so many in all.
  public static func mostIntegers(_ beginning: Bytes, of size: Int) -> Int {
    beginning.withUnsafeBytes { raw in
      var list = KeptList(bytes: raw)
      let first = list.word() ?? 0
      return min(Int(first & ~isPacked), first & isPacked != 0 ? size / 2 * longestRun : size / 8)
    }
  }

  /// In the number of integers: whether they are kept as differences.
  private static let isPacked: UInt64 = 1 << 63
  /// Integers in a row with the same difference; few, so that bytes which are damaged are never a list out of all proportion.
  private static let longestRun = 100
}

/// What a list was kept as, from the front.
private struct KeptList {
  let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func word() -> UInt64? {
    guard place + 8 <= bytes.count else { return nil }
    defer { place += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func difference() -> Int64? {
    var (number, shift) = (0 as UInt64, 0 as UInt64)
    while shift < 64, let byte = byte() {
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int64(bitPattern: number >> 1) ^ -Int64(number & 1) }
      shift += 7
    }
    return nil
  }
}
