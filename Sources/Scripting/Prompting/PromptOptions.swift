public import Lua

/// A person types lines of Lua beside the script: the run ends with `leavePrompt` only, and what the script returns is kept
/// instead of being read.
public struct PromptOptions {
  /// Takes an error that no line has caused, or whose line is over: of the script itself, of a task that goes on.
  public var failed: (LuaError) -> Void = { _ in }
  /// Takes an item that was emitted, as JSON, and its stream: a prompt has no sink.
  public var emitted: (_ json: String, _ stream: String?) -> Void = { _, _ in }
  /// Names that a text in quotes may go on with, for completion; files as a rule.
  public var completesText: (_ text: String) -> [String] = { _ in [] }

  public init() {}
}
