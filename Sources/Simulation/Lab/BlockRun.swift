import Experiments
import Paging

/// The sessions of one source, workload and network, for all candidates.
struct BlockRun {
  private let block: LabBlock
  private let experiment: Experiment
  private let options: LabOptions
  private let blocksBefore: Int
  private let blocks: Int
  /// By candidate, for the training part and the holdout.
  private var rows: [[RowAccumulator]]
  private var failures: [SessionFailure?]
  private var isRunning: [Bool]
  private var race: CandidateRace?
  private(set) var timelines: [SessionTimeline] = []
  /// Number of timeline points so far.
  var moments = 0

  init(_ block: LabBlock, _ experiment: Experiment, _ options: LabOptions, blocksBefore: Int, blocks: Int) {
    self.block = block
    self.experiment = experiment
    self.options = options
    self.blocksBefore = blocksBefore
    self.blocks = blocks
    let count = block.candidates.count
    rows = Array(
      repeating: Array(
        repeating: RowAccumulator(sessions: experiment.sessions, readers: block.mix.readerNames.count),
        count: options.holdout > 0 ? 3 : 1),
      count: count)
    failures = Array(repeating: nil, count: count)
    isRunning = Array(repeating: true, count: count)
    race = options.race.map { CandidateRace($0, block.candidates.map(\.isOracle)) }
  }

  /// How many sessions a failed row has run depends on the threads, so it does not count.
  var events: Int { rows.indices.reduce(0) { failures[$1] == nil ? $0 + rows[$1][0].events : $0 } }

  /// Runs all sessions, in rounds of a fixed size, so that a race decides the same on any number of threads.
  mutating func run(_ sessions: some SessionExecutor) throws {
    let round = race == nil ? 256 : CandidateRace.round
    for start in stride(from: 0, to: experiment.sessions, by: round) {
      let end = min(experiment.sessions, start + round)
      let order = SessionOrder(
        block: block, sessions: start..<end, candidates: isRunning, recorded: options.timelines)
      for (session, outcomes) in try sessions.run(order) { add(outcomes, session) }
      dropLosers()
      options.progress?(blocksBefore * experiment.sessions + end, blocks * experiment.sessions)
    }
    if options.timelines > 0 { try recordWorst(sessions) }
  }

  /// Runs the session with the longest stall of every policy again, for its timeline.
  private mutating func recordWorst(_ sessions: some SessionExecutor) throws {
    for number in rows.indices where isRunning[number] && !block.candidates[number].isOracle {
      guard let worst = rows[number][0].kept.max(by: { $0.worstStall < $1.worstStall }),
        worst.worstStall > 0, worst.session >= options.timelines
      else { continue }
      let order = SessionOrder(
        block: block, sessions: worst.session..<worst.session + 1,
        candidates: rows.indices.map { $0 == number },
        recorded: .max)
      for (_, outcomes) in try sessions.run(order) {
        guard case .score(_, let timeline?)? = outcomes[number],
          timeline.moments <= options.mostMoments - moments
        else { continue }
        moments += timeline.moments
        timelines.append(timeline)
      }
    }
  }

  private mutating func add(_ outcomes: [SessionOutcome?], _ session: Int) {
    let part = options.holdout > 0 ? (isHeldOut(session) ? 2 : 1) : 0
    for (number, outcome) in outcomes.enumerated() {
      switch outcome {
      case .score(let score, let timeline):
        rows[number][0].add(score)
        if part > 0 { rows[number][part].add(score) }
        if let timeline, failures[number] == nil, timeline.moments <= options.mostMoments - moments {
          moments += timeline.moments
          timelines.append(timeline)
        }
      case .failure(let failure):
        failures[number] = failures[number] ?? failure
        isRunning[number] = false
        let setting = block.setting(of: block.candidates[number], in: experiment)
        timelines.removeAll { $0.setting == setting }
      case nil: break
      }
    }
  }

  /// All sessions of a recorded reader are on the same side.
  private func isHeldOut(_ session: Int) -> Bool {
    HoldoutSplit(seed: experiment.seed, fraction: options.holdout).isHeldOut(block.mix.reader(of: session))
  }

  private mutating func dropLosers() {
    // What is kept back decides nothing.
    let part = options.holdout > 0 ? 1 : 0
    guard let losers = race?.losers(rows.map { $0[part].kept }, isRunning) else { return }
    for loser in losers { isRunning[loser] = false }
  }

  /// The rows in candidate order, with the comparisons.
  func rows(baseline: String, primary: Metric) -> [LabRow] {
    let parts: [LabRow.Part] = options.holdout > 0 ? [.all, .train, .holdout] : [.all]
    return parts.enumerated().flatMap { part, name in
      var result = block.candidates.indices.map { row($0, part, name) }
      RowComparing(seed: experiment.seed, baseline: baseline, primary: primary).compare(&result)
      return result
    }
  }

  private func row(_ number: Int, _ part: Int, _ name: LabRow.Part) -> LabRow {
    let candidate = block.candidates[number]
    var row = LabRow(setting: block.setting(of: candidate, in: experiment))
    row.part = name
    row.readers = block.mix.readerNames
    row.isOneReader = block.mix.isOneReader
    row.networks = block.mix.networkNames
    row.isOracle = candidate.isOracle
    row.failure = failures[number]
    row.isDropped = !isRunning[number] && failures[number] == nil
    if row.failure == nil { rows[number][part].fill(&row) }
    return row
  }
}
