import Items
import JSON
import Paging

/// Why a line of a recording can't be parsed: what was expected, and what was found.
struct LineFault: Error {
  let expected: String
  let got: String
}

/// The members of a recorded object, read by name and kind.
struct RecordedFields {
  private let members: [String: JSONTree]
  /// The object's name in messages.
  private let name: String

  init(_ tree: JSONTree?, _ name: String) throws(LineFault) {
    guard case .object(let members)? = tree else {
      throw LineFault(expected: "an object as \(name)", got: tree?.kind ?? "none")
    }
    self.members = members
    self.name = name
  }

  subscript(_ name: String) -> JSONTree? { members[name] }

  func has(_ name: String) -> Bool { members[name] != nil }

  func fields(_ name: String) throws(LineFault) -> RecordedFields { try RecordedFields(members[name], name) }

  func text(_ name: String) throws(LineFault) -> String {
    guard case .text(let text)? = members[name] else { throw fault(name, "a text") }
    return text
  }

  /// Nil if null or missing.
  func textIfAny(_ name: String) throws(LineFault) -> String? { try isNone(name) ? nil : text(name) }

  func integer(_ name: String) throws(LineFault) -> Int {
    guard case .number(let text)? = members[name], let value = Int(text) else {
      throw fault(name, "a whole number")
    }
    return value
  }

  func real(_ name: String) throws(LineFault) -> Double {
    guard case .number(let text)? = members[name], let value = Double(text) else {
      throw fault(name, "a number")
    }
    return value
  }

  func integerIfAny(_ name: String) throws(LineFault) -> Int? { try isNone(name) ? nil : integer(name) }

  func boolean(_ name: String) throws(LineFault) -> Bool {
    guard case .boolean(let value)? = members[name] else { throw fault(name, "true or false") }
    return value
  }

  func booleanIfAny(_ name: String) throws(LineFault) -> Bool? {
    try members[name] == nil ? nil : boolean(name)
  }

  /// A duration, clamped to the longest one.
  func duration(_ name: String) throws(LineFault) -> Duration {
    guard case .number(let text)? = members[name], let value = Duration(decimalSeconds: text) else {
      throw fault(name, "a number of seconds")
    }
    return min(max(value, .seconds(-4_000_000_000)), .seconds(4_000_000_000))
  }

  func durationIfAny(_ name: String) throws(LineFault) -> Duration? {
    try isNone(name) ? nil : duration(name)
  }

  /// A duration that fits the range of times.
  func time(_ name: String) throws(LineFault) -> Duration {
    let span = try duration(name)
    guard span >= .zero, span < .seconds(4_000_000_000) else {
      throw fault(name, "a number of seconds from 0 to 4e9")
    }
    return span
  }

  func instant(_ name: String) throws(LineFault) -> Instant { .zero + (try time(name)) }

  /// Plain text, or an object with `base64`.
  func bytes(_ name: String) throws(LineFault) -> Bytes {
    guard let bytes = Bytes(members[name]) else { throw fault(name, "a text or base64") }
    return bytes
  }

  func bytesIfAny(_ name: String) throws(LineFault) -> Bytes? { try isNone(name) ? nil : bytes(name) }

  func list(_ name: String) throws(LineFault) -> [JSONTree] {
    guard case .list(let list)? = members[name] else { throw fault(name, "a list") }
    return list
  }

  /// Every element of a list, converted by `read`, which returns nil for a fault.
  func list<Element>(
    _ name: String, of what: String, _ read: (JSONTree) -> Element?
  ) throws(LineFault) -> [Element] {
    var elements: [Element] = []
    for tree in try list(name) {
      guard let element = read(tree) else {
        throw LineFault(expected: "\(what) in '\(name)' of \(self.name)", got: tree.kind)
      }
      elements.append(element)
    }
    return elements
  }

  /// The members of the object, sorted by name.
  var all: [(name: String, value: JSONTree)] {
    members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func fault(_ name: String, _ expected: String) -> LineFault {
    LineFault(expected: "\(expected) as '\(name)' of \(self.name)", got: members[name]?.kind ?? "none")
  }

  private func isNone(_ name: String) -> Bool { members[name] == nil || members[name] == .null }
}

extension JSONTree {
  /// Its kind, for messages.
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

extension Bytes {
  /// Text, or an object with base64 bytes; nil for anything else.
  init?(_ tree: JSONTree?) {
    switch tree {
    case .text(let text): self.init(text)
    case .object(let members):
      guard case .text(let text)? = members["base64"], let bytes = Bytes.decoding(base64: text) else {
        return nil
      }
      self = bytes
    default: return nil
    }
  }

  /// Padded base64 (RFC 4648); nil for anything else.
  static func decoding(base64 text: String) -> Bytes? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    for start in stride(from: 0, to: letters.count, by: 4) {
      var group: UInt32 = 0
      for place in start..<start + 4 {
        guard let sextet = place < letters.count - padding ? sextet(letters[place]) : 0 else { return nil }
        group = group << 6 | sextet
      }
      for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
    }
    bytes.removeLast(padding)
    return bytes.withUnsafeBytes { Bytes(copying: $0) }
  }

  private static func sextet(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension JSONWriter {
  /// A member with a text or null.
  mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { text(value) } else { null() }
  }

  /// A member with bytes, as text if possible.
  mutating func member(_ name: String, _ value: Bytes) {
    key(name)
    contents(value)
  }

  /// A member with a number of seconds.
  mutating func member(_ name: String, _ value: Duration) {
    key(name)
    seconds(value)
  }

  /// A member with a list of pairs, since names may repeat.
  mutating func member(_ name: String, _ headers: [HTTPHeader]) {
    member(name, headers) { json, header in json.array([header.name, header.value]) { $0.text($1) } }
  }

  /// The bytes as text if they are valid UTF-8, else as an object with `base64`.
  mutating func contents(_ bytes: Bytes) {
    bytes.withUnsafeBytes { raw in
      if String(validating: raw, as: UTF8.self) != nil { return text(raw) }
      object {
        $0.key("base64")
        $0.base64(raw)
      }
    }
  }

  /// A number of seconds.
  mutating func seconds(_ duration: Duration) { raw(text: duration.decimalSeconds) }
}

extension Duration {
  /// Seconds as an exact decimal number, such as `0.0204`.
  var decimalSeconds: String {
    let (seconds, attoseconds) = components
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    let digits = String(attoseconds.magnitude)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    return "\(sign)\(seconds.magnitude)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// Parses a number of seconds: exactly, or rounded if it has an exponent. Nil if it is invalid or does not fit.
  init?(decimalSeconds text: String) {
    guard !text.contains(where: { "eE".contains($0) }) else {
      guard let seconds = Double(text), abs(seconds) < 1e15 else { return nil }
      self = .seconds(seconds)
      return
    }
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1].prefix(18) : ""
    guard let first = parts.first, let seconds = Int64(first),
      let attoseconds = Int64(fraction + String(repeating: "0", count: 18 - fraction.count))
    else { return nil }
    self.init(
      secondsComponent: isNegative ? -seconds : seconds,
      attosecondsComponent: isNegative ? -attoseconds : attoseconds)
  }
}
