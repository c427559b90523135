import Items

extension Bytes {
  /// Text, or an object with its bytes in base64; nil when the tree is neither.
  init?(_ tree: JSONTree?) {
    switch tree {
    case .text(let text): self.init(text)
    case .object(let members):
      guard case .text(let text)? = members["base64"], let bytes = Bytes.decoding(base64: text) else {
        return nil
      }
      self = bytes
    default: return nil
    }
  }

  /// Base64 of RFC 4648, padded; nil when it is something else.
  static func decoding(base64 text: String) -> Bytes? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    for start in stride(from: 0, to: letters.count, by: 4) {
      var group: UInt32 = 0
      for place in start..<start + 4 {
        guard let sextet = place < letters.count - padding ? sextet(letters[place]) : 0 else { return nil }
        group = group << 6 | sextet
      }
      for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
    }
    bytes.removeLast(padding)
    return bytes.withUnsafeBytes { Bytes(copying: $0) }
  }

  private static func sextet(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension JSONWriter {
  /// The bytes as text where they are text in UTF-8, else as an object with `base64`.
  mutating func contents(_ bytes: Bytes) {
    bytes.withUnsafeBytes { raw in
      if String(validating: raw, as: UTF8.self) != nil {
        text(raw)
      } else {
        self.raw("{\"base64\":")
        base64(raw)
        self.raw("}")
      }
    }
  }

  /// A number of seconds.
  mutating func seconds(_ duration: Duration) { raw(Bytes(duration.decimalSeconds)) }

  mutating func boolean(_ value: Bool) {
    if value { raw("true") } else { raw("false") }
  }

  /// A list whose elements `write` writes.
  mutating func list<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for element in elements {
      if !isFirst { raw(",") }
      isFirst = false
      write(&self, element)
    }
    raw("]")
  }
}
