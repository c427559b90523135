import CJSON
public import Items

/// One JSON value in place: its kind, its bytes, its contents. Valid as long as the bytes it was found in, and until
/// its reader reads another document.
public struct JSONValue {
  /// The kind of a value.
  public enum Kind: Equatable, Sendable {
    /// The word `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without fraction or exponent; it may not fit an `Int64`.
    case integer
    /// A number with a fraction or an exponent.
    case real
    /// A string, and whether it contains escapes.
    case text(isEscaped: Bool)
    /// An array.
    case array
    /// An object.
    case object
  }

  /// Its kind.
  public let kind: Kind
  /// The value as written; for a string, without its quotes.
  public let bytes: UnsafeRawBufferPointer
  private let node: UnsafePointer<cjson_node>

  /// The value of a node, in the text that begins at `text`.
  init(_ node: UnsafePointer<cjson_node>, _ text: UnsafeRawPointer) {
    self.node = node
    bytes = UnsafeRawBufferPointer(
      start: text + Int(node.pointee.start), count: Int(node.pointee.end - node.pointee.start))
    kind =
      switch cjson_kind(UInt32(node.pointee.kind)) {
      case CJSON_NULL: .null
      case CJSON_FALSE: .boolean(false)
      case CJSON_TRUE: .boolean(true)
      case CJSON_INTEGER: .integer
      case CJSON_REAL: .real
      case CJSON_TEXT: .text(isEscaped: node.pointee.is_escaped != 0)
      case CJSON_ARRAY: .array
      default: .object
      }
  }

  /// The members of an object, in order and with duplicates; empty for any other value.
  public var members: JSONMembers {
    if case .object = kind { JSONMembers(contents, text) } else { JSONMembers(none, text) }
  }

  /// The elements of an array; empty for any other value.
  public var elements: JSONElements { JSONElements(kind == .array ? contents : none, text) }

  /// The exact value of an integer; nil if it is not one or does not fit.
  public var integer: Int64? {
    guard case .integer = kind else { return nil }
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value: Int64 = 0
    // Eighteen digits fit in any case.
    if bytes.count <= 18 {
      for byte in bytes[(isNegative ? 1 : 0)...] { value = value &* 10 &+ Int64(byte &- 48) }
      return isNegative ? -value : value
    }
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

  /// The nearest double, infinite on overflow; nil if it is not a number.
  public var real: Double? {
    switch kind {
    case .real, .integer: break
    case .null, .boolean, .text, .array, .object: return nil
    }
    return shortReal ?? Double(String(decoding: bytes, as: UTF8.self))
  }

  /// The nearest double of few digits without an exponent; nil for any other. Its digits and the power of ten that they are
  /// divided by are doubles themselves, so that only their quotient is rounded (Clinger 1990).
  private var shortReal: Double? {
    guard bytes.count <= 17 else { return nil }
    let isNegative = bytes.first == UInt8(ascii: "-")
    var (digits, count, divisor, isFraction) = (0 as Int64, 0, 1 as Int64, false)
    for byte in bytes[(isNegative ? 1 : 0)...] {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      guard byte &- 48 < 10, count < 15 else { return nil }
      digits = digits &* 10 &+ Int64(byte &- 48)
      count += 1
      if isFraction { divisor &*= 10 }
    }
    let magnitude = Double(digits) / Double(divisor)
    return isNegative ? -magnitude : magnitude
  }

  /// The value as it is written, a string with its quotes.
  public var written: UnsafeRawBufferPointer {
    guard case .text = kind, let start = bytes.baseAddress else { return bytes }
    return UnsafeRawBufferPointer(start: start - 1, count: bytes.count + 2)
  }

  /// The string, unescaped; for any other value, its JSON. A lone surrogate becomes U+FFFD.
  public var string: String {
    guard kind == .text(isEscaped: true) else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { room in
      cjson_unescape(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Appends the string as UTF-8, unescaped. A lone surrogate becomes U+FFFD.
  public func unescape(into buffer: inout ByteBuffer) {
    _ = buffer.append(upTo: bytes.count) { room in
      cjson_unescape(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        room.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
  }

  private var text: UnsafeRawPointer { UnsafeRawPointer(bytes.baseAddress!) - Int(node.pointee.start) }

  /// The nodes inside an array or an object.
  private var contents: Range<UnsafePointer<cjson_node>> { node + 1..<node + Int(node.pointee.span) }

  private var none: Range<UnsafePointer<cjson_node>> { node..<node }
}

/// The members of an object, from the first to the last.
public struct JSONMembers: Sequence, IteratorProtocol {
  /// A key and its value.
  public struct Member {
    /// The key, a string.
    public let key: JSONValue
    /// The value.
    public let value: JSONValue
  }

  private var rest: Range<UnsafePointer<cjson_node>>
  private let text: UnsafeRawPointer

  init(_ nodes: Range<UnsafePointer<cjson_node>>, _ text: UnsafeRawPointer) {
    rest = nodes
    self.text = text
  }

  /// The next member; nil at the end.
  public mutating func next() -> Member? {
    guard !rest.isEmpty else { return nil }
    let key = rest.lowerBound
    let value = key + 1
    rest = value + Int(value.pointee.span)..<rest.upperBound
    return Member(key: JSONValue(key, text), value: JSONValue(value, text))
  }
}

/// The elements of an array, first to last.
public struct JSONElements: Sequence, IteratorProtocol {
  private var rest: Range<UnsafePointer<cjson_node>>
  private let text: UnsafeRawPointer

  init(_ nodes: Range<UnsafePointer<cjson_node>>, _ text: UnsafeRawPointer) {
    rest = nodes
    self.text = text
  }

  /// The next value; nil at the end.
  public mutating func next() -> JSONValue? {
    guard !rest.isEmpty else { return nil }
    let element = rest.lowerBound
    rest = element + Int(element.pointee.span)..<rest.upperBound
    return JSONValue(element, text)
  }
}
