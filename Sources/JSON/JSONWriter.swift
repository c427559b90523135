public import Items
import Text

/// Writes JSON as bytes, on one line. Commas between `beginObject` or `beginArray` and their ends are added
/// automatically; outside of them the caller writes the parts in order.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///   $0.member("name", "a")
///   $0.key("sizes")
///   $0.array { $0.integer(1) }
/// }
/// let bytes = json.bytes()  // {"name":"a","sizes":[1]}
/// ```
public struct JSONWriter: ~Copyable {
  /// What is escaped in strings beyond what JSON requires.
  public enum Escaping: Sendable {
    /// Nothing.
    case plain
    /// Characters a terminal could act on instead of showing (`HarmlessText`).
    case harmless
    /// Whatever could end a script element in HTML, and line and paragraph separators.
    case markup
  }

  private var buffer: ByteBuffer
  private let escaping: Escaping
  /// Open objects and arrays.
  private var depth = 0
  private var needsComma = false

  /// An empty writer.
  public init(capacity: Int = 256, escaping: Escaping = .plain) {
    buffer = ByteBuffer(capacity: capacity)
    self.escaping = escaping
  }

  /// Bytes written.
  public var count: Int { buffer.count }

  /// An object with the members written in `members`, each a key and a value.
  public mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// An array with the elements written in `elements`.
  public mutating func array(_ elements: (inout JSONWriter) -> Void) {
    beginArray()
    elements(&self)
    endArray()
  }

  /// Begins an object.
  public mutating func beginObject() { begin("{") }

  /// Ends the innermost object.
  public mutating func endObject() { end("}") }

  /// Begins an array.
  public mutating func beginArray() { begin("[") }

  /// Ends the innermost array.
  public mutating func endArray() { end("]") }

  /// The key of a member; its value has to follow.
  public mutating func key(_ name: String) {
    text(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member with a text.
  public mutating func member(_ name: String, _ value: String) {
    key(name)
    text(value)
  }

  /// A member with an integer.
  public mutating func member(_ name: String, _ value: Int) {
    key(name)
    integer(Int64(value))
  }

  /// A member with a number.
  public mutating func member(_ name: String, _ value: Double) {
    key(name)
    real(value)
  }

  /// A member with a boolean.
  public mutating func member(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// A member with an object.
  public mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  /// A member with an array of these elements, each written by `write`.
  public mutating func member<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array(elements, write)
  }

  /// An array of these elements, each written by `write`.
  public mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    array { for element in elements { write(&$0, element) } }
  }

  /// Text that is already JSON, such as a bracket or an encoded key.
  public mutating func raw(_ text: StaticString) {
    separate()
    buffer.append(text)
  }

  /// Text that is already JSON.
  public mutating func raw(text json: String) {
    separate()
    buffer.append(json)
  }

  /// Bytes that are already JSON.
  public mutating func raw(_ json: Bytes) {
    separate()
    buffer.append(json)
  }

  /// Bytes that are JSON already.
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    buffer.append(json)
  }

  /// Null.
  public mutating func null() { raw("null") }

