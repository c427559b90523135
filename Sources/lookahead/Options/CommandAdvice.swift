import Glibc
import Scripting

/// What somebody may have meant whose first argument is no command.
enum CommandAdvice {
  /// A line of advice: the nearest command, or how a script that is there is run; nil where neither is near.
  static func advice(on arguments: [String], commands: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else { return nil }
    if let nearest = NearestName.of(first, in: commands) { return "did you mean `lookahead \(nearest)`?" }
    return isFile(first) ? "try `lookahead run \(shown(arguments).joined(separator: " "))`" : nil
  }

  /// The arguments without what is to be shown to nobody.
  private static func shown(_ arguments: [String]) -> [String] {
    arguments.indices.map { place in
      if arguments[place].hasPrefix("--secret=") { return "--secret=…" }
      return place > 0 && arguments[place - 1] == "--secret" ? "…" : arguments[place]
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
