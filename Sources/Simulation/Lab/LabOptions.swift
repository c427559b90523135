public import Experiments
public import Paging

/// How an experiment is run; none of it changes the score of a session.
public struct LabOptions: Sendable {
  /// Threads that run sessions.
  public var jobs = 1
  /// Sessions of every row whose timelines are kept.
  public var timelines = 3
  /// The part of the sessions that is kept back to check what was chosen on the others; zero is none.
  public var holdout = 0.0
  /// Candidates that are significantly worse by this metric are dropped early; nil runs all to the end.
  public var race: Metric?
  /// Called now and then with the sessions that are done, and their number in all.
  public var progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  /// Pays for the sessions, whichever thread runs them.
  public var account = ScriptAccount()
  /// Sessions of all rows together that are kept one by one.
  public var mostKept = Int.max
  /// Items that a session may hold.
  public var mostItems = 20_000_000
  /// Moments of all timelines together; sessions beyond have none.
  public var mostMoments = Int.max

  public init() {}

  /// For a script: within the memory that its account allows.
  public init(for account: ScriptAccount) {
    self.account = account
    // A score takes some 200 bytes and as many as text, an item held some 100, a moment some 50.
    mostKept = account.largestAnswer / 400
    mostItems = min(mostItems, account.memory / 100)
    mostMoments = account.largestAnswer / 50
  }
}
