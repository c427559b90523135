import ArgumentParser
import Glibc
import Paging
import Simulation

/// Shell completions of options.
extension CompletionKind {
  /// Scripts, and folders on the way to them.
  static let scripts = CompletionKind.file(extensions: ["lua"])

  /// Policies by name, and scripts.
  static let policies = CompletionKind.custom { _, _, prefix in
    beginning(prefix, BuiltInPolicies.names) + scripts(beginning: prefix)
  }

  /// Readers of the lab by kind, and scripts.
  static let workloads = CompletionKind.custom { _, _, prefix in
    beginning(prefix, Workload.names) + scripts(beginning: prefix)
  }

  /// Networks of the lab by kind, and scripts.
  static let networks = CompletionKind.custom { _, _, prefix in
    beginning(prefix, Network.forms.map(Self.kind)) + scripts(beginning: prefix)
  }

  /// `fixed:` of `fixed:SECONDS`.
  private static func kind(_ form: String) -> String {
    form.firstIndex(of: ":").map { String(form[...$0]) } ?? form
  }

  private static func beginning(_ prefix: String, _ names: [String]) -> [String] {
    names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Paths of scripts, and of folders with a slash behind them.
  private static func scripts(beginning prefix: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(escaped(prefix) + "*", GLOB_MARK, nil, &found) == 0 else { return [] }
    let paths = (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    return paths.filter { $0.hasSuffix(".lua") || $0.hasSuffix("/") }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += "\\*?[".contains($1) ? "\\\($1)" : String($1) }
  }
}
