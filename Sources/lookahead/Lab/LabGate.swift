import Experiments
import Paging
import Simulation
import Text

/// A condition on which a lab fails, for continuous integration: `mine worse than leadingScreens(2) by 0.05 in stall`.
struct LabGate {
  /// What a result says about it.
  enum Outcome: Equatable {
    case passed
    /// The policy is worse by more than the limit, beyond doubt.
    case failed(String)
    /// The sessions don't decide it: no failure, since noise would be one.
    case notResolved(String)
  }

  /// What a policy is in an earlier result.
  static let baseline = "baseline"

  private static let form = "POLICY worse than POLICY [by AMOUNT] [in METRIC]"
  private let policy: String
  private let other: String
  private let limit: Double
  /// The metric that decides if nil.
  private let metric: Metric?

  init(parsing text: String) throws(ExperimentError) {
    func error(_ expected: String, _ got: String) -> ExperimentError {
      ExperimentError("--fail-if '\(text)'", expected: expected, got: got)
    }
    guard let middle = text.firstRange(of: " worse than ") else { throw error(Self.form, "'\(text)'") }
    policy = String(text[..<middle.lowerBound])
    var rest = text[middle.upperBound...]
    var metric: Metric?
    if let part = Self.last(" in ", of: &rest) {
      metric = Metric(rawValue: part)
      if metric == nil { throw error("one of \(Metric.names)", part) }
    }
    var limit = 0.0
    if let part = Self.last(" by ", of: &rest) {
      guard let number = Double(part), number.isFinite, number >= 0 else {
        throw error("an amount of zero or more", part)
      }
      limit = number
    }
    (self.limit, self.metric, other) = (limit, metric, String(rest))
  }

  /// Cuts what follows the last such word off a text.
  private static func last(_ word: String, of text: inout Substring) -> String? {
    guard let range = text.ranges(of: word).last else { return nil }
    defer { text = text[..<range.lowerBound] }
    return String(text[range.upperBound...])
  }

  /// Throws unless both policies have rows.
  func check(_ policies: [String]) throws(ExperimentError) {
    for name in [policy, other] where !policies.contains(name) {
      throw ExperimentError("--fail-if", expected: LabResult.choice(of: policies), got: name)
    }
  }

  /// One outcome per world. With a holdout, the sessions held out decide.
  func outcomes(of result: LabResult, _ earlier: LabBaseline? = nil) -> [Outcome] {
    if let earlier, other == Self.baseline { return outcomes(of: result, since: earlier) }
    var compared = result
    compared.compare(with: other)
    let hasHoldout = compared.rows.contains { $0.part == .holdout }
    let rows = compared.rows.filter {
      $0.setting.policyTitle == policy && $0.part == (hasHoldout ? .holdout : .all)
    }
    return rows.map { outcome($0, metric ?? result.primary, isOnly: rows.count == 1) }
  }

  /// The policy against itself then, in one comparison.
  private func outcomes(of result: LabResult, since earlier: LabBaseline) -> [Outcome] {
    let rows = result.rows.filter { $0.setting.policyTitle == policy && $0.part == .all }
    return rows.map { row in
      var row = row
      let metric = metric ?? result.primary
      row.comparisons[.left] = earlier.comparison(of: row, in: .left)
      row.comparisons[metric] = earlier.comparison(of: row, in: metric)
      return outcome(row, metric, isOnly: rows.count == 1)
    }
  }

  private func outcome(_ row: LabRow, _ metric: Metric, isOnly: Bool) -> Outcome {
    let place = isOnly ? "" : " with \(row.setting.workload) on \(row.setting.network)"
    let world = place + row.scope
    let limitText = LabParameter(metric.rawValue, limit).text
    let question = "\(policy) is worse than \(other) by \(limitText)"
    guard let comparison = row.comparisons[metric], comparison.pairs > 0 else {
      return policy == other
        ? .passed : .notResolved("not resolved whether \(question)\(world): no sessions to compare")
    }
    let sign = metric.isBetterWhenLess ? 1.0 : -1.0
    let ends = [sign * comparison.adjustedLow, sign * comparison.adjustedHigh].sorted()
    func text(_ value: Double) -> String {
      (value < 0 ? "−" : "") + Amount.decimals(abs(value), metric.digits)
    }
    let amount = "\(text(sign * comparison.mean)) (95 % \(text(ends[0]))…\(text(ends[1])))"
    if let leaving = row.comparisons[.left], comparison.leaving > 0 {
      let more = Amount.decimals(leaving.mean, Metric.left.digits)
      let words =
        "\(more) % more readers leave \(policy) than \(other)\(world), and who has left waits no more"
      return leaving.adjustedVerdict == .worse ? .failed(words) : .notResolved(words)
    }
    if ends[1] <= limit { return .passed }
    if ends[0] > limit, comparison.adjustedVerdict == .worse {
      return .failed(
        "\(policy) is worse than \(other) by \(amount) in \(metric.rawValue)\(world), not at most \(limitText)"
      )
    }
    return .notResolved("not resolved whether \(question)\(world): \(amount) in \(metric.rawValue)")
  }
}

extension LabRow {
  /// Of whom a verdict is, where that is less than it seems: behind it.
  var scope: String { isOneReader ? ", of one reader" : "" }
}
