public import Items

/// The lab as a script reaches it; the command line brings the two together.
public protocol Laboratory: AnyObject {
  /// Runs an experiment in virtual time.
  func run(_ experiment: Experiment) throws(ExperimentError) -> any ExperimentResult
  /// The same for a script, which pays for it: the experiment fails when the account has nothing left.
  func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult
}

extension Laboratory {
  /// A lab that costs nothing worth speaking of.
  public func run(
    _ experiment: Experiment, account: ScriptAccount
  ) throws(ExperimentError) -> any ExperimentResult { try run(experiment) }
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
  /// What came.
  public var got: String

  public init(_ place: String, expected: String, got: String) {
    self.place = place
    self.expected = expected
    self.got = got
  }
}
