import Experiments

/// A column of the terminal table.
struct TableColumn {
  /// Its name for sorting.
  let name: String
  let title: String
  var isLeft = false
  /// Columns of higher rank are dropped first in a narrow terminal; zero stays.
  let rank: Int
  let text: (LabRow) -> String
  /// The sort key; missing values come last.
  var key: (LabRow) -> Double = { _ in 0 }
  /// Whether it has a best cell.
  var isRanked = false

  var isName: Bool { name == "policy" }

  /// The rows with the best number, excluding oracles; none if all are equal.
  func best(_ rows: [LabRow]) -> Set<Int> {
    guard isRanked else { return [] }
    let able = rows.indices.filter { rows[$0].isComparable }
    let texts = Set(able.map { text(rows[$0]) })
    guard texts.count > 1, let least = able.map({ key(rows[$0]) }).min() else { return [] }
    return Set(able.filter { key(rows[$0]) == least })
  }

  /// The columns of these metrics; the first one in full.
  static func all(_ metrics: [Metric], rows: [LabRow], _ contents: ReportContents) -> [TableColumn] {
    let baseline = contents.result.baseline
    var columns = [
      TableColumn(
        name: "policy", title: "policy", isLeft: true, rank: 0, text: { name($0, baseline: baseline) })
    ]
    for (place, metric) in metrics.enumerated() {
      columns.append(mean(metric, isFirst: place == 0))
      if place == 0 { columns += quantiles(metric) }
    }
    guard let first = metrics.first else { return columns }
    columns.append(difference(first, contents, rows))
    let limit = rows.compactMap { $0.isMeasured ? $0.summaries[first]?.p95 : nil }.max() ?? 0
    columns.append(
      TableColumn(
        name: "sessions", title: "0 to \(ReportNumber.short(limit, first.digits))", isLeft: true, rank: 9
      ) { row in
        Sparkline.text(row.scores.map { $0[first] }, upTo: limit)
      })
    return columns
  }

  private static func name(_ row: LabRow, baseline: String) -> String {
    row.setting.shortTitle(36) + (row.isOracle ? " *" : "") + (row.isDropped ? " x\(row.sessions)" : "")
  }

  private static func mean(_ metric: Metric, isFirst: Bool) -> TableColumn {
    TableColumn(
      name: metric.rawValue, title: metric.title,
      rank: isFirst ? 0 : metric == .held ? 8 : metric == .stalls ? 5 : 3,
      text: { isFirst ? $0.meanText(metric) : ReportNumber.fixed($0.mean(metric), metric.digits) },
      key: { metric.isBetterWhenLess ? $0.mean(metric) : -$0.mean(metric) }, isRanked: true)
  }

  private static func quantiles(_ metric: Metric) -> [TableColumn] {
    [
      TableColumn(
        name: "p95", title: "p95", rank: 6,
        text: { ReportNumber.fixed($0.summaries[metric]?.p95 ?? .nan, metric.digits) },
        key: { $0.summaries[metric]?.p95 ?? .infinity }, isRanked: true),
      TableColumn(
        name: "worst", title: "worst", rank: 7,
        text: { ReportNumber.fixed($0.summaries[metric]?.worst ?? .nan, metric.digits) },
        key: { $0.summaries[metric]?.worst ?? .infinity }, isRanked: true),
    ]
  }

  private static func difference(_ metric: Metric, _ contents: ReportContents, _ rows: [LabRow])
    -> TableColumn
  {
    let baseline = contents.result.baseline
    let setting = rows.first { $0.setting.policyTitle == baseline }?.setting
    return TableColumn(
      name: "difference", title: "against \(setting?.shortTitle(24) ?? baseline)", isLeft: true, rank: 1,
      text: { row in
        Judgement(row, metric, contents)?.text
          ?? (row.setting.policyTitle == baseline ? "baseline" : ReportNumber.none)
      },
      key: { $0.comparisons[metric].map { metric.isBetterWhenLess ? $0.mean : -$0.mean } ?? 0 })
  }
}

extension LabSetting {
  /// The policy's title with its name cut to `most` characters. Parameters are never cut: they distinguish rows.
  func shortTitle(_ most: Int) -> String {
    var short = self
    if policy.count > most { short.policy = policy.prefix(most - 1) + "…" }
    return short.policyTitle
  }
}
