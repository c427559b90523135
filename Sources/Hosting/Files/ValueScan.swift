/// Where a value of JSON ends: what is known of it so far.
struct ValueScan {
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  private(set) var isEmpty = true
  private(set) var isOver = false

  /// Whether it may end here.
  var isWhole: Bool { isOver || depth == 0 && !isText && !isEmpty }

  /// Goes on from there; answers the place behind its end, or behind the bytes.
  mutating func run(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      if isText {
        at = passText(bytes, from: at)
        isOver = !isText && depth == 0
        if isOver { return at }
        continue
      }
      switch bytes[at] {
      case UInt8(ascii: "\""):
        if depth == 0, !isEmpty { return ended(at) }
        isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 0, !isEmpty { return ended(at) }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return ended(at) }
        depth -= 1
        if depth == 0 { return ended(at + 1) }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return ended(at) }
      default: break
      }
      isEmpty = false
      at += 1
    }
    return at
  }

  /// Passes the rest of a text and its quote.
  private mutating func passText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    if isEscaped {
      isEscaped = false
      at += 1
    }
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") {
        isText = false
        return at
      }
      guard byte == UInt8(ascii: "\\") else { continue }
      isEscaped = at == bytes.count
      at += 1
    }
    return min(at, bytes.count)
  }

  private mutating func ended(_ place: Int) -> Int {
    isOver = true
    return place
  }
}
