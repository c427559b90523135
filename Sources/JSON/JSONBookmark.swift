public import Items

/// Bookmarks: scalars of JSON, of which the greater one is later.
extension Bytes {
  /// Whether one bookmark is greater than another, as JSON: both are numbers, or texts.
  public func isLater(than other: Bytes) -> Bool {
    switch ((try? JSONTree(string)), (try? JSONTree(other.string))) {
    case (.number(let left)?, .number(let right)?):
      // Nanoseconds have more digits than a double.
      if let left = Int64(left), let right = Int64(right) {
        left > right
      } else {
        Double(left) ?? 0 > Double(right) ?? 0
      }
    case (.text(let left)?, .text(let right)?): left.isLaterBookmark(than: right)
    default: false
    }
  }

  /// The member of an object in JSON that has this name, as JSON; nil if it has none, or null. The last of several wins.
  public func member(_ name: String) -> Bytes? {
    withUnsafeBytes { bytes in
      var reader = JSONReader()
      let members = reader.readIfValid(bytes)?.members.filter { $0.key.string == name } ?? []
      guard let member = members.last?.value, member.kind != .null else { return nil }
      guard case .text = member.kind else { return Bytes(copying: member.bytes) }
      return Bytes("\"\(String(decoding: member.bytes, as: UTF8.self))\"")
    }
  }
}

extension String {
  /// Whether it is greater, as a bookmark: a later time, where both are times; a greater number, where both are decimal numbers, as
  /// databases give those with many digits; and else byte by byte.
  public func isLaterBookmark(than other: String) -> Bool {
    if let time = TimeText(self), let otherTime = TimeText(other) { return otherTime < time }
    if let number = DecimalText(self), let otherNumber = DecimalText(other) { return otherNumber < number }
    return other.utf8.lexicographicallyPrecedes(utf8)
  }
}

/// A decimal number with as many digits as it likes, as `-12.50`; none that begins with a zero too many, as that is a name.
private struct DecimalText: Comparable {
  private let isNegative: Bool
  private let whole: Substring.UTF8View
  /// Digits behind the point, without zeros at their end.
  private let fraction: Substring.UTF8View

  init?(_ text: String) {
    var digits = text[...].utf8
    isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    whole = digits.prefix { 0x30...0x39 ~= $0 }
    var rest = digits[whole.endIndex...]
    guard let first = whole.first, whole.count == 1 || first != 0x30 else { return nil }
    if !rest.isEmpty {
      guard rest.removeFirst() == UInt8(ascii: "."), !rest.isEmpty, rest.allSatisfy({ 0x30...0x39 ~= $0 })
      else {
        return nil
      }
    }
    while rest.last == 0x30 { rest.removeLast() }
    fraction = rest
  }

  static func == (left: DecimalText, right: DecimalText) -> Bool { !(left < right) && !(right < left) }

  static func < (left: DecimalText, right: DecimalText) -> Bool {
    func isSmaller(_ left: DecimalText, _ right: DecimalText) -> Bool {
      if left.whole.count != right.whole.count { return left.whole.count < right.whole.count }
      if !left.whole.elementsEqual(right.whole) { return left.whole.lexicographicallyPrecedes(right.whole) }
      return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
    guard left.isNegative == right.isNegative else {
      // Zero has no sign that counts.
      return left.isNegative && (left.hasDigits || right.hasDigits)
    }
    return left.isNegative ? isSmaller(right, left) : isSmaller(left, right)
  }

  private var hasDigits: Bool { !whole.elementsEqual([0x30]) || !fraction.isEmpty }
}
