import CCrypto

/// The digest of the data, or with a key its HMAC (RFC 2104); the algorithm is `md5`, `sha1`, `sha256`, `sha384` or `sha512`.
public func digest(_ algorithm: String, key: [UInt8]?, data: [UInt8]) -> [UInt8] {
  let inOpenSSL =
    switch algorithm {
    case "md5": CCRYPTO_MD5
    case "sha1": CCRYPTO_SHA1
    case "sha256": CCRYPTO_SHA256
    case "sha384": CCRYPTO_SHA384
    case "sha512": CCRYPTO_SHA512
    default: preconditionFailure("there is no digest called \(algorithm)")
    }
  return digest(inOpenSSL, key, data)
}

/// SHA-256 of the data: 32 bytes.
public func sha256(_ data: [UInt8]) -> [UInt8] { digest(CCRYPTO_SHA256, nil, data) }

private func digest(_ algorithm: ccrypto_algorithm, _ key: [UInt8]?, _ data: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_MOST))
  // An empty key is still a key: its address must not be nil.
  let padded = key.map { $0.isEmpty ? [0] : $0 }
  let count = ccrypto_digest(algorithm, padded, key?.count ?? 0, data, data.count, &digest)
  precondition(count > 0, "OpenSSL refuses")
  return Array(digest.prefix(count))
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
