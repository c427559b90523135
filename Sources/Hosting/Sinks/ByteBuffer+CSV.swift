extension ByteBuffer {
  /// Adds a JSON value as the cell of a CSV row: text without its quotes, nothing for null, otherwise its JSON. A text that a
  /// spreadsheet would calculate gets an apostrophe where the cell is to be safe.
  mutating func appendCell(_ value: JSONSlice, isSafe: Bool = false) {
    switch value.kind {
    case .null: break
    case .boolean, .integer, .real: append(value.bytes)
    case .nested, .text(isEscaped: false): appendCell(value.bytes, isSafe: isSafe)
    case .text(isEscaped: true):
      var text = ByteBuffer(capacity: value.bytes.count)
      value.unescape(into: &text)
      appendCell(text.contents, isSafe: isSafe)
    }
  }

  /// Adds text as the cell of a CSV row, in quotes where it needs them. An empty text gets them too: null does not.
  mutating func appendCell(_ text: UnsafeRawBufferPointer, isSafe: Bool = false) {
    let isFormula = isSafe && ByteBuffer.isFormula(text)
    guard text.isEmpty || text.contains(where: ByteBuffer.needsQuotes) else {
      if isFormula { append(UInt8(ascii: "'")) }
      return append(text)
    }
    append(UInt8(ascii: "\""))
    if isFormula { append(UInt8(ascii: "'")) }
    for byte in text {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }

  /// Whether a spreadsheet takes the text for a formula, or may after it has dropped what stands in front: it begins with one
  /// of `= + - @`, a tab or a line break, and is no number.
  private static func isFormula(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isNumber(text.dropFirst())
    default:
      // The wide forms, which some take for the narrow ones.
      return [[0xEF, 0xBC, 0x9D], [0xEF, 0xBC, 0x8B], [0xEF, 0xBC, 0x8D], [0xEF, 0xBC, 0xA0]].contains {
        (wide: [UInt8]) in text.starts(with: wide)
      }
    }
  }

  /// Digits with at most one point among them.
  private static func isNumber(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    let points = text.count { $0 == UInt8(ascii: ".") }
    let digits = text.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits > 0 && points <= 1 && points + digits == text.count
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
