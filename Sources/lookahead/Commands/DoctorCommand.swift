import ArgumentParser
import Hosting

/// `lookahead doctor`: what this machine gives.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what this machine gives: the kernel's cage, TLS roots, terminal.",
    discussion: """
      EXAMPLES
        lookahead doctor
        lookahead doctor --format json

      A script is held twice: by the checks that name the option which would allow
      a call, and below them by the kernel, which the process asks before the first
      line of the script to take away everything that no option gave.

      Ends with 1 when something that holds scripts is missing. What is absent holds
      nobody: something else can't be done without it.
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
