import ArgumentParser
import Hosting

/// `lookahead doctor`: what this machine provides.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Release.name,
    abstract: "Report what this machine offers: the kernel's cage, TLS roots, terminal.",
    discussion: """
      EXAMPLES
        lookahead doctor
        lookahead doctor --format json

      A script is confined twice: by checks of lookahead, which name the option that
      would allow a call, and by the kernel. Before the first line of a script, the
      process drops every right that no option gave.

      Ends with 1 when something that confines scripts is missing. What is absent
      confines nothing: something else can't be done without it.
      """)

  /// How findings are written.
  enum Format: String, CaseIterable, ExpressibleByArgument { case table, json }

  @Option(help: "Findings as a table, or as a JSON array.")
  var format = Format.table

  func run() throws {
    let findings = Examination.findings()
    switch format {
    case .table: StandardOutput.show(Finding.table(findings))
    case .json: StandardOutput.show("[\n" + findings.map(\.json).joined(separator: ",\n") + "\n]")
    }
    if findings.contains(where: { $0.state == .missing }) { throw RunExit.failed }
  }
}
