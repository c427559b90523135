/// What is kept of an id that a reader has passed: of an integer 64 bits, which say which it is, of a text 86 of two hashes.
///
/// Marks ascend as numbers of 86 bits.
struct PassedMark: Hashable {
  let first: UInt64
  /// The bits behind the first ones; none in the mark of an integer.
  let second: UInt32

  static let secondBits = 22

  init(first: UInt64, second: UInt32 = 0) { (self.first, self.second) = (first, second) }

  /// No two integers have the same: an odd factor and a shift of the high half into the low one can be undone.
  init(_ value: Int64) {
    var word = (UInt64(bitPattern: value) ^ Self.salt.mask) &* Self.salt.factor
    word ^= word >> 32
    word &*= 0xD6E8_FEB8_6659_FD93
    self.init(first: word)
  }

  /// Nobody outside can know which integers are near to each other.
  private static let salt = (
    mask: UInt64(truncatingIfNeeded: 3.hashValue), factor: UInt64(truncatingIfNeeded: 4.hashValue) | 1
  )

  /// The mark of a text's UTF-8.
  init(_ text: UnsafeRawBufferPointer) {
    var (first, second) = (Hasher(), Hasher())
    second.combine(1 as UInt8)
    first.combine(bytes: text)
    second.combine(bytes: text)
    self.init(
      first: UInt64(truncatingIfNeeded: first.finalize()),
      second: UInt32(UInt64(truncatingIfNeeded: second.finalize()) >> (64 - Self.secondBits)))
  }

  static func < (left: PassedMark, right: PassedMark) -> Bool {
    left.first < right.first || left.first == right.first && left.second < right.second
  }
}
