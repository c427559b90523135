/// A key of a table that scripts write, or a field of an object that they read.
public struct APIField: Sendable {
  public let parameter: APIParameter
  /// What counts where it is left out, as it is written in Lua or in words; empty where nothing does.
  public let defaultText: String
  /// What it means, in one sentence.
  public let summary: String

  /// Reads `name?: type = default`; a default makes it optional.
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
