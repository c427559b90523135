public import Experiments

/// Compares the rows of one source, workload and network: with the baseline, session by session, and with each other.
struct RowComparing {
  let seed: UInt64
  /// Equal to a `LabSetting.policyTitle`.
  let baseline: String

  func compare(_ rows: inout [LabRow]) {
    markFront(&rows)
    guard let base = rows.first(where: { $0.setting.policyTitle == baseline && !$0.isOracle }) else { return }
    for index in rows.indices where rows[index].setting != base.setting && !rows[index].isOracle {
      for metric in Metric.allCases {
        rows[index].comparisons[metric] = comparison(of: rows[index], with: base, by: metric)
      }
    }
  }

  /// Paired comparison over common sessions; nil if there are none.
  func comparison(of row: LabRow, with base: LabRow, by metric: Metric) -> PairedComparison? {
    var differences: [Double] = []
    var other = base.scores.makeIterator()
    var next = other.next()
    for score in row.scores {
      while let candidate = next, candidate.session < score.session { next = other.next() }
      guard let partner = next, partner.session == score.session else { continue }
      differences.append(score[metric] - partner[metric])
    }
    return PairedComparison(differences, isBetterWhenLess: metric.isBetterWhenLess, seed: seed)
  }

  /// Marks the policies that no other beats in both waste and stall.
  private func markFront(_ rows: inout [LabRow]) {
    let policies = rows.indices.filter {
      !rows[$0].isOracle && !rows[$0].isDropped && rows[$0].failure == nil && rows[$0].sessions > 0
    }
    func mean(_ row: Int, _ metric: Metric) -> Double { rows[row].summaries[metric]?.mean ?? 0 }
    let points = policies.map { ParetoFront.Point(x: mean($0, .waste), y: mean($0, .stall)) }
    for index in ParetoFront(points).indices { rows[policies[index]].isOnFront = true }
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
      RowComparing(seed: seed, baseline: baseline).compare(&block)
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
