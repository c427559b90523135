/// Base64 (RFC 4648): encodes with padding; decodes both alphabets, with all of the padding or none, and with line ends.
public enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of the bytes, without line ends.
  public static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var start = 0
    while start < bytes.count {
      let rest = min(3, bytes.count - start)
      var group = 0
      for offset in 0..<3 { group = group << 8 | (offset < rest ? Int(bytes[start + offset]) : 0) }
      for offset in 0..<4 {
        text.append(offset <= rest ? alphabet[group >> (18 - 6 * offset) & 63] : UInt8(ascii: "="))
      }
      start += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil if the text is not base64. What fills the last four characters stands behind all others.
  public static func decode(_ text: String) -> [UInt8]? {
    let characters = text.utf8.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let data = characters.prefix { $0 != UInt8(ascii: "=") }
    let padding = characters[data.endIndex...]
    guard padding.allSatisfy({ $0 == UInt8(ascii: "=") }),
      padding.isEmpty || padding.count < 3 && characters.count.isMultiple(of: 4)
    else { return nil }
    var bytes: [UInt8] = []
    var group = 0
    var bits = 0
    for byte in data {
      guard let value = value(of: byte) else { return nil }
      group = (group << 6 | value) & 0xFF_FFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      }
    }
    return bits == 6 ? nil : bytes
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: alphabet.firstIndex(of: byte)
    }
  }
}
