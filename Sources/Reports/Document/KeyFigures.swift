import Experiments

/// The numbers beside the headline: what the policy waits and what it wastes for that, and the policy that it is compared
/// with.
struct KeyFigures {
  private let subject: LabRow
  private let base: LabRow?
  private let contents: ReportContents

  /// Nil if the headline is about no single policy.
  init?(_ finding: Finding, _ contents: ReportContents) {
    guard let subject = finding.subject else { return nil }
    self.subject = subject
    base = finding.base
    self.contents = contents
  }

  private var metrics: [Metric] {
    [contents.primary] + [Metric.stall, .waste].filter { $0 != contents.primary }
  }

  func write(_ markup: inout Markup) {
    markup.within("div", ["class": "keys", "role": "group", "aria-label": "The headline in numbers"]) {
      keys in
      for metric in metrics {
        keys.within("dl") { list in
          list.element("dt", [:], "\(metric.name) of \(subject.setting.policyTitle)")
          list.within("dd") { number in
            number.element("b", [:], ReportNumber.fixed(subject.mean(metric), metric.digits))
            number.write(" " + metric.rate)
          }
          if let base { list.element("dd", ["class": "aid"], other(base, metric)) }
        }
      }
    }
  }

  private func other(_ base: LabRow, _ metric: Metric) -> String {
    "\(base.setting.policyTitle): \(ReportNumber.fixed(base.mean(metric), metric.digits))"
  }
}
