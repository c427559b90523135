import ArgumentParser
import Scripting

/// `lookahead check`: what is wrong with scripts, without running them.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Load scripts without running them, and say what is wrong.",
    discussion: """
      EXAMPLES
        lookahead check feed.lua
        lookahead check scripts/sources/*.lua

      Ends with 65 when a script is wrong, and 66 when one can't be read.
      """)

  @Argument(help: "The scripts.")
  var scripts: [String]

  func run() throws {
    var worst = RunExit.done
    for path in scripts {
      do {
        let file = try ScriptFile(path)
        let declarations = try ScriptCheck(file).declarations()
        print("\(path): \(Self.words(declarations))")
      } catch let exit as RunExit {
        worst = worst == .done || exit == .script ? exit : worst
      }
    }
    throw worst
  }

  /// What a script is, in a few words.
  private static func words(_ declarations: Declarations) -> String {
    guard !declarations.sources.isEmpty else { return "ok" }
    return "ok: "
      + declarations.sources.map { source in
        let width =
          source.keys == "cursor"
          ? "cursor keys, one page in flight" : "\(source.keys) keys, pages in parallel"
        return "source '\(source.name)' (\(width), \(source.pageSize) items a page)"
      }.joined(separator: "; ")
  }
}
