public import Experiments
import Paging

/// Runs experiments: every candidate over every session, on the production machine in virtual time.
///
/// All candidates of a session meet the same reader and the same network. Equal experiments give equal results,
/// regardless of the number of threads.
///
/// ```swift
/// var options = LabOptions()
/// options.jobs = 4
/// let result = try Lab(options).run(experiment)
/// ```
public struct Lab {
  private let options: LabOptions

  public init(_ options: LabOptions = LabOptions()) { self.options = options }

  /// Runs the experiment on this thread.
  public func run(_ experiment: Experiment) throws -> LabResult {
    try run(experiment, InlineSessions(try SessionRunner(experiment, options)))
  }

  /// Runs the experiment on as many threads as the options say; `open` is called on each of them to create its own
  /// experiment, whose policies stay there. All must be equal to `experiment`.
  public func run(_ experiment: Experiment, open: @escaping @Sendable () throws -> Experiment) throws
    -> LabResult
  {
    if options.jobs <= 1 { return try run(experiment) }
    let pool = SessionPool(threads: options.jobs) { [options] in try SessionRunner(try open(), options) }
    defer { pool.stop() }
    return try pool.isEmpty ? run(experiment) : run(experiment, pool)
  }

  /// The policies that an experiment has rows for, as their rows are titled; throws for what `run` would refuse.
  public static func policies(of experiment: Experiment) throws -> [String] {
    let experiment = experiment.completed
    return try experiment.blocks().flatMap { block in
      block.candidates.filter { !$0.isOracle }.map { block.setting(of: $0, in: experiment).policyTitle }
    }
  }

  private func run(_ given: Experiment, _ sessions: some SessionExecutor) throws -> LabResult {
    let experiment = given.completed
    var result = LabResult()
    result.title = experiment.title
    result.seed = experiment.seed
    result.sessions = experiment.sessions
    result.costs = try SessionCosts(experiment.costs)
    let blocks = try experiment.blocks()
    result.baseline = try experiment.baselineName(blocks)
    result.inputs = experiment.inputs(blocks)
    result.remarks = experiment.remarks(blocks)
    try check(blocks, of: experiment)
    for block in blocks { try checkHoldout(of: experiment, block) }
    var moments = 0
    for (number, block) in blocks.enumerated() {
      var run = BlockRun(block, experiment, options, blocksBefore: number, blocks: blocks.count)
      run.moments = moments
      do {
        try run.run(sessions)
      } catch SessionFailure.stopped {
        throw ExperimentError(
          "the experiment", expected: "sessions that end within the processor time that there is for it",
          got: "none left after \(result.rows.count) of \(blocks.count) rows")
      }
      moments = run.moments
      result.events += run.events
      result.timelines += run.timelines
      result.rows += run.rows(baseline: result.baseline, primary: result.primary)
    }
    result.replaceFailedBaseline()
    return result
  }

  /// Throws if too few readers are left on either side to resolve anything.
  private func checkHoldout(of experiment: Experiment, _ block: LabBlock) throws(ExperimentError) {
    guard options.holdout > 0 else { return }
    let split = HoldoutSplit(seed: experiment.seed, fraction: options.holdout)
    let readers = Set((0..<experiment.sessions).map { block.mix.reader(of: $0) })
    let held = readers.count { split.isHeldOut($0) }
    guard min(held, readers.count - held) < PairedComparison.fewestPairs else { return }
    let units = block.mix.readerNames.isEmpty ? "sessions" : "readers"
    throw ExperimentError(
      "--holdout \(options.holdout)",
      expected: "at least \(PairedComparison.fewestPairs) \(units) to choose on and to check on",
      got: "\(readers.count - held) and \(held) of \(readers.count)")
  }

  /// Throws if the results would exceed the available room.
  private func check(_ blocks: [LabBlock], of experiment: Experiment) throws(ExperimentError) {
    let rows = blocks.reduce(0) { $0 + $1.candidates.count }
    let kept = min(experiment.sessions, LabResult.keptSessions)
    if rows > options.mostKept / kept {
      throw ExperimentError(
        "the experiment", expected: "at most \(options.mostKept) sessions to be kept, of all rows together",
        got: "\(rows) rows of \(kept)")
    }
  }
}
