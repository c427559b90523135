/// How ids are hashed and compared: fast for integers and strings, by their own conformance otherwise.
///
/// Strings are compared byte by byte. The hash is seeded per process, so ids can't be prepared to collide, and no
/// result depends on it.
@usableFromInline
enum Identity {
  @usableFromInline static let seed = UInt64(bitPattern: Int64(Hasher().finalize()))

  @inlinable @inline(__always)
  static func hash<ID: Hashable>(_ id: ID, _ seed: UInt64) -> UInt64 {
    if ID.self == Int.self { return mix(UInt64(bitPattern: Int64(unsafeBitCast(id, to: Int.self))), seed) }
    if ID.self == Int64.self { return mix(UInt64(bitPattern: unsafeBitCast(id, to: Int64.self)), seed) }
    if let id = id as? String { return hash(text: id, seed) }
    if let id = id as? ItemID {
      switch id {
      case .integer(let value): return mix(UInt64(bitPattern: value), seed)
      case .text(let text): return hash(text: text, seed)
      }
    }
    return UInt64(bitPattern: Int64(id.hashValue))
  }

  @inlinable @inline(__always)
  static func isSame<ID: Hashable>(_ left: ID, _ right: ID) -> Bool {
    if let left = left as? String, let right = right as? String { return isSame(text: left, right) }
    if let left = left as? ItemID, let right = right as? ItemID {
      switch (left, right) {
      case (.integer(let left), .integer(let right)): return left == right
      case (.text(let left), .text(let right)): return isSame(text: left, right)
      case (.integer, .text), (.text, .integer): return false
      }
    }
    return left == right
  }

  @inlinable @inline(__always)
  static func mix(_ value: UInt64, _ seed: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  @inlinable
  static func hash(text: String, _ seed: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        hash = mix(word, hash)
        offset += 8
      }
      var tail: UInt64 = 0
      while offset < bytes.count {
        tail = tail << 8 | UInt64(bytes[offset])
        offset += 1
      }
      return mix(tail ^ 0xA076_1D64_78BD_642F, hash)
    }
  }

  @inlinable
  static func isSame(text left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    var (left, right) = (left, right)
    return left.withUTF8 { l in right.withUTF8 { r in memcmpEqual(l, r) } }
  }

  @inlinable @inline(__always)
  static func memcmpEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let l = UnsafeRawPointer(left.baseAddress), let r = UnsafeRawPointer(right.baseAddress) else {
      return true
    }
    var offset = 0
    while offset + 8 <= left.count {
      let same =
        l.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == r.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard same else { return false }
      offset += 8
    }
    while offset < left.count {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }
}
