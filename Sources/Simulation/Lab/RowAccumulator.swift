import Experiments

/// The sums of one row, session by session, in constant memory.
struct RowAccumulator {
  private var metrics: [Metric: Accumulator] = [:]
  private(set) var kept: [SessionScore] = []
  private var batches: SessionBatches
  private let isBatched: Bool
  private(set) var sessions = 0
  private(set) var events = 0

  /// For a row of up to so many sessions, with so many recorded readers.
  init(sessions: Int, readers: Int) {
    let size = (sessions + LabResult.keptBatches - 1) / LabResult.keptBatches
    batches = SessionBatches(size: size, readers: readers)
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
      var summary = accumulator.summary(isBetterWhenLess: metric.isBetterWhenLess)
      if let values = readerValues(metric) { summary.interval = Moments(values).interval() }
      row.summaries[metric] = summary
    }
  }

  /// One value per reader; nil where every session is of another.
  private func readerValues(_ metric: Metric) -> [Double]? {
    guard kept.contains(where: { $0.reader < 0 }) else { return nil }
    if isBatched { return batches.readerSums(metric).values }
    return ReaderSums(kept.map { $0[metric] }, readers: kept.map(\.reader)).values
  }
}
