/// What is compared: an identity, and a revision that says which form of it this is.
struct Row<ID: Key>: Hashable {
  let id: ID
  let revision: Int

  init(_ id: ID) {
    self.id = id
    revision = 0
  }
}

/// Ids that rows can have.
protocol Key: Hashable, Sendable {
  static var title: String { get }
  init(_ dice: inout Dice)
  /// Equal, in storage of its own: a page that was fetched again shares nothing with the one held.
  var copy: Self { get }
}

extension Int: Key {
  static let title = "int"
  init(_ dice: inout Dice) { self = Int(truncatingIfNeeded: dice.next()) }
  var copy: Int { self }
}

extension String: Key {
  static let title = "UUID"

  /// 36 characters in the form of a UUID.
  init(_ dice: inout Dice) {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for (group, length) in [8, 4, 4, 4, 12].enumerated() {
      if group > 0 { bytes.append(UInt8(ascii: "-")) }
      let word = dice.next()
      for digit in 0..<length { bytes.append(digits[Int(word >> (4 * digit) & 15)]) }
    }
    self = String(decoding: bytes, as: UTF8.self)
  }

  var copy: String { String(decoding: Array(utf8), as: UTF8.self) }
}

/// Seeded numbers, so that every run compares the same lists.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
