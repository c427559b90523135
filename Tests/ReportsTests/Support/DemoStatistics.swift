import Experiments

/// Means, intervals and comparisons of made-up sessions, by the normal law.
enum DemoStatistics {
  /// With the summaries of its scores.
  static func summed(_ row: LabRow) -> LabRow {
    var row = row
    row.sessions = row.scores.count
    for metric in Metric.allCases {
      let values = row.scores.map { $0[metric] }.sorted()
      guard !values.isEmpty else { continue }
      var summary = MetricSummary()
      (summary.mean, summary.halfWidth) = interval(values)
      summary.p50 = values[values.count / 2]
      summary.p95 = values[values.count * 95 / 100]
      summary.worst = values[values.count - 1]
      row.summaries[metric] = summary
    }
    return row
  }

  /// The first is the baseline.
  static func compare(_ rows: inout [LabRow]) {
    guard let base = rows.first else { return }
    for place in rows.indices {
      for metric in Metric.allCases where place > 0 {
        let differences = zip(rows[place].scores, base.scores).map { $0[metric] - $1[metric] }
        rows[place].comparisons[metric] = comparison(differences, isBetterWhenLess: metric.isBetterWhenLess)
      }
      rows[place].isOnFront =
        !rows[place].isOracle
        && !rows.contains { other in
          !other.isOracle
            && (other.mean(.stall) < rows[place].mean(.stall)
              && other.mean(.waste) <= rows[place].mean(.waste)
              || other.mean(.stall) <= rows[place].mean(.stall)
                && other.mean(.waste) < rows[place].mean(.waste))
        }
    }
  }

  private static func comparison(_ differences: [Double], isBetterWhenLess: Bool) -> PairedComparison? {
    guard !differences.isEmpty else { return nil }
    let (mean, half) = interval(differences)
    let isLess = mean + half < 0
    let isMore = mean - half > 0
    return PairedComparison(
      mean: mean, low: mean - half, high: mean + half, pairs: differences.count,
      verdict: isLess
        ? (isBetterWhenLess ? .better : .worse)
        : isMore ? (isBetterWhenLess ? .worse : .better) : .notResolved)
  }

  private static func interval(_ values: [Double]) -> (mean: Double, half: Double) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    guard count > 1 else { return (mean, 0) }
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return (mean, 1.96 * (variance / count).squareRoot())
  }
}

extension LabRow {
  /// The mean of a metric; zero without one.
  func mean(_ metric: Metric) -> Double { summaries[metric]?.mean ?? 0 }
}
