import Lua

/// The directory of a script, the base of its relative paths.
struct ScriptFolder {
  let path: String

  /// The file at this path of a script.
  func file(_ given: String) -> String { given.hasPrefix("/") ? given : path + "/" + given }

  /// The file of the first argument.
  func path(_ call: HostFunctionCall) -> String { file(call.stack.string(at: 1) ?? "") }
}
