public import Lua

/// Settings of a prompt: the user types lines of Lua beside the script. The run ends only with `leavePrompt`, and the
/// script's results are kept instead of being read.
///
/// ```swift
/// options.prompt = PromptOptions()
/// let workflow = try Workflow(text: script, options: options)
/// workflow.evaluate("1 + 1", name: "prompt:1") { show($0.values) }
/// ```
public struct PromptOptions {
  /// Handles an error that belongs to no running line: of the script itself, or of a task that continues.
  public var failed: (LuaError) -> Void = { _ in }
  /// Handles an emitted item, as JSON, and its stream: a prompt has no sink.
  public var emitted: (_ json: String, _ stream: String?) -> Void = { _, _ in }
  /// Completions of a quoted string; usually file names.
  public var completesText: (_ text: String) -> [String] = { _ in [] }
  /// Whether an interruption between two lines ends the next one; otherwise, for somebody who sees the prompt, it says nothing.
  public var keepsInterruptions = false

  public init() {}
}
