import Experiments

/// A row and the baseline, session by session, or batch by batch where there are too many sessions to keep.
///
/// Of a row that was dropped, only sessions that are kept are paired.
struct RowPairing {
  private let row: LabRow
  private let base: LabRow
  private let isBatched: Bool
  /// Places among the scores of both.
  private let pairs: [(row: Int, base: Int)]
  /// By pair.
  private let readers: [Int]

  init(_ row: LabRow, _ base: LabRow) {
    self.row = row
    self.base = base
    isBatched = row.batches.sessions > 0 && row.batches.sessions == base.batches.sessions
    pairs = isBatched ? [] : Self.pairs(row.scores, base.scores)
    readers = pairs.map { row.scores[$0.row].reader }
  }

  private static func pairs(_ scores: [SessionScore], _ others: [SessionScore]) -> [(row: Int, base: Int)] {
    var pairs: [(row: Int, base: Int)] = []
    var other = 0
    for (place, score) in scores.enumerated() {
      while other < others.count, others[other].session < score.session { other += 1 }
      if other < others.count, others[other].session == score.session { pairs.append((place, other)) }
    }
    return pairs
  }

  /// Row minus baseline, reader by reader.
  func differences(_ metric: Metric) -> ReaderSums {
    if isBatched { return row.batches.readerSums(metric) - base.batches.readerSums(metric) }
    return ReaderSums(
      pairs.map { row.scores[$0.row][metric] - base.scores[$0.base][metric] }, readers: readers)
  }

  /// Nil without a common session.
  func comparison(_ metric: Metric) -> PairedComparison? {
    let differences = differences(metric)
    var comparison = PairedComparison(differences, isBetterWhenLess: metric.isBetterWhenLess)
    comparison?.pairs = isBatched ? row.batches.sessions : pairs.count
    if !row.readers.isEmpty { comparison?.readers = differences.count }
    return comparison
  }
}
