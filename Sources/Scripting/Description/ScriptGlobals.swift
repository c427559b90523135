/// Something of Lua's own library that scripts lack.
public struct MissingGlobal: Sendable {
  /// As scripts write it: `io`, `os.exit`.
  public let name: String
  /// What to use instead, as a clause; may be empty.
  public let advice: String

  init(_ name: String, _ advice: String = "") {
    self.name = name
    self.advice = advice
  }
}

/// What scripts have of Lua's own library.
public enum ScriptGlobals {
  /// Globals of Lua 5.4 that scripts lack, and missing fields of those they have: they bypass the permissions or the
  /// sandbox.
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
