import Items

/// Pages that have the same items as the one before them.
struct RepeatedPages {
  /// So many in a row are no accident.
  static let most = 8

  @Seldom private var last: [Item]?
  private var times = 0

  /// Looks at the next page; true when there are so many.
  mutating func follow(_ items: [Item]) -> Bool {
    guard !items.isEmpty, times < Self.most else { return false }
    let isSame = last?.elementsEqual(items) { $0.bytes == $1.bytes } ?? false
    times = isSame ? times + 1 : 1
    last = times < Self.most ? items : nil
    return times == Self.most
  }
}
