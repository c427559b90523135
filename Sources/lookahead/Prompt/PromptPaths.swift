import Glibc

/// Where a person's files are, as the XDG Base Directory Specification has it.
enum PromptPaths {
  /// The history of the prompt.
  static var history: String? { folder("XDG_STATE_HOME", ".local/state").map { $0 + "/lookahead/history" } }

  /// What is run when the prompt begins.
  static var initFile: String? { folder("XDG_CONFIG_HOME", ".config").map { $0 + "/lookahead/init.lua" } }

  /// A path of a person's, where `~/` is their own folder.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// The variable's folder, which counts only when it is absolute, or else one in the person's own.
  private static func folder(_ name: String, _ standard: String) -> String? {
    if let folder = variable(name), folder.hasPrefix("/") { return folder }
    return variable("HOME").map { "\($0)/\(standard)" }
  }

  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
