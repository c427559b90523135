public import Experiments

/// Compares the rows of one source, workload and network: with the baseline, session by session, and with each other.
struct RowComparing {
  /// Beyond that many rows, comparisons are adjusted by their number (Bonferroni), which is wider and takes less time.
  private static let mostResampled = 100

  let seed: UInt64
  /// Equal to a `LabSetting.policyTitle`.
  let baseline: String
  /// The metric that decides.
  let primary: Metric

  func compare(_ rows: inout [LabRow]) {
    markFront(&rows)
    markBest(&rows)
    guard let base = rows.firstIndex(where: { $0.setting.policyTitle == baseline && !$0.isOracle }) else {
      return
    }
    let compared = rows.indices.filter { rows[$0].setting != rows[base].setting && !rows[$0].isOracle }
    let pairings = compared.map { RowPairing(rows[$0], rows[base]) }
    for metric in Metric.allCases {
      for (index, pairing) in zip(compared, pairings) {
        rows[index].comparisons[metric] = pairing.comparison(metric)
      }
      let pairs = zip(compared, pairings).filter { rows[$0.0].comparisons[metric] != nil }
      adjust(pairs.map { (row: $0, differences: $1.differences(metric)) }, base, metric, &rows)
    }
    for index in compared {
      guard let leaving = rows[index].comparisons[.left] else { continue }
      for metric in Metric.allCases where metric != .left && metric != .cost {
        rows[index].comparisons[metric]?.heed(leaving: leaving)
      }
    }
  }

  /// Widens the intervals, so that all of them hold together.
  private func adjust(
    _ compared: [(row: Int, differences: ReaderSums)], _ base: Int, _ metric: Metric, _ rows: inout [LabRow]
  ) {
    let isSpread = compared.contains { (rows[$0.row].comparisons[metric]?.deviation ?? 0) > 0 }
    guard compared.count > 1, isSpread else { return }
    let whole = compared.map(\.row).filter { rows[$0].sessions == rows[base].sessions }
    let all = [base] + whole
    // Rows that were dropped have other sessions: they are adjusted by number.
    var deviations = NormalLaw.deviations(tail: 0.025 / Double(compared.count))
    if whole.count == compared.count, all.count <= Self.mostResampled {
      let maximum = MaximumT(all.map { sums(rows[$0], metric).values }, seed: seed)
      deviations = min(
        deviations, maximum.deviations(of: 0, against: Array(1..<all.count), bothWays: true))
    }
    deviations = max(deviations, NormalLaw.deviations(tail: 0.025))
    let confidence = 1 - 2 * NormalLaw.tail(deviations)
    for (index, differences) in compared {
      guard differences.count > 1, var comparison = rows[index].comparisons[metric] else { continue }
      let reach = NormalLaw.student(confidence: confidence, degrees: differences.count - 1)
      let interval = Moments(differences.values).cautiousInterval(reach: reach)
      comparison.adjustedLow = interval.lowerBound
      comparison.adjustedHigh = interval.upperBound
      let verdict = PairedComparison.Verdict(interval, isBetterWhenLess: metric.isBetterWhenLess)
      comparison.adjustedVerdict = comparison.verdict == .notResolved ? .notResolved : verdict
      rows[index].comparisons[metric] = comparison
    }
  }

  private func sums(_ row: LabRow, _ metric: Metric) -> ReaderSums {
    if row.batches.sessions > 0 { return row.batches.readerSums(metric) }
    return ReaderSums(row.scores.map { $0[metric] }, readers: row.scores.map(\.reader))
  }

  /// Marks the policies that may be the best: each is compared with all others at once, one-sided (Hsu's multiple
  /// comparisons with the best), so that the best is excluded in at most about one of twenty experiments.
  private func markBest(_ rows: inout [LabRow]) {
    let able = ableRows(rows, for: primary)
    guard let most = able.map({ rows[$0].sessions }).max() else { return }
    let whole = able.filter { rows[$0].sessions == most && !rows[$0].isDropped }
    let sign = primary.isBetterWhenLess ? 1.0 : -1.0
    let sums = whole.map { self.sums(rows[$0], primary) }
    guard let first = sums.first, sums.allSatisfy(first.isAlike) else { return }
    let values = sums.map { $0.values.map { sign * $0 } }
    let means = values.map { $0.reduce(0, +) }
    let leader = means.indices.min { means[$0] < means[$1] } ?? 0
    let maximum = whole.count <= Self.mostResampled ? MaximumT(values, seed: seed) : nil
    for place in whole.indices {
      let others = maximum == nil ? [leader] : whole.indices.filter { $0 != place }
      var deviations = NormalLaw.deviations(tail: 0.05 / Double(max(1, whole.count - 1)))
      if let maximum {
        deviations = min(deviations, maximum.deviations(of: place, against: Array(others), bothWays: false))
      }
      rows[whole[place]].mayBeBest = !others.contains { other in
        place != other && isWorse(sums[place] - sums[other], sign, deviations)
      }
    }
  }

  private func isWorse(_ differences: ReaderSums, _ sign: Double, _ deviations: Double) -> Bool {
    guard PairedComparison.isEnough(differences) else { return false }
    let deviations = max(deviations, NormalLaw.deviations(tail: 0.05))
    let reach = NormalLaw.student(
      confidence: 1 - 2 * NormalLaw.tail(deviations), degrees: differences.count - 1)
    let values = differences.values.map { sign * $0 }
    return Moments(values).cautiousInterval(reach: reach).lowerBound > 0
  }

  private func ableRows(_ rows: [LabRow], for metric: Metric) -> [Int] {
    let able = rows.indices.filter {
      !rows[$0].isOracle && !rows[$0].isDropped && rows[$0].failure == nil && rows[$0].sessions > 0
    }
    let keeping = Set(able.map { rows[$0] }.keepingReaders(for: metric).map(\.setting))
    return able.filter { keeping.contains(rows[$0].setting) }
  }

  /// Marks the policies that no other beats in both waste and stall, and the knee among them.
  private func markFront(_ rows: inout [LabRow]) {
    let policies = ableRows(rows, for: .stall)
    func mean(_ row: Int, _ metric: Metric) -> Double { rows[row].summaries[metric]?.mean ?? 0 }
    let points = policies.map { ParetoFront.Point(x: mean($0, .waste), y: mean($0, .stall)) }
    let front = ParetoFront(points)
    for index in front.indices { rows[policies[index]].isOnFront = true }
    if let knee = front.knee { rows[policies[knee]].isKnee = true }
  }
}

extension LabResult {
  /// Compares all rows with another baseline.
  public mutating func compare(with baseline: String) {
    self.baseline = baseline
    var compared: [LabRow] = []
    for row in rows where !compared.contains(where: { $0.setting == row.setting && $0.part == row.part }) {
      var block = rows.filter {
        $0.part == row.part && $0.setting.source == row.setting.source
          && $0.setting.workload == row.setting.workload
          && $0.setting.network == row.setting.network
      }
      for index in block.indices { block[index].comparisons = [:] }
      RowComparing(seed: seed, baseline: baseline, primary: primary).compare(&block)
      compared += block
    }
    rows = compared
  }

  /// If the baseline failed, in any world, compares with the next policy that did not.
  mutating func replaceFailedBaseline() {
    let failed = Set(rows.filter { $0.failure != nil }.map(\.setting.policyTitle))
    let able = rows.filter { !$0.isOracle && !$0.isDropped && !failed.contains($0.setting.policyTitle) }
    guard failed.contains(baseline), let next = able.first else { return }
    failedBaseline = baseline
    compare(with: next.setting.policyTitle)
  }
}
