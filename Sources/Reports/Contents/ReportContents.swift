import Experiments

/// A result in report order.
struct ReportContents {
  let result: LabResult
  let blocks: [ReportBlock]
  /// Every policy's title, in order of its first row; its index determines colour and shape.
  let policies: [String]
  /// Titles of those that are oracles.
  let oracles: Set<String>
  /// The metric policies are judged by: stall, or cost if costs were given.
  let primary: Metric

  init(_ result: LabResult) {
    self.result = result
    primary = result.primary
    var titles: [String] = []
    var known: Set<String> = []
    for row in result.rows where known.insert(row.setting.policyTitle).inserted {
      titles.append(row.setting.policyTitle)
    }
    policies = titles
    oracles = Set(result.rows.filter(\.isOracle).map(\.setting.policyTitle))
    blocks = Self.blocks(result.rows)
  }

  /// The index of a policy.
  func number(_ setting: LabSetting) -> Int { policies.firstIndex(of: setting.policyTitle) ?? 0 }

  /// The baseline row of a block.
  func baseline(_ rows: [LabRow]) -> LabRow? {
    rows.first { $0.setting.policyTitle == result.baseline && $0.isMeasured && !$0.isOracle }
  }

  /// The metrics of a table, besides the one that decides: the usual ones, and others where the experiment is about them: what is
  /// met, what is paid for, and what readers see where policies change it.
  var metrics: [Metric] {
    let shown = Metric.allCases.filter { metric in
      switch metric {
      case .stall, .stalls, .regret, .requests, .waste, .held: true
      case .late, .left: result.rows.contains { ($0.summaries[metric]?.worst ?? 0) > 0 }
      case .seen: blocks.contains { Set($0.rows.filter(\.isComparable).map { $0.mean(.seen) }).count > 1 }
      case .bytes: result.costs.bytes > 0
      case .energy: result.costs.energy > 0
      case .worstStall, .startup, .hitRate, .cost: false
      }
    }
    return shown.filter { $0 != primary }
  }

  /// Every parameter of any row, in order of first appearance.
  var parameterNames: [String] {
    var names: [String] = []
    for row in result.rows {
      for parameter in row.setting.parameters where !names.contains(parameter.name) {
        names.append(parameter.name)
      }
    }
    return names
  }

  private struct Key: Hashable {
    let source: String
    let workload: String
    let network: String
  }

  private static func blocks(_ rows: [LabRow]) -> [ReportBlock] {
    var keys: [Key] = []
    var rowsOfKey: [Key: [LabRow]] = [:]
    for row in rows {
      let key = Key(source: row.setting.source, workload: row.setting.workload, network: row.setting.network)
      if rowsOfKey[key] == nil { keys.append(key) }
      rowsOfKey[key, default: []].append(row)
    }
    let hasSources = Set(keys.map(\.source)).count > 1
    return keys.enumerated().map { number, key in
      let rows = rowsOfKey[key] ?? []
      let splits = [LabRow.Part.train, .holdout].map { part in
        (part: part, rows: rows.filter { $0.part == part })
      }
      return ReportBlock(
        number: number, source: key.source, workload: key.workload, network: key.network,
        title: (hasSources ? key.source + ": " : "") + key.workload + " on " + key.network,
        rows: rows.filter { $0.part == .all }, splits: splits.filter { !$0.rows.isEmpty })
    }
  }
}
