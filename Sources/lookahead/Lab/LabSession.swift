import Experiments
import Glibc
import Paging
import Reports
import Simulation
import Text

/// One run of the lab: runs the experiment on all cores and writes its result.
struct LabSession {
  private let inputs: LabInputs
  private let command: LabCommand
  private let output: ResultFile
  private let report: ResultFile?
  private let gates: [LabGate]
  private let questions: [LabQuestion]
  /// An earlier result to compare with.
  private let earlier: LabBaseline?

  /// Reads the inputs and opens the outputs: errors are reported before anything is simulated.
  init(_ command: LabCommand) throws {
    self.command = command
    inputs = try LabInputs(command)
    gates = try command.failIf.map { text in
      do throws(ExperimentError) { return try LabGate(parsing: text) } catch { throw LabInputs.shown(error) }
    }
    questions = try command.best.map { text in
      do throws(ExperimentError) { return try LabQuestion(parsing: text) } catch {
        throw LabInputs.shown(error)
      }
    }
    earlier = try command.baseline.flatMap { path throws(RunExit) in
      LabBaseline.isFile(path) ? try LabBaseline(path) : nil
    }
    output = try ResultFile(command.output.output, as: command.output.chosen.form)
    report = try command.output.report.map { path throws(RunExit) in try ResultFile(path) }
  }

  func run() throws -> RunExit {
    var cage = ScriptCage(loading: inputs.paths)
    cage.opened(output)
    cage.opened(report)
    try cage.enter()
    defer { ScriptCage.leave() }
    let experiment = try inputs.experiment()
    try check(experiment)
    let clock = ContinuousClock()
    let began = clock.now
    var result: LabResult
    do {
      if !gates.isEmpty {
        let policies = try Lab.policies(of: experiment)
        for gate in gates { try gate.check(policies + (earlier == nil ? [] : [LabGate.baseline])) }
      }
      result = try Lab(options).run(experiment) { [inputs] in try inputs.experiment() }
    } catch let error as ExperimentError {
      throw LabInputs.shown(error)
    }
    result.margin = command.margin
    try earlier?.check(result)
    if isShowingProgress { StandardErrors.redraw(nil) }
    let elapsed = began.duration(to: clock.now)
    let answers = questions.flatMap { $0.answers(result) }
    try write(result, answers.map(\.line))
    try report?.write([HTMLReport(result).text])
    if command.output.summary { summarize(result, elapsed.inSeconds) }
    let isPassed = pass(result) && answers.allSatisfy(\.isFound)
    return !isPassed || result.rows.contains { $0.failure != nil } ? .failed : .done
  }

  /// Whether no condition to fail on holds; says which do, and which are not resolved.
  private func pass(_ result: LabResult) -> Bool {
    var isPassed = true
    for outcome in gates.flatMap({ $0.outcomes(of: result, earlier) }) {
      switch outcome {
      case .passed: break
      case .notResolved(let line): standardError("warning: --fail-if: \(line)")
      case .failed(let line):
        isPassed = false
        standardError("error: --fail-if: \(line)")
      }
    }
    return isPassed
  }

  private var options: LabOptions {
    var options = LabOptions()
    options.jobs = command.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    options.holdout = command.holdout
    options.race = command.tune.flatMap(Metric.init)
    options.timelines = command.output.report == nil ? 0 : 3
    if isShowingProgress {
      options.progress = { done, all in
        StandardErrors.redraw("\(Amount.count(done)) of \(Amount.count(all)) sessions")
      }
    }
    return options
  }

  private var isShowingProgress: Bool { !command.output.quiet && isatty(STDERR_FILENO) == 1 }

  /// Answers follow a table, and are messages beside anything else.
  private func write(_ result: LabResult, _ answers: [String]) throws(RunExit) {
    let answers = answers.map(HarmlessText.lines)
    if command.output.chosen != .table { for answer in answers { standardError(answer) } }
    switch command.output.chosen {
    case .table:
      var options = TableReport.Options()
      options.sort = command.output.sort
      options.usesColour = command.output.output == "-" && isatty(STDOUT_FILENO) == 1 && allowsColour
      let compared = earlier.map { HarmlessText.lines($0.lines(result).joined(separator: "\n")) }
      let parts = [compared, answers.isEmpty ? nil : answers.joined(separator: "\n")].compactMap { $0 }
      let lines = parts.flatMap { ["", $0] }
      try output.write([TableReport(result, options).text] + lines)
    case .csv: try output.write(CSVReport(result))
    case .json: try output.write([JSONReport(result).text])
    }
  }

  private var allowsColour: Bool {
    getenv("NO_COLOR") == nil && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  /// A search needs something to choose among.
  private func check(_ experiment: Experiment) throws(RunExit) {
    guard let metric = command.tune, experiment.sweep.isEmpty else { return }
    let policies = experiment.policies.count + (experiment.sources.contains { $0.policy != nil } ? 1 : 0)
    if policies > 1 { return }
    standardError(
      "error: --tune \(metric): there is nothing to choose among (expected values to try, as --set factor=1..3, "
        + "or several policies)")
    throw .usage
  }

  private func summarize(_ result: LabResult, _ seconds: Double) {
    let rate = seconds > 0 ? Double(result.events) / seconds : 0
    standardError(
      "\(Amount.count(result.events)) events, \(Amount.decimals(seconds, 2)) s, "
        + "\(Amount.count(Amount.whole(rate.rounded(.down)))) events per second")
  }
}
