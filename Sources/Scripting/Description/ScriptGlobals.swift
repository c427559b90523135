/// Something of Lua's own library that scripts do not have.
public struct MissingGlobal: Sendable {
  /// As scripts write it: `io`, `os.exit`.
  public let name: String
  /// What serves instead, as a clause; empty where nothing does.
  public let advice: String

  init(_ name: String, _ advice: String = "") {
    self.name = name
    self.advice = advice
  }
}

/// What scripts find of Lua's own library.
public enum ScriptGlobals {
  /// Globals of Lua 5.4 that scripts do not have, and fields of those that they have: they reach the world past the
  /// permissions, or behind the sandbox.
  public static let missing = [
    MissingGlobal("debug"),
    MissingGlobal("dofile", "`require` loads a file of the script's folder"),
    MissingGlobal("io", "`lookahead.fs` reads and writes files"),
    MissingGlobal("loadfile", "`require` loads a file of the script's folder"),
    MissingGlobal("package", "`require` finds modules in the script's folder"),
    MissingGlobal("warn", "`lookahead.log.warn` writes to the log"),
    MissingGlobal("os.execute"),
    MissingGlobal("os.exit", "`error` ends a script"),
    MissingGlobal("os.getenv", "`lookahead.env.get` reads a variable, `lookahead.parameters` declares one"),
    MissingGlobal("os.remove"),
    MissingGlobal("os.rename"),
    MissingGlobal("os.setlocale"),
    MissingGlobal("os.tmpname"),
    MissingGlobal("string.dump"),
  ]
}
