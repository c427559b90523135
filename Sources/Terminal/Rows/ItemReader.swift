public import Items

extension ItemValue {
  /// The value of an item; what is no JSON is one text. What follows the value is left out.
  public init(_ bytes: Bytes) {
    self = bytes.withUnsafeBytes { buffer in
      var reader = ItemReader(bytes: buffer)
      return reader.value(depth: 0) ?? .text(String(decoding: buffer, as: UTF8.self))
    }
  }
}

/// Reads JSON from left to right; items are made by an encoder, so that nothing is said about mistakes.
struct ItemReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private static let deepest = 100

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next value; nil when there is none.
  mutating func value(depth: Int) -> ItemValue? {
    guard depth < Self.deepest else { return nil }
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return string().map { .text($0) }
    default: return literal()
    }
  }

  private mutating func object(_ depth: Int) -> ItemValue? {
    var members: [ItemValue.Member] = []
    offset += 1
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth + 1)
      else { return nil }
      members.append(ItemValue.Member(name: name, value: value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func list(_ depth: Int) -> ItemValue? {
    var values: [ItemValue] = []
    offset += 1
    if take("]") { return .list([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? .list(values) : nil
  }

  private mutating func literal() -> ItemValue? {
    let start = offset
    while let byte = peek, byte > 32, byte != 0x2C, byte != 0x5D, byte != 0x7D { offset += 1 }
    guard offset > start else { return nil }
    return .literal(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func string() -> String? {
    offset += 1
    let start = offset
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
    if peek == UInt8(ascii: "\"") {
      defer { offset += 1 }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
    var text = Array(bytes[start..<offset])
    while let byte = peek {
      offset += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { escaped(into: &text) } else { text.append(byte) }
    }
    return nil
  }

  private mutating func escaped(into text: inout [UInt8]) {
    guard let byte = peek else { return }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "u"): text += Array(String(Character(unicode())).utf8)
    default: text.append(byte)
    }
  }

  /// Four digits, and four more where the first are half of a pair; half a pair alone is U+FFFD.
  private mutating func unicode() -> Unicode.Scalar {
    let high = fourDigits()
    guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    guard bytes[offset...].starts(with: [0x5C, 0x75]) else { return "\u{FFFD}" }
    offset += 2
    let low = fourDigits()
    guard 0xDC00..<0xE000 ~= low else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func fourDigits() -> UInt32 {
    let digits = bytes[offset...].prefix(4)
    offset += digits.count
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard peek == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte <= 32 { offset += 1 }
  }
}
