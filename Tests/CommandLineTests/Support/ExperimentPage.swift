import Foundation
import Testing

/// A section of the page that says what an experiment shows.
struct ExperimentPage: CustomTestStringConvertible {
  /// The command beside the figures.
  let command: String
  /// Lines of its output.
  let output: String

  var testDescription: String { command }

  /// The script that the command names.
  var script: String { command.split(separator: " ").last.map(String.init) ?? "" }

  /// Sessions of each row, as the first line of the output says.
  var sessions: String? { output.firstMatch(of: /(\d+) sessions a row/).map { String($0.output.1) } }

  var tables: [LabTable] { LabTable.all(in: output) }

  /// The blocks of console, each with a command and its output.
  static let all: [ExperimentPage] = {
    let text = (try? Repository.text("scripts/experiments/README.md")) ?? ""
    return text.components(separatedBy: "```console\n$ ").dropFirst().map { block in
      let block = block.components(separatedBy: "\n```")[0]
      let (command, output) = block.firstIndex(of: "\n").map { (block[..<$0], block[$0...]) } ?? ("", "")
      return ExperimentPage(command: String(command), output: String(output))
    }
  }()
}
