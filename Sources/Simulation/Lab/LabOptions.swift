public import Experiments
public import Paging

/// How an experiment is run; does not affect the score of any session.
public struct LabOptions: Sendable {
  /// Number of threads.
  public var jobs = 1
  /// Sessions per row whose timelines are kept: the first, and the one with the longest stall.
  public var timelines = 3
  /// Share of the sessions held out to check what was chosen on the others; zero is none.
  public var holdout = 0.0
  /// Candidates that are significantly worse by this metric are dropped early; nil runs all to the end.
  public var race: Metric?
  /// Called regularly with the numbers of finished and of all sessions.
  public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  /// Charged for the sessions, on any thread.
  public var account = ScriptAccount()
  /// Maximum sessions kept individually, over all rows.
  public var mostKept = Int.max
  /// Maximum items held by a session.
  public var mostItems = 20_000_000
  /// Maximum points of all timelines together; further sessions have none.
  public var mostMoments = Int.max

  public init() {}

  /// Options for a script, within the memory of its account.
  public init(for account: ScriptAccount) {
    self.account = account
    // A score takes some 200 bytes and as many as text, a held item some 100, a point some 50.
    mostKept = account.largestAnswer / 400
    mostItems = min(mostItems, account.memory / 100)
    mostMoments = account.largestAnswer / 50
  }
}
