/// One JSON value in its place: what it is and where its bytes are. Valid as long as the bytes it was found in.
public struct JSONSlice {
  /// What a value is.
  public enum Kind: Equatable {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent; it may be larger than an `Int64`.
    case integer
    case real
    case text(isEscaped: Bool)
    /// An array or an object.
    case nested
  }

  public let kind: Kind
  /// The value as it is written; of a text, what stands between the quotes.
  public let bytes: UnsafeRawBufferPointer

  /// The exact value of an integer, or nil when it is none or does not fit.
  public var integer: Int64? {
    guard kind == .integer else { return nil }
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in bytes[(isNegative ? 1 : 0)...] {
      let digit = Int64(byte) - 48
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if isTooLarge || isStillTooLarge { return nil }
      value = sum
    }
    return value
  }

  /// The number nearest to what is written, or nil when it is no number.
  public var real: Double? { Double(String(decoding: bytes, as: UTF8.self)) }

  /// The text, unescaped.
  public var string: String {
    guard kind == .text(isEscaped: true) else { return String(decoding: bytes, as: UTF8.self) }
    var buffer = ByteBuffer(capacity: bytes.count)
    unescape(into: &buffer)
    return String(decoding: buffer.contents, as: UTF8.self)
  }

  /// Adds the text to the buffer as UTF-8. Half a surrogate pair, which UTF-8 can't hold, becomes U+FFFD.
  func unescape(into buffer: inout ByteBuffer) {
    var place = 0
    while place < bytes.count {
      let run = bytes[place...].firstIndex(of: UInt8(ascii: "\\")) ?? bytes.count
      buffer.append(UnsafeRawBufferPointer(rebasing: bytes[place..<run]))
      guard run + 1 < bytes.count else { return }
      place = run + 2
      switch bytes[run + 1] {
      case UInt8(ascii: "n"): buffer.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): buffer.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): buffer.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "b"): buffer.append(0x08)
      case UInt8(ascii: "f"): buffer.append(0x0C)
      case UInt8(ascii: "u"): buffer.append(scalar(at: &place))
      case let byte: buffer.append(byte)
      }
    }
  }

  /// The scalar whose four digits begin at the place, with the second half of its pair where it has one.
  private func scalar(at place: inout Int) -> Unicode.Scalar {
    let high = codeUnit(at: place)
    place += 4
    guard let high else { return "\u{FFFD}" }
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u"), let low = codeUnit(at: place + 2), low & 0xFC00 == 0xDC00
    else { return "\u{FFFD}" }
    place += 6
    let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private func codeUnit(at place: Int) -> UInt16? {
    guard place + 4 <= bytes.count else { return nil }
    return UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
  }
}

extension ByteBuffer {
  mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar)! { append(byte) }
  }
}
