extension ByteBuffer {
  /// Adds a JSON value as the cell of a CSV row: text without its quotes, nothing for null, otherwise its JSON.
  mutating func appendCell(_ value: JSONSlice) {
    switch value.kind {
    case .null: break
    case .boolean, .integer, .real: append(value.bytes)
    case .nested, .text(isEscaped: false): appendCell(value.bytes)
    case .text(isEscaped: true):
      var text = ByteBuffer(capacity: value.bytes.count)
      value.unescape(into: &text)
      appendCell(text.contents)
    }
  }

  /// Adds text as the cell of a CSV row, in quotes where it needs them. An empty text gets them too: null does not.
  mutating func appendCell(_ text: UnsafeRawBufferPointer) {
    guard text.isEmpty || text.contains(where: ByteBuffer.needsQuotes) else { return append(text) }
    append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { append(byte) }
      append(byte)
    }
    append(UInt8(ascii: "\""))
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
