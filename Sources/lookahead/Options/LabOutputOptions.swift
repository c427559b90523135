import ArgumentParser
import Hosting
import Paging
import Reports
import Simulation

/// The destination and format of an experiment's result.
struct LabOutputOptions: ParsableArguments {
  /// What a result can be written as.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json

    var form: OutputFile.Form {
      switch self {
      case .table: .lines
      case .csv: .csv
      case .json: .json
      }
    }
  }

  @Option(help: "table, csv (long form, session by session) or json.")
  var format: Format?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file; - is standard output.", valueName: "path"),
    completion: .file())
  var output = "-"

  @Option(
    help: ArgumentHelp("Also one HTML file with figures, to be opened from disk.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "With --replay: every decision of the script's own policy, as lines.", valueName: "file"))
  var trace: String?

  @Option(help: "The column to sort the table by.")
  var sort: String?

  @Flag(help: "Also report how many events were simulated, and how fast.")
  var summary = false

  @Flag(help: "No progress.")
  var quiet = false

  func validate() throws {
    let refusal = OutputName.refusal(
      of: output, isFormatGiven: format != nil, formats: "there are .csv, .json, and tables as .txt",
      unwritten: ["ndjson", "jsonl", "db", "sqlite", "sqlite3"])
    if let refusal { throw ValidationError(refusal.message) }
    if let report, report == output {
      throw ValidationError("--report \(report): expected another file than that of --output")
    }
    if let sort, !TableReport.columns.contains(sort) {
      throw ValidationError("--sort \(sort): expected one of \(TableReport.columns.joined(separator: ", "))")
    }
  }

  /// The option, else by the output's extension, else a table.
  var chosen: Format {
    if let format { return format }
    if output.hasSuffix(".csv") { return .csv }
    return output.hasSuffix(".json") ? .json : .table
  }
}
