public import Paging

/// Runs experiments: every candidate over every session, on the production machine in virtual time.
///
/// All candidates of a session meet the same reader and the same network. Equal experiments give equal results, whatever the
/// number of threads.
public struct Lab {
  private let options: LabOptions

  public init(_ options: LabOptions = LabOptions()) { self.options = options }

  /// Runs it on this thread.
  public func run(_ experiment: Experiment) throws -> LabResult {
    try run(experiment, InlineSessions(try SessionRunner(experiment)))
  }

  /// Runs it on as many threads as the options say; `open` is called on each of them, for an experiment of its own whose
  /// policies stay there. All have to be equal to `experiment`.
  public func run(_ experiment: Experiment, open: @escaping @Sendable () throws -> Experiment) throws
    -> LabResult
  {
    if options.jobs <= 1 { return try run(experiment) }
    let pool = SessionPool(threads: options.jobs) { try SessionRunner(try open()) }
    defer { pool.end() }
    return try run(experiment, pool)
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
    for (number, block) in blocks.enumerated() {
      var run = BlockRun(block, experiment, options, blocksBefore: number, blocks: blocks.count)
      try run.run(sessions)
      result.events += run.events
      result.timelines += run.timelines
      result.rows += run.rows(baseline: result.baseline)
    }
    return result
  }
}
