import Experiments

/// The rows of one source, workload and network, which are comparable.
struct ReportBlock {
  /// Counted from zero, in the order of the result.
  let number: Int
  let source: String
  let workload: String
  let network: String
  /// For headings; includes the source only if there are several.
  let title: String
  /// Over all sessions.
  let rows: [LabRow]
  /// By parts of a split, in order; empty if nothing was split.
  let splits: [(part: LabRow.Part, rows: [LabRow])]

  /// What the headline and the figures are about: the sessions held back, if the sessions were split.
  var judged: ReportBlock {
    let holdout = splits.first { $0.part == .holdout && $0.rows.contains(where: \.isMeasured) }
    guard let holdout else { return self }
    return ReportBlock(
      number: number, source: source, workload: workload, network: network, title: title, rows: holdout.rows,
      splits: [])
  }

  /// Rows with numbers.
  var measured: [LabRow] { rows.filter(\.isMeasured) }
  /// The same, without oracles.
  var policies: [LabRow] { measured.filter { !$0.isOracle } }
}

extension LabRow {
  /// Whether sessions were run and none failed.
  var isMeasured: Bool { failure == nil && sessions > 0 && !summaries.isEmpty }

  /// Whether its means are comparable with other rows: not an oracle, and not dropped.
  var isComparable: Bool { isMeasured && !isOracle && !isDropped }

  /// The mean of a metric; zero if not measured.
  func mean(_ metric: Metric) -> Double { summaries[metric]?.mean ?? 0 }

  /// `0.380 (0.352…0.415)`; of one or two sessions only the mean.
  func meanText(_ metric: Metric) -> String {
    guard let summary = summaries[metric], isMeasured else { return ReportNumber.none }
    let mean = ReportNumber.fixed(summary.mean, metric.digits)
    return hasInterval ? "\(mean) (\(intervalText(metric)))" : mean
  }

  /// The 95 % interval of a mean, which may reach farther to one side: `0.352…0.415`.
  func intervalText(_ metric: Metric) -> String {
    guard let interval = self.interval(metric) else { return ReportNumber.none }
    let ends = [interval.low, interval.high].map { ReportNumber.fixed($0, metric.digits).replacingMinus }
    return ends.joined(separator: "…")
  }
}

extension Metric {
  /// The axis title: the name with its unit.
  var axisTitle: String {
    switch self {
    case .stall: "stall, seconds a session"
    case .stalls: "stalls a session"
    case .worstStall: "longest stall, seconds"
    case .startup: "first wait, seconds"
    case .regret: "regret, seconds a session"
    case .hitRate: "hits, % of the items seen"
    case .requests: "requests a session"
    case .waste: "waste, items a session"
    case .held: "items held"
    case .seen: "items seen a session"
    case .late: "late details, % of the items seen"
    case .bytes: "megabytes a session"
    case .energy: "radio, joules a session"
    case .left: "sessions left, %"
    case .cost: "cost a session"
    }
  }

  /// The unit after an amount in a sentence.
  var unit: String {
    switch self {
    case .stall, .regret: "s a session"
    case .worstStall, .startup: "s"
    case .stalls: "stalls a session"
    case .hitRate: "% of the items seen"
    case .requests: "requests a session"
    case .waste: "items a session"
    case .held: "items held"
    case .seen: "items a session"
    case .late: "% of the items seen"
    case .bytes: "MB a session"
    case .energy: "J a session"
    case .left: "% of the sessions"
    case .cost: "of cost a session"
    }
  }

  /// The unit after a number that stands beside the name.
  var rate: String { self == .cost ? "a session" : unit }

  /// The name in sentences.
  var name: String {
    switch self {
    case .worstStall: "longest stall"
    case .startup: "first wait"
    case .hitRate: "hit rate"
    case .late: "late details"
    default: rawValue
    }
  }
}
