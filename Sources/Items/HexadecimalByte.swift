extension UInt8 {
  /// The byte that two hexadecimal digits stand for; nil for anything else, as a sign.
  public init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 2 else { return nil }
    self = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | (digit - UInt8(ascii: "0"))
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        self = self << 4 | ((digit | 0x20) - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
  }
}
