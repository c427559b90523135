/// Walks the members of a JSON object from the first to the last, decoding nothing.
///
/// It is made for JSON that was checked before. Of broken JSON it reads no byte too many; it stops and says `isBroken`.
public struct JSONMembers {
  /// A key and its value; the key is a text.
  public struct Member {
    public let key: JSONSlice
    public let value: JSONSlice
  }

  private enum Progress {
    case beforeFirst, afterMember, ended, broken
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var progress = Progress.beforeFirst

  /// Nil when the value is no object.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    self.init(whole: bytes)
    skipSpace()
    guard take(UInt8(ascii: "{")) else { return nil }
  }

  /// Whether the walk ended before the object did.
  public var isBroken: Bool { progress == .broken }

  /// The next member; nil at the end.
  public mutating func next() -> Member? {
    switch progress {
    case .ended, .broken: return nil
    case .beforeFirst:
      skipSpace()
      if take(UInt8(ascii: "}")) { return end() }
    case .afterMember:
      skipSpace()
      if take(UInt8(ascii: "}")) { return end() }
      guard take(UInt8(ascii: ",")) else { return fail() }
      skipSpace()
    }
    progress = .afterMember
    guard take(UInt8(ascii: "\"")), let key = text() else { return fail() }
    skipSpace()
    guard take(UInt8(ascii: ":")), let value = value() else { return fail() }
    return Member(key: key, value: value)
  }

  /// The one value that the bytes are, whatever it is; nil when they are broken.
  public static func value(_ bytes: UnsafeRawBufferPointer) -> JSONSlice? {
    var walk = JSONMembers(whole: bytes)
    guard let value = walk.value() else { return nil }
    walk.skipSpace()
    return walk.place == bytes.count ? value : nil
  }

  private init(whole bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private mutating func end() -> Member? {
    skipSpace()
    progress = place == bytes.count ? .ended : .broken
    return nil
  }

  private mutating func fail() -> Member? {
    progress = .broken
    return nil
  }

  private mutating func skipSpace() {
    while place < bytes.count && bytes[place] <= 0x20 { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func value() -> JSONSlice? {
    skipSpace()
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "\""):
      place += 1
      return text()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nested()
    case UInt8(ascii: "n"): return word("null", .null)
    case UInt8(ascii: "t"): return word("true", .boolean(true))
    case UInt8(ascii: "f"): return word("false", .boolean(false))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    default: return nil
    }
  }

  /// The rest of a text whose opening quote was taken.
  private mutating func text() -> JSONSlice? {
    let start = place
    var isEscaped = false
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        let slice = slice(.text(isEscaped: isEscaped), from: start)
        place += 1
        return slice
      case UInt8(ascii: "\\"):
        isEscaped = true
        place += 2
      default: place += 1
      }
    }
    return nil
  }

  private mutating func nested() -> JSONSlice? {
    let start = place
    var depth = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return slice(.nested, from: start) }
      case UInt8(ascii: "\""): guard text() != nil else { return nil }
      default: break
      }
    }
    return nil
  }

  private mutating func number() -> JSONSlice {
    let start = place
    var kind = JSONSlice.Kind.integer
    place += 1
    scan: while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        kind = .real
      default: break scan
      }
      place += 1
    }
    return slice(kind, from: start)
  }

  private mutating func word(_ word: StaticString, _ kind: JSONSlice.Kind) -> JSONSlice? {
    let start = place
    let length = word.utf8CodeUnitCount
    guard start + length <= bytes.count else { return nil }
    for offset in 0..<length where bytes[start + offset] != word.utf8Start[offset] { return nil }
    place += length
    return slice(kind, from: start)
  }

  private func slice(_ kind: JSONSlice.Kind, from start: Int) -> JSONSlice {
    JSONSlice(kind: kind, bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
  }
}
