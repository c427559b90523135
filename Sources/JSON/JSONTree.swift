/// A JSON value with all that is in it, which outlives the bytes it was read from: for what is read once and far from the way of
/// items. Of members with one key the last counts.
public enum JSONTree: Hashable, Sendable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number as it is written, so that no digit is lost.
  case number(String)
  /// A text.
  case text(String)
  /// The values of an array in their order.
  case list([JSONTree])
  /// The members of an object.
  case object([String: JSONTree])

  /// Levels that are read: each takes some of the stack.
  public static let mostNested = 64

  /// The value with all that is in it.
  public init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer, .real: self = .number(value.string)
    case .text: self = .text(value.string)
    case .array: self = .list(value.elements.map { JSONTree($0) })
    case .object:
      self = .object(
        Dictionary(value.members.map { ($0.key.string, JSONTree($0.value)) }) { _, last in last })
    }
  }

  /// The one value that the text is.
  public init(_ text: some StringProtocol) throws(JSONFault) {
    self = try JSONReader.read(text, deepest: JSONTree.mostNested) { JSONTree($0) }
  }

  /// The one value that the bytes are; nil when they are no JSON.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = JSONReader()
    guard let value = reader.readIfValid(bytes, deepest: JSONTree.mostNested) else { return nil }
    self.init(value)
  }

  /// The number nearest to what is written, infinite where it is too large; nil when it is no number.
  public var number: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// The text, nil when it is none.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The member of that name, nil where there is none.
  public subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}
