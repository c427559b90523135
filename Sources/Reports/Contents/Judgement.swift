import Experiments

/// What the comparison of a row with the baseline shows: the interval, the verdict and its sign, the same in every
/// table, figure and sentence.
///
/// Interval and verdict are those adjusted for all rows: with 95 % confidence all comparisons of a table hold together.
struct Judgement {
  enum Verdict {
    case better, worse
    /// Within the margin beyond doubt, or the same in every session.
    case equal
    case notResolved
  }

  /// Fewer sessions have no interval worth showing.
  static let fewestSessions = 3

  let metric: Metric
  let mean: Double
  let low: Double
  let high: Double
  let pairs: Int
  let verdict: Verdict
  /// Why the verdict is not resolved, where the interval does not say it; empty otherwise.
  let reason: String
  /// The verdict with its reason: `not resolved: only 3 of 40 sessions differ`.
  let words: String
  private let units: Int
  private let rowSessions: Int

  /// Nil if the row is not compared.
  init?(_ row: LabRow, _ metric: Metric, _ contents: ReportContents) {
    guard let comparison = row.comparisons[metric] else { return nil }
    self.metric = metric
    (mean, low, high) = (comparison.mean, comparison.adjustedLow, comparison.adjustedHigh)
    (pairs, units, rowSessions) = (comparison.pairs, comparison.units, row.sessions)
    let margin = metric == contents.primary ? contents.result.margin : 0
    verdict = Self.verdict(comparison, margin: margin)
    reason = verdict == .notResolved ? Self.reason(comparison, hasBatches: row.batches.sessions > 0) : ""
    switch verdict {
    case .better: words = "better"
    case .worse: words = "worse"
    case .equal:
      let isSame = comparison.differing == 0
      words = isSame ? "the same in every session" : "equal within \(ReportNumber.short(margin, 6))"
    case .notResolved: words = reason.isEmpty ? "not resolved" : "not resolved: \(reason)"
    }
  }

  private static func verdict(_ comparison: PairedComparison, margin: Double) -> Verdict {
    switch comparison.adjustedVerdict {
    case .better: .better
    case .worse: .worse
    case .notResolved:
      comparison.units >= PairedComparison.fewestPairs && comparison.leaving == 0
        && (comparison.differing == 0 || comparison.isEqual(within: margin)) ? .equal : .notResolved
    }
  }

  private static func reason(_ comparison: PairedComparison, hasBatches: Bool) -> String {
    if comparison.leaving != 0 {
      let share = ReportNumber.fixed(abs(comparison.leaving), Metric.left.digits)
      return "\(share) % more of \(comparison.leaving > 0 ? "its" : "the baseline's") readers leave"
    }
    let (differing, units) = (comparison.differing, comparison.units)
    let unit = comparison.readers > 0 ? "reader" : "session"
    if units < PairedComparison.fewestPairs { return "only \(units) \(unit)\(units == 1 ? "" : "s")" }
    guard differing < PairedComparison.fewestPairs else { return "" }
    return hasBatches && comparison.readers == 0
      ? "only \(differing) groups of sessions differ" : "only \(differing) of \(units) \(unit)s differ"
  }

  /// Whether there are sessions enough for an interval.
  var hasInterval: Bool { units >= Self.fewestSessions }

  /// `−0.120 (−0.160…−0.080)`, or without the interval.
  var amount: String {
    signed(mean) + (hasInterval ? " (\(signed(low))…\(signed(high)))" : "")
  }

  /// `−0.120 (−0.160…−0.080) better`
  var text: String { amount + " " + words + (pairs < rowSessions ? " in \(pairs) sessions" : "") }

  /// The difference as an amount without its sign, with the interval that belongs to it: `0.120`, `0.080…0.160`.
  var size: (amount: String, interval: String) {
    let (low, high) = mean < 0 ? (-high, -low) : (low, high)
    func text(_ value: Double) -> String { ReportNumber.fixed(value, metric.digits).replacingMinus }
    return (ReportNumber.fixed(abs(mean), metric.digits), "\(text(low))…\(text(high))")
  }

  /// A sign that tells verdicts apart without colour.
  var sign: String {
    switch verdict {
    case .better: "●"
    case .worse: "■"
    case .equal: "="
    case .notResolved: "◇"
    }
  }

  /// The style class.
  var look: String {
    switch verdict {
    case .better: "better"
    case .worse: "worse"
    case .equal: "equal"
    case .notResolved: "open"
    }
  }

  private func signed(_ value: Double) -> String { ReportNumber.signed(value, metric.digits) }
}

extension LabRow {
  /// Whether there are sessions enough for intervals of its means.
  var hasInterval: Bool { sessions >= Judgement.fewestSessions }

  /// The 95 % interval of a mean; nil if there is none.
  func interval(_ metric: Metric) -> (low: Double, high: Double)? {
    guard hasInterval, let summary = summaries[metric] else { return nil }
    return (summary.low, summary.high)
  }
}
