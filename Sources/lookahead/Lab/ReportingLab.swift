import Experiments
import Items
import Paging
import Reports
import Simulation

/// The lab for running scripts: runs experiments on the script's own thread, which their policies belong to, and
/// produces reports.
final class ReportingLab: ScriptLab {
  func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult {
    do {
      return ReportedResult(try Lab(LabOptions(for: account)).run(experiment))
    } catch let error as ExperimentError {
      throw error
    } catch {
      throw ExperimentError("the experiment", expected: "sessions that can be run", got: "\(error)")
    }
  }
}

/// A result as scripts see it.
private final class ReportedResult: ExperimentResult {
  private let result: LabResult

  init(_ result: LabResult) { self.result = result }

  var json: Bytes { Bytes(JSONReport(result).text) }

  func compare(_ policy: String, with other: String) throws(ExperimentError) -> Bytes {
    var compared = result
    let names = result.rows.filter { !$0.isOracle }.map(\.setting.policyTitle)
    for name in [policy, other] where !names.contains(name) {
      throw ExperimentError("policy", expected: LabResult.choice(of: names), got: name)
    }
    compared.compare(with: other)
    compared.rows = compared.rows.filter { $0.setting.policyTitle == policy }
    return Bytes(JSONReport(compared, hasSessions: false).text)
  }

  func report() -> Bytes { Bytes(HTMLReport(result).text) }
}