  /// True or false.
  public mutating func boolean(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  /// An integer, exactly.
  public mutating func integer(_ value: Int64) {
    separate()
    guard value != 0 else { return buffer.append(UInt8(ascii: "0")) }
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var rest = value.magnitude
      var start = digits.count
      while rest > 0 {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      if value < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      buffer.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[start...]))
    }
  }

  /// The shortest form that reads back as the same number; infinities and NaN, which JSON lacks, become null.
  public mutating func real(_ value: Double) {
    guard value.isFinite else { return null() }
    raw(text: value.description)
  }

  /// A quoted string; invalid UTF-8 becomes U+FFFD.
  public mutating func text(_ utf8: UnsafeRawBufferPointer) {
    guard escaping == .plain else { return text(String(decoding: utf8, as: UTF8.self)) }
    separate()
    quoted(utf8)
  }

  /// A quoted string.
  public mutating func text(_ text: String) {
    separate()
    var text = text
    switch escaping {
    case .plain: text.withUTF8 { quoted(UnsafeRawBufferPointer($0)) }
    case .harmless: buffer.append(HarmlessText.json(JSONWriter.plain(text)))
    case .markup: markup(text)
    }
  }

  /// A string with the bytes in base64 (RFC 4648, with padding).
  public mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let length = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < length ? UInt32(bytes[start + offset]) : 0) }
      for place in 0..<4 {
        let sextet = UInt8(truncatingIfNeeded: group >> (18 - 6 * UInt32(place)) & 63)
        buffer.append(place <= length ? JSONWriter.base64Letter(sextet) : UInt8(ascii: "="))
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Everything written so far.
  public var string: String { String(decoding: buffer.contents, as: UTF8.self) }

  /// Everything written.
  public consuming func bytes() -> Bytes { buffer.bytes() }

  /// Bytes of a text as a JSON string, if it is valid UTF-8.
  public static func escapedCount(of text: UnsafeRawBufferPointer) -> Int {
    text.reduce(2) { count, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        count + 2
      case ..<0x20: count + 6
      default: count + 1
      }
    }
  }

  private mutating func begin(_ bracket: StaticString) {
    separate()
    buffer.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: StaticString) {
    buffer.append(bracket)
    depth -= 1
    needsComma = true
  }

  private mutating func separate() {
    guard depth > 0 else { return }
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private static func plain(_ text: String) -> String {
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.text(text)
    return writer.string
  }

  private mutating func markup(_ text: String) {
    buffer.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": buffer.append("\\\"")
      case "\\": buffer.append("\\\\")
      case "\n": buffer.append("\\n")
      case "<", "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        buffer.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: for byte in UTF8.encode(scalar)! { buffer.append(byte) }
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func quoted(_ utf8: UnsafeRawBufferPointer) {
    let quote = UInt8(ascii: "\"")
    if isPlain(utf8) {
      _ = buffer.append(upTo: utf8.count + 2) { string in
        string[0] = quote
        UnsafeMutableRawBufferPointer(rebasing: string[1...]).copyMemory(from: utf8)
        string[utf8.count + 1] = quote
        return utf8.count + 2
      }
      return
    }
    buffer.append(quote)
    if utf8.contains(where: { $0 >= 0x80 }) {
      var repaired = String(decoding: utf8, as: UTF8.self)
      repaired.withUTF8 { escaped(UnsafeRawBufferPointer($0)) }
    } else {
      escaped(utf8)
    }
    buffer.append(quote)
  }

  /// Whether the bytes stand for themselves in a string: ASCII, and none that is escaped. Eight are looked at together.
  private func isPlain(_ utf8: UnsafeRawBufferPointer) -> Bool {
    let count = utf8.count
    if count < 8 { return JSONWriter.arePlain(JSONWriter.eight(utf8)) }
    var place = 0
    while place + 8 < count {
      if !JSONWriter.arePlain(utf8.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
      place += 8
    }
    // The last eight, whether or not some of them were among those before.
    return JSONWriter.arePlain(utf8.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
  }

  /// Fewer than eight bytes, filled up with spaces or with bytes that are among them.
  @inline(__always)
  private static func eight(_ utf8: UnsafeRawBufferPointer) -> UInt64 {
    let count = utf8.count
    if count >= 4 {
      let first = utf8.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      return UInt64(first) << 32 | UInt64(utf8.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    }
    var eight: UInt64 = 0x2020_2020_2020_2020
    for byte in utf8 { eight = eight << 8 | UInt64(byte) }
    return eight
  }

  @inline(__always)
  private static func arePlain(_ eight: UInt64) -> Bool {
    func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
    func zeros(_ bytes: UInt64) -> UInt64 { (bytes &- each(0x01)) & ~bytes }
    let controls = (eight &- each(0x20)) & ~eight
    let quotes =
      zeros(eight ^ each(UInt64(UInt8(ascii: "\"")))) | zeros(eight ^ each(UInt64(UInt8(ascii: "\\"))))
    return (controls | quotes | eight) & each(0x80) == 0
  }

  private mutating func escaped(_ utf8: UnsafeRawBufferPointer) {
    var start = 0
    for (offset, byte) in utf8.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      buffer.append(UnsafeRawBufferPointer(rebasing: utf8[start..<offset]))
      escape(byte)
      start = offset + 1
    }
    buffer.append(UnsafeRawBufferPointer(rebasing: utf8[start...]))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): buffer.append("\\\"")
    case UInt8(ascii: "\\"): buffer.append("\\\\")
    case UInt8(ascii: "\n"): buffer.append("\\n")
    case UInt8(ascii: "\r"): buffer.append("\\r")
    case UInt8(ascii: "\t"): buffer.append("\\t")
    default:
      buffer.append("\\u00")
      buffer.append(JSONWriter.hexDigit(byte >> 4))
      buffer.append(JSONWriter.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func base64Letter(_ sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: UInt8(ascii: "A") + sextet
    case 26..<52: UInt8(ascii: "a") + sextet - 26
    case 52..<62: UInt8(ascii: "0") + sextet - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
