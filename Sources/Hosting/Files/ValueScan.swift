import JSON

/// Where a value of JSON ends: what is known of it so far.
struct ValueScan {
  private enum Form {
    case unknown
    case bracketed(JSONExtent)
    case text(isEscaped: Bool)
    /// A number or a word.
    case plain
  }

  private var form = Form.unknown
  private(set) var isOver = false

  var isEmpty: Bool { if case .unknown = form { true } else { false } }

  /// Whether it may end here.
  var isWhole: Bool { if case .plain = form { true } else { isOver } }

  /// Goes on from there; answers the place behind its end, or behind the bytes.
  mutating func run(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < bytes.count else { return start }
    switch form {
    case .unknown: return begin(bytes, from: start)
    case .bracketed(var extent):
      let end = start + extent.pass(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      form = .bracketed(extent)
      isOver = extent.isWhole
      return end
    case .text(let isEscaped): return passText(bytes, from: isEscaped ? start + 1 : start)
    case .plain:
      let end = bytes[start...].firstIndex(where: ValueScan.endsPlain) ?? bytes.endIndex
      isOver = end < bytes.endIndex
      return end
    }
  }

  private mutating func begin(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    switch bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      form = .bracketed(JSONExtent())
      return run(bytes, from: start)
    case UInt8(ascii: "\""):
      form = .text(isEscaped: false)
      return run(bytes, from: start + 1)
    case let byte where ValueScan.endsPlain(byte):
      isOver = true
      return start
    default:
      form = .plain
      return run(bytes, from: start)
    }
  }

  /// Passes the rest of a text and its quote.
  private mutating func passText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        isOver = true
        return at + 1
      case UInt8(ascii: "\\"): at += 2
      default: at += 1
      }
    }
    form = .text(isEscaped: at > bytes.count)
    return bytes.count
  }

  /// Whether a number or a word ends before that byte.
  private static func endsPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"),
      UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
      true
    default: false
    }
  }
}
