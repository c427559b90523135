/// A type that has a name.
public struct APIAlias: Sendable {
  public let name: String
  /// What it stands for, in the notation of LuaCATS.
  public let type: String
  public let summary: String

  init(_ name: String, _ type: String, _ summary: String) {
    self.name = name
    self.type = type
    self.summary = summary
  }
}
