import CJSON

extension JSONValue {
  /// The double that a number stands for, if that keeps all of its digits: written with as many, it is the number again. Nil otherwise.
  public var exactReal: Double? {
    guard case .real = kind, let real, real.isFinite, let start = bytes.baseAddress else { return nil }
    return cjson_keeps_digits(start.assumingMemoryBound(to: CChar.self), bytes.count, real) != 0 ? real : nil
  }
}
