import Experiments

/// The data for a report's script: names, every session's numbers as integers, and the timelines.
struct ReportData {
  private let contents: ReportContents
  private let timelines: TimelineSet
  /// Sessions per row; all rows have the same share.
  let sessions: Int

  /// `budget` is the maximum bytes of the sessions' numbers; sessions beyond a row's share are omitted.
  init(_ contents: ReportContents, _ timelines: TimelineSet, budget: Int) {
    self.contents = contents
    self.timelines = timelines
    let rows = contents.result.rows.filter { $0.part == .all }
    // The numbers of one session take some 45 bytes.
    let share = budget / 45 / max(1, rows.count)
    sessions = min(share, rows.map(\.scores.count).max() ?? 0)
  }

  /// Whether all sessions are included.
  var isComplete: Bool { contents.result.rows.allSatisfy { $0.part != .all || $0.scores.count <= sessions } }

  var json: String {
    var json = JSONText()
    json.object { json in
      json.member("run", String(contents.result.seed))
      json.key("parameters")
      json.array { json in for name in contents.parameterNames { json.string(name) } }
      json.key("metrics")
      json.array { json in for metric in Metric.allCases { json.metric(metric) } }
      json.key("outcomes")
      json.array { json in for outcome in TimelineData.outcomes { json.string(outcome.rawValue) } }
      json.key("policies")
      json.array { json in for title in contents.policies { json.string(title) } }
      json.key("rows")
      json.array { json in for row in contents.result.rows where row.part == .all { write(row, &json) } }
      json.key("reasons")
      json.array { json in for reason in timelines.reasons { json.string(reason) } }
      json.key("timelines")
      timelines.write(&json)
    }
    return json.text
  }

  /// Source, workload, network, policy, its parameters; the sessions; the numbers by metric.
  private func write(_ row: LabRow, _ json: inout JSONText) {
    let setting = row.setting
    let scores = row.scores.prefix(sessions)
    json.array { json in
      for name in [setting.source, setting.workload, setting.network, setting.policy] { json.string(name) }
      json.array { json in
        for name in contents.parameterNames {
          json.string(setting.parameters.first { $0.name == name }?.text ?? "")
        }
      }
      json.integers(scores.map(\.session))
      json.array { json in
        for metric in Metric.allCases {
          json.integers(scores.map { ReportNumber.units($0[metric], metric.digits) })
        }
      }
    }
  }
}

extension JSONText {
  /// Its name and digits.
  mutating func metric(_ metric: Metric) {
    array {
      $0.string(metric.rawValue)
      $0.integer(metric.digits)
    }
  }
}
