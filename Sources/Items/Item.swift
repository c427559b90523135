/// One element of a source: its id and its encoded form, one JSON value without line breaks.
///
/// ```swift
/// let item = Item(id: .integer(7), bytes: Bytes(#"{"id":7}"#))
/// ```
public struct Item: Sendable, Equatable {
  public let id: ItemID
  public let bytes: Bytes

  public init(id: ItemID, bytes: Bytes) {
    self.id = id
    self.bytes = bytes
  }
}

/// The identity of an item: an integer or a string, as the source gave it. `1` and `"1"` are different ids, and twins: an output
/// can't have both.
public enum ItemID: Hashable, Sendable, Comparable {
  case integer(Int64)
  case text(String)

  /// The id of the other kind that is written alike, as `"1"` for `1`; nil for a text that no integer is written as.
  public var twin: ItemID? {
    switch self {
    case .integer(let value): .text("\(value)")
    case .text(let text): ItemID.integer(writtenAs: text).map { .integer($0) }
    }
  }

  /// The same for both of two twins.
  public var canonical: ItemID {
    guard case .text = self else { return self }
    return twin ?? self
  }

  /// The same for all texts that databases take for one UUID: lowercase letters, with hyphens; nil for what is none.
  public var canonicalUUID: ItemID? {
    guard case .text(let text) = self else { return nil }
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "{"), rest.last == UInt8(ascii: "}") { rest = rest.dropFirst().dropLast() }
    var (uuid, count) = ("", 0)
    for byte in rest where byte != UInt8(ascii: "-") {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        if [8, 12, 16, 20].contains(count) { uuid += "-" }
        uuid.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      default: return nil
      }
      count += 1
      guard count <= 32 else { return nil }
    }
    return count == 32 ? .text(uuid) : nil
  }

  /// Nil for `007`, `+7`, and what has more than 64 bits.
  private static func integer(writtenAs text: String) -> Int64? {
    // Most texts are told by their first character.
    guard let first = text.utf8.first, 0x30...0x39 ~= first || first == UInt8(ascii: "-"),
      text.utf8.count <= 20, let value = Int64(text), "\(value)" == text
    else { return nil }
    return value
  }

  /// Byte by byte: an é of one code point and one of two are two ids, which look the same.
  public static func == (left: ItemID, right: ItemID) -> Bool {
    switch (left, right) {
    case (.integer(let l), .integer(let r)): l == r
    case (.text(let l), .text(let r)): l.utf8.elementsEqual(r.utf8)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Integers before strings, each in their own order.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    switch (left, right) {
    case (.integer(let l), .integer(let r)): l < r
    case (.text(let l), .text(let r)): l < r || l == r && l.utf8.lexicographicallyPrecedes(r.utf8)
    case (.integer, .text): true
    case (.text, .integer): false
    }
  }
}

extension ItemID: CustomStringConvertible {
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .text(let value): value
    }
  }
}
