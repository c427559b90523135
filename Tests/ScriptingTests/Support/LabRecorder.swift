import Experiments
import Items
import Paging
import Scripting

/// A lab that remembers what it was to run, and has the same answer for everything.
final class LabRecorder: ScriptLab {
  private(set) var experiments: [Experiment] = []
  /// What every result is.
  var found = #"{"rows":[],"sessions":[]}"#
  /// Fails every run, where it is set.
  var error: ExperimentError?
  /// Called with each experiment.
  var body: (Experiment) throws -> Void = { _ in }

  /// The newest one.
  var experiment: Experiment { experiments.last ?? Experiment() }

  func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult {
    experiments.append(experiment)
    if let error { throw error }
    do {
      try body(experiment)
    } catch {
      throw ExperimentError("the recorder", expected: "no error", got: "\(error)")
    }
    return RecordedResult(json: Bytes(found))
  }
}

/// What a recorder gives back.
private final class RecordedResult: ExperimentResult {
  let json: Bytes

  init(json: Bytes) { self.json = json }

  func compare(_ policy: String, with other: String) throws(ExperimentError) -> Bytes {
    guard policy != other else { throw ExperimentError("compare", expected: "two policies", got: policy) }
    return Bytes(#"{"first":"\#(policy)","second":"\#(other)"}"#)
  }

  func report() -> Bytes { Bytes("<html></html>") }
}

extension ScriptRun {
  /// The same, with a lab.
  convenience init(_ script: String, lab: any ScriptLab, in world: ScriptWorld = ScriptWorld()) throws {
    try self.init(script, in: world) { $0.lab = lab }
  }
}

/// The experiment that a script runs with these fields.
func experiment(_ fields: String, before: String = "") throws -> Experiment {
  let lab = LabRecorder()
  let run = try ScriptRun("\(before)\nlookahead.lab.run(lookahead.experiment { \(fields) })", lab: lab)
  if let failure = run.failure { throw LabFailure(message: failure) }
  return lab.experiment
}

/// A script of a test that should not have failed.
struct LabFailure: Error {
  let message: String
}
