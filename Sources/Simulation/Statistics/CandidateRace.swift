public import Experiments

/// Drops candidates that are significantly worse than the leader, so that the others get the time.
///
/// All run the same sessions. The race checks after 25 sessions and then each time their number has grown by half, and
/// drops a candidate if the interval of its paired differences to the leader is on the worse side. The intervals are
/// wider than those of reports, because of the many comparisons: 99 %, and beyond six candidates so wide that the
/// family-wise error per check is 5 %.
public struct CandidateRace: Sendable {
  /// Sessions before the first check; a good number of sessions between checks.
  public static let round = 25

  private let metric: Metric
  private let isExempt: [Bool]
  private var nextLook = CandidateRace.round

  /// A race by a metric. Exempt candidates (oracles) are neither dropped nor leaders.
  public init(_ metric: Metric, _ isExempt: [Bool]) {
    self.metric = metric
    self.isExempt = isExempt
  }

  /// The candidates to drop now, ascending, given the scores so far and which are still running.
  public mutating func losers(_ scores: [[SessionScore]], _ isRunning: [Bool]) -> [Int] {
    let racing = scores.indices.filter { isRunning[$0] && !isExempt[$0] }
    let sessions = racing.map { scores[$0].count }.min() ?? 0
    guard racing.count > 1, sessions >= nextLook else { return [] }
    nextLook = sessions + max(CandidateRace.round, sessions / 2)
    let means = racing.map { candidate in
      scores[candidate].prefix(sessions).reduce(0) { $0 + $1[metric] } / Double(sessions)
    }
    let sign = metric.isBetterWhenLess ? 1.0 : -1.0
    // Who has left waits no more: a candidate that readers leave leads no race but that of costs.
    let left = racing.map { candidate in
      scores[candidate].prefix(sessions).reduce(0) { $0 + $1[.left] } / Double(sessions)
    }
    let most = metric == .cost || metric == .left ? .infinity : (left.min() ?? 0) + LabRow.fewLeave
    guard
      let best = means.indices.filter({ left[$0] < most }).min(by: { means[$0] * sign < means[$1] * sign })
    else { return [] }
    let leader = scores[racing[best]]
    let confidence = max(0.99, 1 - 0.05 / Double(racing.count - 1))
    return racing.filter { $0 != racing[best] && isWorse(scores[$0], than: leader, confidence) }
  }

  private func isWorse(_ scores: [SessionScore], than leader: [SessionScore], _ confidence: Double) -> Bool {
    let pairs = zip(scores, leader).filter { $0.session == $1.session }
    guard pairs.count >= CandidateRace.round else { return false }
    let differences = ReaderSums(pairs.map { $0[metric] - $1[metric] }, readers: pairs.map(\.0.reader))
    let comparison = PairedComparison(
      differences, isBetterWhenLess: metric.isBetterWhenLess, confidence: confidence)
    return comparison?.verdict == .worse
  }
}
