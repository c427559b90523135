/// A JSON value with all its contents, independent of the bytes it was read from: for small documents off the item
/// path. The last of several members with the same key wins.
///
/// ```swift
/// let name = try JSONTree(#"{"name": "feed"}"#)["name"]?.text  // "feed"
/// ```
public enum JSONTree: Hashable, Sendable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number as written, so that no digit is lost.
  case number(String)
  /// A string.
  case text(String)
  /// The elements of an array, in order.
  case list([JSONTree])
  /// The members of an object.
  case object([String: JSONTree])

  /// Maximum nesting; each level takes stack space.
  public static let mostNested = 64

  /// The value with all its contents.
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

  /// The single value in the text.
  public init(_ text: some StringProtocol) throws(JSONFault) {
    self = try JSONReader.read(text, deepest: JSONTree.mostNested) { JSONTree($0) }
  }

  /// The single value in the bytes; nil if they are not JSON.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = JSONReader()
    guard let value = reader.readIfValid(bytes, deepest: JSONTree.mostNested) else { return nil }
    self.init(value)
  }

  /// The nearest double, infinite on overflow; nil if it is not a number.
  public var number: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// The string; nil if it is not one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The member with this key; nil if there is none.
  public subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}
