import CJSON

extension JSONValue {
  /// The double that a number stands for, if that keeps all of its digits; nil otherwise.
  public var exactReal: Double? {
    guard case .real = kind, let real, real.isFinite else { return nil }
    return real.keepsDigits(of: bytes) ? real : nil
  }
}

extension Double {
  /// Whether it keeps all digits of a number in JSON to which it is the nearest: written with as many, it is the number again. More
  /// than 17 are never kept, since no double needs them to be told from others.
  public func keepsDigits(of number: UnsafeRawBufferPointer) -> Bool {
    guard let start = number.baseAddress else { return false }
    return cjson_keeps_digits(start.assumingMemoryBound(to: CChar.self), number.count, self) != 0
  }
}
