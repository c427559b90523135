/// Settings for luacheck: the text of a `.luacheckrc`.
public enum LuacheckStandard {
  /// The file that luacheck looks for in the directory of a script and above it.
  public static let fileName = ".luacheckrc"

  /// A standard with the names scripts can see, and the matching settings.
  public static let text = SealedText.sealed(
    """
    stds.lookahead = {
      read_globals = {
        lookahead = \(table(of: "lookahead", "    ")),
      },
    }
    std = "lua54+lookahead"
    not_globals = { -- the sandbox has none of these
    \(filled(ScriptGlobals.missing.map { "\"\($0.name)\"" }, "  "))
    }
    unused_args = false -- handlers are given more than most of them need
    max_line_length = 120
    exclude_files = { "types" } -- definitions for editors

    """)

  /// The contents of a module, with each submodule; lines after the first start with `indentation`.
  private static func table(of path: String, _ indentation: String) -> String {
    guard let module = APIDescription.modules.first(where: { $0.path == path }) else { return "{}" }
    let names = (module.functions.map(\.name) + module.values.map(\.name)).map { "\($0) = {}" }
    let inner = APIDescription.modules.filter { $0.path.hasPrefix(path + ".") }
    let lines = inner.map { "\(indentation)    \($0.name) = \(table(of: $0.path, indentation + "    ")),\n" }
    return """
      {
      \(indentation)  fields = {
      \(filled(names, indentation + "    "))
      \(lines.joined())\(indentation)  },
      \(indentation)}
      """
  }

  /// The elements of a list, as many per line as fit.
  private static func filled(_ elements: [String], _ indentation: String) -> String {
    let text = elements.joined(separator: ", ").filled(100 - indentation.count, at: ", ")
    return indentation + text.replacing("\n", with: "\n\(indentation)") + ","
  }
}
