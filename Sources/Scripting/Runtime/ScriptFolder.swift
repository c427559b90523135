import Lua

/// The folder of a script, which its relative paths count from.
struct ScriptFolder {
  let path: String

  /// The file that a script means by this path.
  func file(_ given: String) -> String { given.hasPrefix("/") ? given : path + "/" + given }

  /// The file of the first argument.
  func path(_ call: HostFunctionCall) -> String { file(call.stack.string(at: 1) ?? "") }
}
