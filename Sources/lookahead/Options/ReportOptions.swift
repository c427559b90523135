import ArgumentParser
import Serving

/// What a run says about itself.
struct ReportOptions: ParsableArguments {
  enum When: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Option(
    help: "When to show progress: a line at the foot of a terminal, else a log line every five seconds.")
  var progress = When.auto

  @OptionGroup var log: LogOptions

  @Option(
    help:
      "Write every decision, fetch and retry as a line of JSON; a .json file opens in a browser's trace viewer.",
    completion: .file())
  var trace: String?

  @Option(
    help: "Write every host call with its answer and time as a line of JSON, for --replay.",
    completion: .file())
  var record: String?

  @Option(
    help: "Take the answers from a recording, in virtual time: no network, no files, no waiting.",
    completion: .file())
  var replay: String?

  @Option(help: "Write the totals as JSON to this file; - is standard output.", completion: .file())
  var summary: String?

  @Option(help: ListenOptions.help)
  var listen: ListenAddress?

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Write that page as one HTML file when the run has ended.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "Tell an OpenTelemetry collector at this URL spans and metrics, as OTLP/JSON.", valueName: "url"))
  var otlp: CollectorAddress?

  /// Of a run that shows no progress and writes nothing beside its output.
  static func only(_ log: LogOptions) throws -> ReportOptions {
    var report = try ReportOptions.parse([])
    report.progress = .never
    report.log = log
    return report
  }

  func validate() throws {
    if record != nil && replay != nil {
      throw ValidationError("--record and --replay: expected one of them, since a replay is recorded already")
    }
  }
}
