import Glibc
import Items

extension SecretMask {
  /// Remembers tokens as authorization servers give them out in JSON (RFC 6749, 5.1).
  func learn(body: Bytes) {
    for name in ["\"access_token\"", "\"refresh_token\"", "\"id_token\"", "\"client_secret\""] {
      body.withUnsafeBytes { raw in
        var rest = raw
        while let place = rest.firstPlace(after: Array(name.utf8)) {
          rest = UnsafeRawBufferPointer(rebasing: rest[place...])
          if let value = rest.textAfterColon { learn(value) }
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The place after the first bytes that are equal to these; nil when there are none.
  func firstPlace(after text: [UInt8]) -> Int? {
    guard let base = baseAddress, let first = text.first else { return nil }
    var place = 0
    while place + text.count <= count {
      guard let found = memchr(base + place, Int32(first), count - text.count + 1 - place) else { return nil }
      place = UnsafeRawPointer(found) - base
      if memcmp(found, text, text.count) == 0 { return place + text.count }
      place += 1
    }
    return nil
  }

  /// The text that comes after a colon, as it is written; nil when something else does.
  var textAfterColon: String? {
    var rest = self[...].drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
    rest = rest.drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}
