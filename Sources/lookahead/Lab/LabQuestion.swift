import Experiments
import Paging
import Reports
import Simulation
import Text

/// A question to a result: which policy is best by a metric, among those within limits: `stall where waste <= 30`.
struct LabQuestion {
  /// A limit on the mean of a metric.
  private struct Limit {
    let metric: Metric
    let isMost: Bool
    let value: Double

    var text: String { "\(metric.rawValue) \(isMost ? "<=" : ">=") \(LabParameter("", value).text)" }

    func allows(_ value: Double) -> Bool { isMost ? value <= self.value : value >= self.value }

    /// Whether the interval of the mean lies on both sides.
    func isUncertain(_ summary: MetricSummary) -> Bool { allows(summary.low) != allows(summary.high) }
  }

  /// An answer in one line; one that names no policy fails.
  struct Answer {
    let line: String
    let isFound: Bool
  }

  private static let form = "METRIC [where METRIC <= NUMBER [and …]], as 'stall where waste <= 30'"
  private let text: String
  private let metric: Metric
  private let limits: [Limit]

  init(parsing text: String) throws(ExperimentError) {
    func error(_ expected: String, _ got: some StringProtocol) -> ExperimentError {
      ExperimentError("--best '\(text)'", expected: expected, got: got.isEmpty ? "nothing" : "'\(got)'")
    }
    let sides = text.split(separator: " where ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let metric = Metric(rawValue: String(sides[0])) else {
      throw error("one of \(Metric.names)", sides[0])
    }
    var limits: [Limit] = []
    for part in sides.count > 1 ? sides[1].split(separator: " and ", omittingEmptySubsequences: false) : [] {
      let words = part.split(separator: " ")
      guard words.count == 3, ["<=", ">="].contains(words[1]), let value = Double(words[2]), value.isFinite
      else {
        throw error(Self.form, part)
      }
      guard let limited = Metric(rawValue: String(words[0])) else {
        throw error("one of \(Metric.names)", words[0])
      }
      limits.append(Limit(metric: limited, isMost: words[1] == "<=", value: value))
    }
    (self.text, self.metric, self.limits) = (text, metric, limits)
  }

  /// One answer per source, workload and network. With a holdout, the policy is chosen on the other sessions and stated on
  /// those held out.
  func answers(_ result: LabResult) -> [Answer] {
    let hasHoldout = result.rows.contains { $0.part == .holdout }
    var worlds: [[LabRow]] = []
    for row in result.rows where row.part == (hasHoldout ? .train : .all) {
      if let place = worlds.firstIndex(where: { isSameWorld($0[0], row) }) {
        worlds[place].append(row)
      } else {
        worlds.append([row])
      }
    }
    return worlds.map { rows in
      let world = worlds.count > 1 ? " with \(rows[0].setting.workload) on \(rows[0].setting.network)" : ""
      return answer(rows, result, world, stated: hasHoldout ? .holdout : .all)
    }
  }

  private func isSameWorld(_ row: LabRow, _ other: LabRow) -> Bool {
    row.setting.source == other.setting.source && row.setting.workload == other.setting.workload
      && row.setting.network == other.setting.network
  }

  private func answer(_ rows: [LabRow], _ result: LabResult, _ world: String, stated: LabRow.Part) -> Answer {
    let able = rows.filter { !$0.isOracle && !$0.isDropped && $0.failure == nil && $0.sessions > 0 }
    let allowed = able.filter { row in limits.allSatisfy { $0.allows(row.summaries[$0.metric]?.mean ?? 0) } }
    let sign = metric.isBetterWhenLess ? 1.0 : -1.0
    func mean(_ row: LabRow) -> Double { sign * (row.summaries[metric]?.mean ?? 0) }
    let isLeavingLimited = limits.contains { $0.metric == .left }
    let candidates = isLeavingLimited ? allowed : allowed.keepingReaders(for: metric)
    guard let best = candidates.min(by: { mean($0) < mean($1) }) else { return none(able, world) }
    let shown = result.rows.first { $0.setting == best.setting && $0.part == stated } ?? best
    var compared = result
    compared.rows = candidates
    compared.compare(with: best.setting.policyTitle)
    let equals = compared.rows.filter {
      $0.setting != best.setting && $0.comparisons[metric]?.adjustedVerdict != .worse
    }
    var line = "best by \(text)\(world): \(best.setting.policyTitle), " + Self.amount(shown, metric)
    for limit in limits { line += ", " + amount(shown, limit) }
    if !equals.isEmpty { line += "; it can't be told from \(Self.names(equals))" }
    return Answer(line: line + shown.scope, isFound: true)
  }

  /// The policy that comes nearest to the limit that none keeps.
  private func none(_ rows: [LabRow], _ world: String) -> Answer {
    let broken = limits.first { limit in
      !rows.contains { limit.allows($0.summaries[limit.metric]?.mean ?? 0) }
    }
    guard let broken, !rows.isEmpty else {
      let words = rows.isEmpty ? "no policy could be measured" : "no policy keeps all limits"
      return Answer(line: "best by \(text)\(world): \(words)", isFound: false)
    }
    let sign = broken.isMost ? 1.0 : -1.0
    let nearest = rows.min {
      sign * ($0.summaries[broken.metric]?.mean ?? 0) < sign * ($1.summaries[broken.metric]?.mean ?? 0)
    }
    let row =
      nearest.map { ": the nearest is \($0.setting.policyTitle), \(Self.amount($0, broken.metric))" } ?? ""
    return Answer(line: "best by \(text)\(world): no policy has \(broken.text)\(row)", isFound: false)
  }

  private static func amount(_ row: LabRow, _ metric: Metric) -> String {
    "\(metric.rawValue) \(number(row.summaries[metric]?.mean ?? 0, metric))"
  }

  private func amount(_ row: LabRow, _ limit: Limit) -> String {
    let amount = Self.amount(row, limit.metric)
    guard let summary = row.summaries[limit.metric], limit.isUncertain(summary) else { return amount }
    let ends = [summary.low, summary.high].map { Self.number($0, limit.metric) }
    return "\(amount) (95 % \(ends[0])…\(ends[1]): more sessions may say otherwise)"
  }

  private static func number(_ value: Double, _ metric: Metric) -> String {
    (value < 0 ? "−" : "") + Amount.decimals(abs(value), metric.digits)
  }

  private static func names(_ rows: [LabRow]) -> String {
    let most = 6
    let names = rows.prefix(most).map(\.setting.policyTitle).joined(separator: ", ")
    return rows.count > most ? "\(names) and \(rows.count - most) more" : names
  }
}
