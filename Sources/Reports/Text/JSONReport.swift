public import Experiments
import JSON

/// The result as one JSON object: the inputs, `rows` with their metrics and comparisons, `fronts` with the hypervolume
/// of every swept policy, and individual `sessions`.
///
/// Equal results are equal bytes: members are in fixed order, numbers have at most six decimals, and NaN is null.
public struct JSONReport {
  private let contents: ReportContents
  private let hasSessions: Bool

  /// Without sessions, only the rows.
  public init(_ result: LabResult, hasSessions: Bool = true) {
    contents = ReportContents(result)
    self.hasSessions = hasSessions
  }

  /// On one line, ending in a newline.
  public var text: String {
    let result = contents.result
    var json = JSONWriter(escaping: .harmless)
    json.object { json in
      json.member("title", result.title)
      json.member("seed", String(result.seed))
      json.member("sessionsPerRow", result.sessions)
      json.member("baseline", result.baseline)
      if let failed = result.failedBaseline { json.member("failedBaseline", failed) }
      let finding = Finding(contents)
      json.member("finding", finding.headline)
      if !finding.choice.isEmpty { json.member("choice", finding.choice) }
      json.rounded("margin", result.margin)
      json.member("costs") {
        $0.rounded("stall", result.costs.stall)
        $0.rounded("event", result.costs.event)
        $0.rounded("request", result.costs.request)
        $0.rounded("waste", result.costs.waste)
        $0.rounded("memory", result.costs.memory)
        $0.rounded("bytes", result.costs.bytes)
        $0.rounded("energy", result.costs.energy)
        $0.rounded("left", result.costs.left)
      }
      json.member("inputs", result.inputs) { json, input in
        json.object {
          $0.member("name", input.name)
          $0.member("description", input.description)
        }
      }
      json.member("events", result.events)
      json.member("rows", result.rows) { write($1, &$0) }
      json.key("fronts")
      json.array { json in for block in contents.blocks { fronts(block, &json) } }
      guard hasSessions else { return }
      json.key("sessions")
      json.array { sessions(&$0) }
    }
    return json.string + "\n"
  }

  private func write(_ row: LabRow, _ json: inout JSONWriter) {
    json.object { json in
      write(row.setting, &json)
      json.member("part", row.part.rawValue)
      json.member("sessions", row.sessions)
      json.member("isOracle", row.isOracle)
      json.member("isOnFront", row.isOnFront)
      json.member("isKnee", row.isKnee)
      json.member("isDropped", row.isDropped)
      json.member("mayBeBest", row.mayBeBest)
      if let failure = row.failure { json.member("failure", "\(failure)") }
      for metric in Metric.allCases { write(metric, of: row, &json) }
    }
  }

  private func write(_ setting: LabSetting, _ json: inout JSONWriter) {
    json.member("source", setting.source)
    json.member("policy", setting.policy)
    json.member("parameters") { json in
      for parameter in setting.parameters { json.rounded(parameter.name, parameter.value) }
    }
    json.member("workload", setting.workload)
    json.member("network", setting.network)
  }

  private func write(_ metric: Metric, of row: LabRow, _ json: inout JSONWriter) {
    guard let summary = row.summaries[metric] else { return }
    json.member(metric.rawValue) { json in
      json.rounded("mean", summary.mean)
      json.rounded("low", row.interval(metric)?.low ?? .nan)
      json.rounded("high", row.interval(metric)?.high ?? .nan)
      json.rounded("p50", summary.p50)
      json.rounded("p95", summary.p95)
      json.rounded("worst", summary.worst)
      guard let comparison = row.comparisons[metric] else { return }
      json.member("difference") {
        $0.rounded("mean", comparison.mean)
        $0.rounded("low", comparison.low)
        $0.rounded("high", comparison.high)
        $0.member("pairs", comparison.pairs)
        $0.member("differing", comparison.differing)
        let readers = row.isOneReader ? 1 : comparison.readers
        if readers > 0 { $0.member("readers", readers) }
        $0.member("verdict", comparison.verdict.rawValue)
        $0.rounded("adjustedLow", comparison.adjustedLow)
        $0.rounded("adjustedHigh", comparison.adjustedHigh)
        $0.member("adjustedVerdict", comparison.adjustedVerdict.rawValue)
        if let reason = Judgement(row, metric, contents)?.reason, !reason.isEmpty {
          $0.member("reason", reason)
        }
        guard metric == contents.primary else { return }
        let margin = contents.result.margin
        $0.member("isEqual", comparison.isEqual(within: margin))
        if let sessions = comparison.sessionsNeeded(margin: margin) { $0.member("sessionsNeeded", sessions) }
      }
    }
  }

  /// The hypervolume of every policy with several settings, and of all together.
  private func fronts(_ block: ReportBlock, _ json: inout JSONWriter) {
    let parts = [(part: LabRow.Part.all, rows: block.rows)] + block.splits
    for (part, rows) in parts {
      for area in FrontArea.all(of: rows) {
        json.object { json in
          json.member("source", block.source)
          json.member("workload", block.workload)
          json.member("network", block.network)
          json.member("part", part.rawValue)
          if let policy = area.policy { json.member("policy", policy) }
          json.member("settings", area.settings)
          json.rounded("hypervolume", area.part)
          json.member("reference") {
            $0.rounded("waste", FrontArea.corner.x)
            $0.rounded("stall", FrontArea.corner.y)
          }
        }
      }
    }
  }

  private func sessions(_ json: inout JSONWriter) {
    for row in contents.result.rows where row.part == .all {
      for score in row.scores {
        json.object { json in
          write(row.setting, &json)
          json.member("session", score.session)
          if score.reader < 0 { json.member("reader", row.readers[-1 - score.reader]) }
          if !row.networks.isEmpty { json.member("trace", row.networks[score.network]) }
          for metric in Metric.allCases { json.rounded(metric.rawValue, score[metric]) }
          json.rounded("bound", score.bound)
          json.rounded("duration", score.duration)
        }
      }
    }
  }
}

extension JSONWriter {
  /// A member with a number that has at most six digits behind the point.
  mutating func rounded(_ name: String, _ value: Double) {
    key(name)
    if value.isFinite { raw(text: ReportNumber.short(value, 6)) } else { null() }
  }
}
