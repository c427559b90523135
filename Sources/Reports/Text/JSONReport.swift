public import Experiments

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
    var json = JSONText()
    json.object { json in
      json.member("title", result.title)
      json.key("seed")
      json.string(String(result.seed))
      json.key("sessionsPerRow")
      json.integer(result.sessions)
      json.member("baseline", result.baseline)
      json.member("finding", Finding(contents).headline)
      json.key("costs")
      costs(&json, result.costs)
      json.key("inputs")
      json.array { json in
        for input in result.inputs {
          json.object {
            $0.member("name", input.name)
            $0.member("description", input.description)
          }
        }
      }
      json.key("events")
      json.integer(result.events)
      json.key("rows")
      json.array { json in for row in result.rows { write(row, &json) } }
      json.key("fronts")
      json.array { json in for block in contents.blocks { fronts(block, &json) } }
      guard hasSessions else { return }
      json.key("sessions")
      json.array { json in sessions(&json) }
    }
    return json.text + "\n"
  }

  private func costs(_ json: inout JSONText, _ costs: SessionCosts) {
    json.object {
      $0.member("stall", costs.stall)
      $0.member("event", costs.event)
      $0.member("request", costs.request)
      $0.member("waste", costs.waste)
      $0.member("memory", costs.memory)
    }
  }

  private func write(_ row: LabRow, _ json: inout JSONText) {
    json.object { json in
      write(row.setting, &json)
      json.member("part", row.part.rawValue)
      json.key("sessions")
      json.integer(row.sessions)
      for (name, claim) in [
        ("isOracle", row.isOracle), ("isOnFront", row.isOnFront), ("isDropped", row.isDropped),
      ] {
        json.key(name)
        json.bool(claim)
      }
      if let failure = row.failure { json.member("failure", "\(failure)") }
      for metric in Metric.allCases { write(metric, of: row, &json) }
    }
  }

  private func write(_ setting: LabSetting, _ json: inout JSONText) {
    json.member("source", setting.source)
    json.member("policy", setting.policy)
    json.key("parameters")
    json.object { json in for parameter in setting.parameters { json.member(parameter.name, parameter.value) }
    }
    json.member("workload", setting.workload)
    json.member("network", setting.network)
  }

  private func write(_ metric: Metric, of row: LabRow, _ json: inout JSONText) {
    guard let summary = row.summaries[metric] else { return }
    json.key(metric.rawValue)
    json.object { json in
      json.member("mean", summary.mean)
      json.member("low", summary.mean - summary.halfWidth)
      json.member("high", summary.mean + summary.halfWidth)
      json.member("p50", summary.p50)
      json.member("p95", summary.p95)
      json.member("worst", summary.worst)
      guard let comparison = row.comparisons[metric] else { return }
      json.key("difference")
      json.object {
        $0.member("mean", comparison.mean)
        $0.member("low", comparison.low)
        $0.member("high", comparison.high)
        $0.key("pairs")
        $0.integer(comparison.pairs)
        $0.member("verdict", comparison.verdict.rawValue)
      }
    }
  }

  /// The hypervolume of every policy with several settings, and of all together.
  private func fronts(_ block: ReportBlock, _ json: inout JSONText) {
    let parts = [(part: LabRow.Part.all, rows: block.rows)] + block.splits
    for (part, rows) in parts {
      for area in FrontArea.all(of: rows) {
        json.object { json in
          json.member("source", block.source)
          json.member("workload", block.workload)
          json.member("network", block.network)
          json.member("part", part.rawValue)
          if let policy = area.policy { json.member("policy", policy) }
          json.key("settings")
          json.integer(area.settings)
          json.member("hypervolume", area.part)
          json.key("reference")
          json.object {
            $0.member("waste", area.reference.x)
            $0.member("stall", area.reference.y)
          }
        }
      }
    }
  }

  private func sessions(_ json: inout JSONText) {
    for row in contents.result.rows where row.part == .all {
      for score in row.scores {
        json.object { json in
          write(row.setting, &json)
          json.key("session")
          json.integer(score.session)
          for metric in Metric.allCases { json.member(metric.rawValue, score[metric]) }
          json.member("bound", score.bound)
          json.member("duration", score.duration)
        }
      }
    }
  }
}

extension JSONText {
  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: Double) {
    key(name)
    number(value)
  }
}
