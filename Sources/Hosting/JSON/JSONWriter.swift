public import Items

/// Writes JSON as bytes, on one line; the caller puts the parts in their order.
public struct JSONWriter: ~Copyable {
  private var buffer: ByteBuffer

  /// A writer of nothing yet.
  public init(capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

  /// Bytes that were written.
  public var count: Int { buffer.count }

  /// Text that is JSON already, as a bracket or an encoded key.
  public mutating func raw(_ text: StaticString) { buffer.append(text) }

  /// Bytes that are JSON already.
  public mutating func raw(_ json: Bytes) { buffer.append(json) }

  /// Null.
  public mutating func null() { buffer.append("null") }

  /// An integer, exactly.
  public mutating func integer(_ value: Int64) {
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

  /// The shortest form that reads back as the same number; JSON has no infinity and no NaN, so they are null.
  public mutating func real(_ value: Double) {
    guard value.isFinite else { return null() }
    buffer.append(value.description)
  }

  /// A string in quotes; invalid UTF-8 becomes U+FFFD.
  public mutating func text(_ utf8: UnsafeRawBufferPointer) {
    buffer.reserve(utf8.count + 2)
    buffer.append(UInt8(ascii: "\""))
    if utf8.contains(where: { $0 >= 0x80 }) {
      var repaired = String(decoding: utf8, as: UTF8.self)
      repaired.withUTF8 { escaped(UnsafeRawBufferPointer($0)) }
    } else {
      escaped(utf8)
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// A string in quotes.
  public mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
  }

  /// A string with the bytes in base64 (RFC 4648, with padding).
  public mutating func base64(_ bytes: UnsafeRawBufferPointer) {
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

  /// All that was written.
  public consuming func bytes() -> Bytes { buffer.bytes() }

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

extension UnsafeRawBufferPointer {
  /// Bytes of the text as a string in JSON, as long as it is valid UTF-8.
  var escapedCount: Int {
    reduce(2) { count, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        count + 2
      case ..<0x20: count + 6
      default: count + 1
      }
    }
  }
}
