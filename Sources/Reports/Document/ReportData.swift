import Experiments
import JSON
import Text

/// The data for a report's script: names, every session's numbers as integers, and the timelines.
struct ReportData {
  private let contents: ReportContents
  private let timelines: TimelineSet
  /// Those that are not zero in all rows.
  private let metrics: [Metric]
  /// Sessions per row; all rows have the same share.
  let sessions: Int

  /// `budget` is the maximum bytes of the sessions' numbers; sessions beyond a row's share are omitted.
  init(_ contents: ReportContents, _ timelines: TimelineSet, budget: Int) {
    self.contents = contents
    self.timelines = timelines
    let rows = contents.result.rows.filter { $0.part == .all }
    metrics = Metric.allCases.filter { metric in
      rows.contains { row in row.scores.contains { $0[metric] != 0 } }
    }
    // A number takes some 4.5 bytes.
    let share = budget * 2 / (9 * max(1, metrics.count)) / max(1, rows.count)
    sessions = min(share, rows.map(\.scores.count).max() ?? 0)
  }

  /// Whether all sessions are included.
  var isComplete: Bool { contents.result.rows.allSatisfy { $0.part != .all || $0.scores.count <= sessions } }

  var json: String {
    var json = JSONWriter(escaping: .markup)
    json.object { json in
      json.member("run", String(contents.result.seed))
      json.member("parameters", contents.parameterNames) { $0.foreign($1) }
      json.member("metrics", metrics) { json, metric in
        json.array {
          $0.text(metric.rawValue)
          $0.integer(Int64(metric.digits))
        }
      }
      json.member("outcomes", TimelineData.outcomes) { $0.text($1.rawValue) }
      json.member("policies", contents.policies) { $0.foreign($1) }
      json.member("rows", contents.result.rows.lazy.filter { $0.part == .all }) { write($1, &$0) }
      json.member("reasons", timelines.reasons) { $0.foreign($1) }
      json.key("timelines")
      timelines.write(&json)
    }
    return json.string
  }

  /// Source, workload, network, policy, its parameters; the sessions; the numbers by metric.
  private func write(_ row: LabRow, _ json: inout JSONWriter) {
    let setting = row.setting
    let scores = row.scores.prefix(sessions)
    json.array { json in
      for name in [setting.source, setting.workload, setting.network, setting.policy] { json.foreign(name) }
      json.array(contents.parameterNames) { json, name in
        json.text(setting.parameters.first { $0.name == name }?.text ?? "")
      }
      json.integers(scores.map(\.session))
      json.array(metrics) { json, metric in
        json.integers(scores.map { ReportNumber.units($0[metric], metric.digits) })
      }
    }
  }
}

extension JSONWriter {
  /// A name or a sentence of a script as the page shows it.
  mutating func foreign(_ content: String) { text(HarmlessText.lines(content)) }

  /// All of them as an array.
  mutating func integers(_ values: [Int]) { array(values) { $0.integer(Int64($1)) } }
}
