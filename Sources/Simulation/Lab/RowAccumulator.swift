import Experiments

/// The sums of one row, session by session, in constant memory.
struct RowAccumulator {
  private var metrics: [Metric: Accumulator] = [:]
  private(set) var kept: [SessionScore] = []
  private(set) var sessions = 0
  private(set) var events = 0

  mutating func add(_ score: SessionScore) {
    sessions += 1
    events += score.events
    for metric in Metric.allCases { metrics[metric, default: Accumulator()].add(score[metric]) }
    if kept.count < LabResult.keptSessions { kept.append(score) }
  }

  /// Fills in the row's numbers.
  func fill(_ row: inout LabRow) {
    row.sessions = sessions
    row.scores = kept
    for (metric, accumulator) in metrics {
      row.summaries[metric] = accumulator.summary(isBetterWhenLess: metric.isBetterWhenLess)
    }
  }
}
