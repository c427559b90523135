internal import Items
public import Paging

/// A text search in the items of a list: first the held ones; if it is not found, waits for more.
public struct ListSearch: Sendable, Hashable {
  /// As typed.
  public let text: String
  public let isForward: Bool
  /// The next place to search.
  public private(set) var next: Int
  /// Items searched so far.
  public private(set) var looked = 0

  private let needle: String
  /// In lower case, if a byte-wise search suffices.
  private let plain: [UInt8]?

  /// Starts at a place, inclusive.
  public init(_ text: String, from place: Int, isForward: Bool) {
    self.text = text
    self.isForward = isForward
    next = place
    needle = text.lowercased()
    let isPlain = needle.utf8.allSatisfy {
      0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x20 || $0 == 0x5F
    }
    plain = isPlain ? Array(needle.utf8) : nil
  }

  /// The result of a search step.
  public enum Outcome: Sendable, Hashable {
    case found(place: Int)
    /// There is more to search now.
    case goesOn
    /// The next item is not held yet.
    case waits
    case over
  }

  /// Items searched per step, so that a key press never waits long.
  public static let stride = 1000

  /// Searches the next items.
  public mutating func look(in list: BrowsedList) -> Outcome {
    for _ in 0..<Self.stride {
      if isForward ? list.isAtEnd && next >= list.held.upperBound : next < 0 { return .over }
      guard let item = list[next] else {
        return list.isReplacing || !list.held.contains(next) ? .waits : skip()
      }
      let place = next
      next += isForward ? 1 : -1
      looked += 1
      if isIn(item) { return .found(place: place) }
    }
    return .goesOn
  }

  private mutating func skip() -> Outcome {
    next += isForward ? 1 : -1
    return .goesOn
  }

  private func isIn(_ item: Item) -> Bool {
    if let plain, !item.bytes.withUnsafeBytes({ Self.mayHold($0, plain) }) { return false }
    return ItemValue(item.bytes).contains(needle)
  }

  /// Whether the bytes contain the text, or escapes that could encode it.
  private static func mayHold(_ bytes: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    var place = 0
    while place < bytes.count {
      let byte = lower(bytes[place])
      if byte == UInt8(ascii: "\\") { return true }
      // Lower-casing may map other characters to ASCII: the Kelvin sign becomes k.
      if byte >= 0x80 { return true }
      if byte == first, place + needle.count <= bytes.count,
        needle.indices.allSatisfy({ lower(bytes[place + $0]) == needle[$0] })
      {
        return true
      }
      place += 1
    }
    return false
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte + 0x20 : byte }
}
