/// Strings of scripts and data, made safe: no control sequence reaches the terminal.
enum PrintedString {
  /// A quoted Lua string; bytes beyond the limit are counted.
  static func quoted(_ bytes: UnsafeRawBufferPointer, limit: Int) -> PrintedLine {
    guard bytes.count > limit else {
      return [PrintedPiece(text: "\"" + escaped(bytes, quote: "\"") + "\"", kind: .string)]
    }
    var end = max(0, limit)
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let kept = escaped(UnsafeRawBufferPointer(rebasing: bytes[..<end]), quote: "\"")
    return [
      PrintedPiece(text: "\"" + kept + "…\"", kind: .string),
      PrintedPiece(text: " (\(bytes.count) bytes)", kind: .remark),
    ]
  }

  /// A string without quotes.
  static func plain(_ text: String) -> String {
    var text = text
    return text.withUTF8 { escaped(UnsafeRawBufferPointer($0), quote: nil) }
  }

  /// Lua escapes for control characters, bidirectional controls, and invalid UTF-8.
  static func escaped(_ bytes: UnsafeRawBufferPointer, quote: Unicode.Scalar?) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .emptyInput: return String(text)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        text.append(contentsOf: escaped(scalar, quote: quote))
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<position + length] {
          text.append(contentsOf: hexadecimal(byte).unicodeScalars)
        }
        position += length
      }
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar, quote: Unicode.Scalar?) -> String.UnicodeScalarView {
    switch scalar {
    case "\\" where quote != nil: return "\\\\".unicodeScalars
    case "\n": return "\\n".unicodeScalars
    case "\r": return "\\r".unicodeScalars
    case "\t": return "\\t".unicodeScalars
    case _ where scalar == quote: return "\\\(scalar)".unicodeScalars
    default: break
    }
    if scalar.value < 0x20 || scalar.value == 0x7F { return hexadecimal(UInt8(scalar.value)).unicodeScalars }
    if scalar.value < 0x80 { return String(scalar).unicodeScalars }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
      // Joins the parts of one emoji.
      if scalar.value == 0x200D { return String(scalar).unicodeScalars }
      return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
    default: return String(scalar).unicodeScalars
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
