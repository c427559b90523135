/// How an experiment is run; none of it changes what a session comes to.
public struct LabOptions: Sendable {
  /// Threads that run sessions.
  public var jobs = 1
  /// Sessions of every row that are kept as a picture.
  public var timelines = 3
  /// The part of the sessions that is kept back to check what was chosen on the others; zero is none.
  public var holdout = 0.0
  /// Candidates that are worse by this metric, beyond doubt, are dropped on the way.
  public var race: Metric?
  /// Told every now and then how many sessions of all are done.
  public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?

  public init() {}
}
