import Items

extension Item {
  /// An item whose bytes say its number and version.
  static func sample(_ number: Int, version: Int = 1) -> Item {
    Item(id: .integer(Int64(number)), bytes: Bytes("\(number).\(version)"))
  }
}

extension [Item] {
  static func samples(_ numbers: some Sequence<Int>) -> [Item] { numbers.map { .sample($0) } }

  var ids: [Int] {
    map { if case .integer(let number) = $0.id { Int(number) } else { -1 } }
  }
}

/// Seeded numbers for random tests.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
