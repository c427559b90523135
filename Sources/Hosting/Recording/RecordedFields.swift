import Items
import Paging

/// Why a line of a recording can't be read: what was expected, and what came.
struct LineFault: Error {
  let expected: String
  let got: String
}

/// The members of an object of a recording, read by name and kind.
struct RecordedFields {
  private let members: [String: JSONTree]
  /// What the object is, for messages.
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

  /// Nil when it is null or not there.
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

  /// A span; one that is longer than times can be counted in is as long as that.
  func duration(_ name: String) throws(LineFault) -> Duration {
    guard case .number(let text)? = members[name], let value = Duration(decimalSeconds: text) else {
      throw fault(name, "a number of seconds")
    }
    return min(max(value, .seconds(-4_000_000_000)), .seconds(4_000_000_000))
  }

  func durationIfAny(_ name: String) throws(LineFault) -> Duration? {
    try isNone(name) ? nil : duration(name)
  }

  /// A span that times can be counted in; longer ones would not fit.
  func time(_ name: String) throws(LineFault) -> Duration {
    let span = try duration(name)
    guard span >= .zero, span < .seconds(4_000_000_000) else {
      throw fault(name, "a number of seconds from 0 to 4e9")
    }
    return span
  }

  func instant(_ name: String) throws(LineFault) -> Instant { .zero + (try time(name)) }

  /// Text as it is, or an object with `base64`.
  func bytes(_ name: String) throws(LineFault) -> Bytes {
    guard let bytes = Bytes(members[name]) else { throw fault(name, "a text or base64") }
    return bytes
  }

  func bytesIfAny(_ name: String) throws(LineFault) -> Bytes? { try isNone(name) ? nil : bytes(name) }

  func list(_ name: String) throws(LineFault) -> [JSONTree] {
    guard case .list(let list)? = members[name] else { throw fault(name, "a list") }
    return list
  }

  /// Every element of a list, as `read` has it; nil of it is a fault.
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

  /// The members that the object has, in the order of their names.
  var all: [(name: String, value: JSONTree)] {
    members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func fault(_ name: String, _ expected: String) -> LineFault {
    LineFault(expected: "\(expected) as '\(name)' of \(self.name)", got: members[name]?.kind ?? "none")
  }

  private func isNone(_ name: String) -> Bool { members[name] == nil || members[name] == .null }
}

extension JSONTree {
  /// The text, nil when it is none.
  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}
