import Experiments

/// The sums of one row, session by session, in constant memory.
struct RowAccumulator {
  private var metrics: [Metric: Accumulator] = [:]
  private(set) var kept: [SessionScore] = []
  private var batches: SessionBatches
  private let isBatched: Bool
  private(set) var sessions = 0
  private(set) var events = 0

  /// For a row of up to so many sessions.
  init(sessions: Int) {
    let size = (sessions + LabResult.keptBatches - 1) / LabResult.keptBatches
    batches = SessionBatches(size: size)
    isBatched = sessions > LabResult.keptSessions
  }

  mutating func add(_ score: SessionScore) {
    sessions += 1
    events += score.events
    for metric in Metric.allCases { metrics[metric, default: Accumulator()].add(score[metric]) }
    if kept.count < LabResult.keptSessions { kept.append(score) }
    if isBatched { batches.add(score) }
  }

  /// Fills in the row's numbers.
  func fill(_ row: inout LabRow) {
    row.sessions = sessions
    row.scores = kept
    row.batches = batches
    for (metric, accumulator) in metrics {
      row.summaries[metric] = accumulator.summary(isBetterWhenLess: metric.isBetterWhenLess)
    }
  }
}
