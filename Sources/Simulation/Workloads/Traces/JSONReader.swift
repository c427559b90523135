/// Parses JSON, and reports the line of the first error.
struct JSONReader {
  private let bytes: [UInt8]
  private var offset = 0
  private let firstLine: Int
  private static let deepest = 64

  init(_ text: some StringProtocol, firstLine: Int) {
    bytes = Array(text.utf8)
    self.firstLine = firstLine
  }

  mutating func document() throws(TraceTextError) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard offset == bytes.count else { throw error("the end of the JSON text") }
    return value
  }

  private mutating func value(depth: Int) throws(TraceTextError) -> JSONValue {
    guard depth < Self.deepest else { throw error("at most \(Self.deepest) levels") }
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws(TraceTextError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    offset += 1
    if accept("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw error("a name in quotes") }
      let name = try string()
      guard accept(":") else { throw error("`:`") }
      members[name] = try value(depth: depth + 1)
    } while accept(",")
    guard accept("}") else { throw error("`,` or `}`") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(TraceTextError) -> JSONValue {
    var elements: [JSONValue] = []
    offset += 1
    if accept("]") { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while accept(",")
    guard accept("]") else { throw error("`,` or `]`") }
    return .array(elements)
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(TraceTextError) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("a JSON value") }
    offset += word.utf8.count
    return value
  }

  private mutating func number() throws(TraceTextError) -> JSONValue {
    let isPart: (UInt8) -> Bool = { 48...57 ~= $0 || [43, 45, 46, 69, 101].contains($0) }
    let digits = bytes[offset...].prefix(while: isPart)
    let text = String(decoding: digits, as: UTF8.self)
    guard let first = digits.first, first == 45 || 48...57 ~= first, let number = Double(text),
      number.isFinite
    else { throw error("a JSON value") }
    offset += digits.count
    return .number(number)
  }

  private mutating func string() throws(TraceTextError) -> String {
    offset += 1
    var content: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 32 else { throw error("no control character in a text") }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        content += String(try escaped()).utf8
      } else {
        content.append(byte)
      }
    }
    guard accept("\"") else { throw error("the end of a text") }
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func escaped() throws(TraceTextError) -> Character {
    guard let byte = peek else { throw error("the end of a text") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): return Character(try unicode())
    default: throw error("a known escape")
    }
  }

  /// Four digits, and four more if the first are half of a surrogate pair.
  private mutating func unicode() throws(TraceTextError) -> Unicode.Scalar {
    let high = try fourDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard 0xD800..<0xDC00 ~= high, bytes[offset...].starts(with: "\\u".utf8) else {
      throw error("the second half of a pair")
    }
    offset += 2
    let low = try fourDigits()
    guard 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("the second half of a pair") }
    return scalar
  }

  private mutating func fourDigits() throws(TraceTextError) -> UInt32 {
    let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16)
    else { throw error("four hexadecimal digits") }
    offset += 4
    return number
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
    // In a string spaces count, but there only its end is accepted.
    skipBlanks()
    guard peek == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 32 || 9...10 ~= byte || byte == 13 { offset += 1 }
  }

  private func error(_ expected: String) -> TraceTextError {
    let line = firstLine + bytes[..<offset].count { $0 == 10 }
    let rest = bytes[offset...].prefix { $0 != 10 }.prefix(60)
    return TraceTextError(
      line: line, expected: expected,
      found: rest.isEmpty ? "the end of the text" : String(decoding: rest, as: UTF8.self))
  }
}
