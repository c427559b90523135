public import Items
public import Paging

/// The lab as scripts reach it. The command line implements it: only there do simulation and reports meet.
public protocol ScriptLab: AnyObject {
  /// Runs an experiment in virtual time. The script's account pays: the experiment fails when it is exhausted.
  func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult
}

/// The result of an experiment, as scripts see it.
public protocol ExperimentResult: AnyObject {
  /// `{ "rows": […], "sessions": […] }` as one JSON object.
  var json: Bytes { get }
  /// Compares two policies session by session: one JSON object by metric, each with a verdict.
  func compare(_ policy: String, with other: String) throws(ExperimentError) -> Bytes
  /// The report as one HTML file.
  func report() -> Bytes
}

/// Something invalid in an experiment, with the evidence.
public struct ExperimentError: Error, Sendable, Hashable {
  /// Where, such as `workload 'fast'`.
  public var place: String
  /// What was expected there.
  public var expected: String
  /// What was found.
  public var got: String

  /// An error at a place, with what was expected and what was found.
  public init(_ place: String, expected: String, got: String) {
    self.place = place
    self.expected = expected
    self.got = got
  }

  /// A sentence for the author of the experiment.
  public var sentence: String { "\(place): expected \(expected), got \(got)" }
}
