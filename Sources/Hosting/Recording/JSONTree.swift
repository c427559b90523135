/// A JSON value with all that is in it: for recordings, where a line is read once and far from the way of items.
enum JSONTree: Equatable {
  case null
  case boolean(Bool)
  /// As it is written, so that no digit is lost.
  case number(String)
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  /// Nil when the bytes are not one JSON value in UTF-8.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = JSONTreeReader(bytes)
    guard let tree = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = tree
  }

  /// What it is, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// Reads a value from the first byte to the last.
private struct JSONTreeReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// Deeper values are refused, since each level takes some of the stack.
  private static let deepest = 64

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether only blanks are left.
  var isAtEnd: Bool { bytes[place...].allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  mutating func value(depth: Int) -> JSONTree? {
    skipBlanks()
    guard place < bytes.count, depth < JSONTreeReader.deepest else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
    case UInt8(ascii: "t"): return takeWord("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return takeWord("false") ? .boolean(false) : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONTree? {
    var members: [String: JSONTree] = [:]
    place += 1
    if take(UInt8(ascii: "}")) { return .object([:]) }
    repeat {
      skipBlanks()
      guard let name = text(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else {
        return nil
      }
      members[name] = value
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func list(depth: Int) -> JSONTree? {
    var elements: [JSONTree] = []
    place += 1
    if take(UInt8(ascii: "]")) { return .list([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .list(elements) : nil
  }

  private mutating func text() -> String? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
    place += 1
    let start = place
    var isEscaped = false
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] < 0x20 { return nil }
      if bytes[place] == UInt8(ascii: "\\") {
        isEscaped = true
        place += 1
      }
      place += 1
    }
    guard place < bytes.count else { return nil }
    let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<place])
    place += 1
    guard let text = String(validating: slice, as: UTF8.self) else { return nil }
    return isEscaped ? JSONSlice(kind: .text(isEscaped: true), bytes: slice).string : text
  }

  private mutating func number() -> JSONTree? {
    let start = place
    while place < bytes.count, "+-.eE0123456789".utf8.contains(bytes[place]) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    return Double(text) == nil ? nil : .number(text)
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[place..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { return false }
    place = end
    return true
  }

  private mutating func skipBlanks() {
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }
}
