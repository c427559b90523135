import ArgumentParser
import Hosting
import Scripting

/// `lookahead check`: finds mistakes in scripts without running them.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: Release.name,
    abstract: "Load scripts without running them, and say what is wrong.",
    discussion: """
      EXAMPLES
        lookahead check feed.lua
        lookahead check --strict scripts/sources/*.lua
        lookahead check --format json feed.lua

      Errors are what fails when the script gets there: names and keys that are
      not there, handlers that answer nothing, policies that wait. Warnings are
      what has no effect: locals that nobody reads, keys beside others that win.
      What is computed, handed on or tested for is left alone. A name that begins
      with _ may be unused.

      Ends with 65 when a script is wrong, and 66 when one can't be read.
      """)

  /// How findings are written.
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

  @Argument(help: "The scripts; modules that they load are checked with them.", completion: .scripts)
  var scripts: [String]

  @Flag(help: "Warnings are errors, too.")
  var strict = false

  @Option(help: "Findings as text on standard error, or as a JSON array on standard output.")
  var format = Format.text

  func run() throws {
    var worst = RunExit.done
    var findings: [ScriptFinding] = []
    try ScriptCage(loading: scripts).enter()
    for path in scripts {
      do {
        let checked = try CheckedScript(ScriptFile(path))
        let new = checked.findings.filter { !findings.contains($0) }
        findings += new
        let isWrong = checked.count(.error) > 0 || strict && checked.count(.warning) > 0
        if isWrong { worst = .script }
        if format == .text {
          for finding in new { standardError(finding.text) }
          if !isWrong { StandardOutput.show(checked.summary) }
        }
      } catch let exit as RunExit {
        worst = worst == .done || exit == .script ? exit : worst
      }
    }
    if format == .json {
      StandardOutput.show(
        findings.isEmpty ? "[]" : "[\n" + findings.map(\.json).joined(separator: ",\n") + "\n]")
    }
    throw worst
  }
}
