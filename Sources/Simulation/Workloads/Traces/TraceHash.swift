/// FNV-1a as 16 hexadecimal digits: traces with equal hashes are the same.
struct TraceHash {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds a line.
  mutating func add(_ line: some StringProtocol) {
    for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ 10) &* 0x0000_0100_0000_01B3
  }

  var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
