import Glibc
import Paging
import Simulation

/// One use of the lab: the experiment is run on all cores, and its result written.
struct LabSession {
  private let inputs: LabInputs
  private let command: LabCommand

  init(_ command: LabCommand) throws {
    self.command = command
    inputs = try LabInputs(command)
  }

  func run() throws -> RunExit {
    let experiment = try inputs.experiment()
    let clock = ContinuousClock()
    let began = clock.now
    let result: LabResult
    do {
      result = try Lab(options).run(experiment) { [inputs] in try inputs.experiment() }
    } catch let error as ExperimentError {
      throw LabInputs.shown(error)
    }
    if isShowingProgress { drawOnTerminal("\r\u{1B}[K") }
    let elapsed = began.duration(to: clock.now)
    try write(result)
    if let path = command.output.report { try Self.write([HTMLReport(result).text], to: path) }
    if command.output.summary { summarize(result, elapsed.inSeconds) }
    return result.rows.contains { $0.failure != nil } ? .failed : .done
  }

  private var options: LabOptions {
    var options = LabOptions()
    options.jobs = command.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    options.holdout = command.holdout
    options.race = command.tune.flatMap(Metric.init)
    options.timelines = command.output.report == nil ? 0 : 3
    if isShowingProgress {
      options.progress = { done, all in
        drawOnTerminal("\r\u{1B}[K\(Amount.count(done)) of \(Amount.count(all)) sessions")
      }
    }
    return options
  }

  private var isShowingProgress: Bool { !command.output.quiet && isatty(STDERR_FILENO) == 1 }

  private func write(_ result: LabResult) throws(RunExit) {
    switch command.output.chosen {
    case .table:
      var options = TableReport.Options()
      options.sort = command.output.sort
      options.usesColour = command.output.output == "-" && isatty(STDOUT_FILENO) == 1 && allowsColour
      try Self.write([TableReport(result, options).text], to: command.output.output)
    case .csv: try Self.write(CSVReport(result), to: command.output.output)
    case .json: try Self.write([JSONReport(result).text], to: command.output.output)
    }
  }

  private var allowsColour: Bool {
    getenv("NO_COLOR") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  /// Writes lines or whole texts; each is ended by a line break.
  static func write(_ texts: some Sequence<String>, to path: String) throws(RunExit) {
    guard let file = path == "-" ? fdopen(dup(STDOUT_FILENO), "w") : fopen(path, "w") else {
      standardError("error: can't write \(path): \(systemError())")
      throw .output
    }
    var isBroken = false
    for text in texts {
      isBroken = fputs(text.hasSuffix("\n") ? text : text + "\n", file) < 0 || isBroken
    }
    isBroken = fclose(file) != 0 || isBroken
    if isBroken {
      standardError("error: can't write \(path): \(systemError())")
      throw .output
    }
  }

  private func summarize(_ result: LabResult, _ seconds: Double) {
    let rate = seconds > 0 ? Double(result.events) / seconds : 0
    standardError(
      "\(Amount.count(result.events)) events, \(Amount.decimals(seconds, 2)) s, "
        + "\(Amount.count(Int(rate))) events per second")
  }
}
