import CCrypto

/// SHA-256 of the data, or its HMAC with a key (RFC 2104): 32 bytes.
public func sha256(key: [UInt8]?, data: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  // An empty key is still a key: its address must not be nil.
  let padded = key.map { $0.isEmpty ? [0] : $0 }
  let isDone = ccrypto_sha256(padded, key?.count ?? 0, data, data.count, &digest)
  precondition(isDone, "OpenSSL has no SHA-256")
  return digest
}

extension [UInt8] {
  /// In hexadecimal, as `0aff`.
  public var hexadecimal: String {
    String(unsafeUninitializedCapacity: count * 2) { room in
      let digits: StaticString = "0123456789abcdef"
      for (place, byte) in enumerated() {
        room[place * 2] = digits.utf8Start[Int(byte >> 4)]
        room[place * 2 + 1] = digits.utf8Start[Int(byte & 15)]
      }
      return count * 2
    }
  }
  /// The bytes that digits of that form stand for; nil if it is none.
  init?(hexadecimal digits: Substring) {
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
