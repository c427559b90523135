import Items

extension Item {
  /// An item whose bytes say its number and version.
  static func sample(_ number: Int, version: Int = 1) -> Item {
    Item(id: .integer(Int64(number)), bytes: Bytes("\(number).\(version)"))
  }
}

extension [Item] {
  static func samples(_ numbers: some Sequence<Int>) -> [Item] { numbers.map { .sample($0) } }
}
