import JSON

extension JSONValue {
  /// The double that a number stands for, as far as it has no more digits than one keeps; nil otherwise.
  var exactReal: Double? {
    guard case .real = kind, let real, real.isFinite else { return nil }
    guard bytes.count <= 17 || bytes.significantDigits <= 17 else { return nil }
    return real != 0 || !bytes.hasDigitBeyondZero ? real : nil
  }
}

extension UnsafeRawBufferPointer {
  /// Digits of a JSON number from its first that is not zero to its last.
  var significantDigits: Int {
    var (count, zeros) = (0, 0)
    for byte in self {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      guard let digit = byte.digit else { continue }
      if digit > 0 {
        (count, zeros) = (count + zeros + 1, 0)
      } else if count > 0 {
        zeros += 1
      }
    }
    return count
  }

  /// Whether the mantissa of a JSON number is not zero.
  var hasDigitBeyondZero: Bool { significantDigits > 0 }
}
