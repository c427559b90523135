/// A key of a table that scripts write, or a field of an object they read.
public struct APIField: Sendable {
  public let parameter: APIParameter
  /// The default, as Lua or in words; may be empty.
  public let defaultText: String
  /// Its meaning, in one sentence.
  public let summary: String

  /// Parses `name?: type = default`; a default makes it optional.
  init(_ text: String, _ summary: String) {
    let parts = text.parts(between: "=")
    parameter = APIParameter(parts[0])
    defaultText = parts.count > 1 ? parts[1] : ""
    self.summary = summary
  }

  public var name: String { parameter.name }
  public var type: String { parameter.type }
  public var isOptional: Bool { parameter.isOptional }
}
