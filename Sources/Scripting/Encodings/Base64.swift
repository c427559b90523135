/// Base64 (RFC 4648): encodes with padding; decodes both alphabets, with or without padding.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
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

  /// Nil if the text is not base64.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var group = 0
    var bits = 0
    for byte in text.utf8
    where byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") {
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
