public import Items
public import Paging

/// The lab as a running script reaches it. The command line provides it, as only there simulation and reports meet.
public protocol ScriptLab: AnyObject {
  /// Runs an experiment in virtual time. The script's account pays: the experiment fails when nothing is left in it.
  func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult
}

/// What an experiment found, as scripts see it.
public protocol ExperimentResult: AnyObject {
  /// `{ "rows": […], "sessions": […] }` as one JSON object.
  var json: Bytes { get }
  /// Two policies, session by session, as one JSON object: by metric, and with a verdict.
  func compare(_ policy: String, with other: String) throws(ExperimentError) -> Bytes
  /// The report, as one HTML file.
  func report() -> Bytes
}

/// Something in an experiment that makes no sense, with the evidence.
public struct ExperimentError: Error, Sendable, Hashable {
  /// What was looked at, as `workload 'fast'`.
  public var place: String
  /// What was expected there.
  public var expected: String
  /// What was found instead.
  public var got: String

  /// An error at a place, with what was expected and what was found.
  public init(_ place: String, expected: String, got: String) {
    self.place = place
    self.expected = expected
    self.got = got
  }

  /// In words, for the author of an experiment.
  public var sentence: String { "\(place): expected \(expected), got \(got)" }
}
