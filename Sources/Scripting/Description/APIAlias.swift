/// A named type.
public struct APIAlias: Sendable {
  public let name: String
  /// The type, in LuaCATS notation.
  public let type: String
  public let summary: String

  init(_ name: String, _ type: String, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }
}
