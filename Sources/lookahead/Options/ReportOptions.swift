import ArgumentParser

/// What a command says that runs a script for others.
struct LogOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @Option(help: ArgumentHelp("The lowest level of log lines to show.", valueName: "level"))
  var logLevel = ReportOptions.Level.info

  @Option(help: "How log lines are written.")
  var logFormat = ReportOptions.LogFormat.text

  /// As those of a run that shows no progress.
  var report: ReportOptions {
    get throws {
      var report = try ReportOptions.parse([])
      (report.progress, report.quiet, report.logLevel, report.logFormat) = (
        .never, quiet, logLevel, logFormat
      )
      return report
    }
  }
}

/// What a run says about itself.
struct ReportOptions: ParsableArguments {
  enum When: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  enum Level: String, CaseIterable, ExpressibleByArgument {
    case debug, info, warn, error, off
  }

  enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Option(help: "When to show progress: auto is on a terminal.")
  var progress = When.auto

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @Option(help: ArgumentHelp("The lowest level of log lines to show.", valueName: "level"))
  var logLevel = Level.info

  @Option(help: "How log lines are written.")
  var logFormat = LogFormat.text

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

  @OptionGroup var live: ListenOptions

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Write that page as one HTML file when the run has ended.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "Tell an OpenTelemetry collector at this URL spans and metrics, as OTLP/JSON.", valueName: "url"))
  var otlp: CollectorAddress?

  func validate() throws {
    if record != nil && replay != nil {
      throw ValidationError("--record and --replay: expected one of them, since a replay is recorded already")
    }
  }
}
