public import Items
import JSON

/// A JSON value for display: members in order, numbers as written.
public indirect enum ItemValue: Sendable, Hashable {
  /// A number, `true`, `false` or `null`, verbatim.
  case literal(String)
  case text(String)
  case list([ItemValue])
  case object([Member])

  /// A named value of an object.
  public struct Member: Sendable, Hashable {
    public let name: String
    public let value: ItemValue

    public init(name: String, value: ItemValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an item; invalid JSON is one text.
  public init(_ bytes: Bytes) {
    self = bytes.withUnsafeBytes { buffer in
      var reader = JSONReader()
      return reader.readIfValid(buffer, deepest: Self.mostNested).map { ItemValue($0) }
        ?? .text(String(decoding: buffer, as: UTF8.self))
    }
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .null, .boolean, .integer, .real: self = .literal(value.string)
    case .text: self = .text(value.string)
    case .array: self = .list(value.elements.map { ItemValue($0) })
    case .object:
      self = .object(value.members.map { Member(name: $0.key.string, value: ItemValue($0.value)) })
    }
  }

  private static let mostNested = 100

  /// On one line: strings verbatim, lists and objects as JSON.
  public var line: String {
    switch self {
    case .literal(let text), .text(let text): text
    case .list, .object: json
    }
  }

  private var json: String {
    switch self {
    case .literal(let text): text
    case .text(let text): "\"\(text)\""
    case .list(let values): "[" + values.map(\.json).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\($0.name): \($0.value.json)" }.joined(separator: ", ") + "}"
    }
  }

  /// Whether it is a number, so that columns of them are right-aligned.
  public var isNumber: Bool {
    guard case .literal(let text) = self, let first = text.utf8.first else { return false }
    return first == 0x2D || 0x30...0x39 ~= first
  }

  /// Whether it contains a text, ignoring member names; `needle` is in lower case.
  public func contains(_ needle: String) -> Bool {
    switch self {
    case .literal(let text), .text(let text): text.lowercased().contains(needle)
    case .list(let values): values.contains { $0.contains(needle) }
    case .object(let members): members.contains { $0.value.contains(needle) }
    }
  }
}
