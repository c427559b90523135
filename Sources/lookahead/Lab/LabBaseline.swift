import Experiments
import JSON
import Paging
import Simulation
import Text

/// The result of an earlier run of the lab, as `--format json` wrote it: every row is compared with itself then, session by session.
struct LabBaseline {
  private let path: String
  private let seed: String
  /// What the worlds were, by name.
  private var worlds: [String: String] = [:]
  /// Of every row and session.
  private var sessions: [String: [Int: JSONTree]] = [:]

  /// Whether a value of `--baseline` is a file rather than a policy.
  static func isFile(_ text: String) -> Bool { text.hasSuffix(".json") }

  /// Reads the file; errors have been shown when it throws.
  init(_ path: String) throws(RunExit) {
    self.path = path
    let text = try LabInputs.contents(path)
    guard let json = try? JSONTree(text), let seed = json["seed"]?.text,
      case .list(let all)? = json["sessions"]
    else {
      standardError(
        "error: --baseline \(path): expected what lookahead lab --format json wrote, with its sessions")
      throw .usage
    }
    self.seed = seed
    if case .list(let inputs)? = json["inputs"] {
      for input in inputs { worlds[input["name"]?.text ?? ""] = input["description"]?.text }
    }
    for session in all {
      guard let number = session["session"]?.number.flatMap({ Int(exactly: $0) }) else { continue }
      sessions[Self.name(session), default: [:]][number] = session
    }
  }

  /// Throws unless its sessions are those of this run.
  func check(_ result: LabResult) throws(RunExit) {
    let isWorld = { (name: String) in name.hasPrefix("workload ") || name.hasPrefix("network ") }
    for input in result.inputs where isWorld(input.name) {
      guard let then = worlds[input.name], then != input.description else { continue }
      standardError(
        "error: --baseline \(path): expected the same readers and networks, but \(input.name) has changed: "
          + "\(then); now \(input.description)")
      throw .usage
    }
    let rows = result.rows.filter { !$0.isOracle && sessions[Self.name($0.setting)] != nil }
    if seed == String(result.seed), !rows.isEmpty { return }
    let got = seed == String(result.seed) ? "none of this run's rows" : "the seed \(seed)"
    standardError(
      "error: --baseline \(path): expected rows of the seed \(result.seed) to compare with, got \(got)")
    throw .usage
  }

  /// How a row differs from itself then; nil where it was not run.
  func comparison(of row: LabRow, in metric: Metric) -> PairedComparison? {
    var comparison = plainComparison(of: row, in: metric)
    if metric != .left, metric != .cost, let leaving = plainComparison(of: row, in: .left) {
      comparison?.heed(leaving: leaving)
    }
    return comparison
  }

  private func plainComparison(of row: LabRow, in metric: Metric) -> PairedComparison? {
    guard let earlier = sessions[Self.name(row.setting)] else { return nil }
    let pairs = row.scores.compactMap { score in
      earlier[score.session]?[metric.rawValue]?.number.map { number in
        // The file has six digits.
        let difference = score[metric] - number
        return (reader: score.reader, difference: abs(difference) < 1e-6 ? 0 : difference)
      }
    }
    return PairedComparison(
      pairs.map(\.difference), readers: pairs.map(\.reader), isBetterWhenLess: metric.isBetterWhenLess)
  }

  /// One line per row: how it differs from itself then.
  func lines(_ result: LabResult) -> [String] {
    let metric = result.primary
    return result.rows.filter { !$0.isOracle && $0.part == .all && $0.failure == nil }.map { row in
      guard let comparison = comparison(of: row, in: metric) else {
        return "\(row.setting.policyTitle): not in \(path)"
      }
      let amounts = [comparison.mean, comparison.low, comparison.high].map { amount in
        (amount < 0 ? "−" : "+") + Amount.decimals(abs(amount), metric.digits)
      }
      let verdict = comparison.low == 0 && comparison.high == 0 ? "the same" : comparison.verdict.rawValue
      return "\(row.setting.policyTitle) against \(path): \(metric.rawValue) \(amounts[0]) "
        + "(95 % \(amounts[1])…\(amounts[2])), \(verdict)\(row.scope)"
    }
  }

  private static func name(_ setting: LabSetting) -> String {
    name(
      setting.source, setting.policy, setting.workload, setting.network,
      setting.parameters.map { "\($0.name)=\($0.value)" })
  }

  private static func name(_ session: JSONTree) -> String {
    var parameters: [String] = []
    if case .object(let members)? = session["parameters"] {
      parameters = members.map { "\($0.key)=\($0.value.number ?? .nan)" }
    }
    return name(
      session["source"]?.text ?? "", session["policy"]?.text ?? "", session["workload"]?.text ?? "",
      session["network"]?.text ?? "", parameters)
  }

  private static func name(
    _ source: String, _ policy: String, _ workload: String, _ network: String, _ parameters: [String]
  ) -> String {
    ([source, policy, workload, network] + parameters.sorted()).joined(separator: "\u{0}")
  }
}
