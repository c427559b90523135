/// What a row is about: one source, policy, workload and network.
public struct LabSetting: Sendable, Hashable {
  public var source: String
  public var policy: String
  /// The policy's and source's parameters that a sweep has set, in the order of the sweep.
  public var parameters: [LabParameter]
  public var workload: String
  public var network: String

  public init(
    source: String, policy: String, parameters: [LabParameter] = [], workload: String, network: String
  ) {
    self.source = source
    self.policy = policy
    self.parameters = parameters
    self.workload = workload
    self.network = network
  }

  /// The policy with its parameters, as rows and pickers show it.
  public var policyTitle: String {
    parameters.isEmpty
      ? policy : policy + " " + parameters.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
  }
}

/// A parameter that a sweep has set.
public struct LabParameter: Sendable, Hashable {
  public var name: String
  public var value: Double

  public init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }

  /// The shortest text of the number: `2` and `1.5`.
  public var text: String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}

/// One row of a result: a setting, over all its sessions.
public struct LabRow: Sendable {
  public var setting: LabSetting
  /// Which sessions it is about: all, or a part of a split.
  public var part = Part.all
  /// Sessions that were run; fewer than asked for where a race dropped the candidate.
  public var sessions = 0
  /// By metric.
  public var summaries: [Metric: MetricSummary] = [:]
  /// The first sessions, in their order, for pictures and paired comparison; at most `LabResult.keptSessions`.
  public var scores: [SessionScore] = []
  /// Paired with the baseline's sessions, by metric; empty for the baseline itself.
  public var comparisons: [Metric: PairedComparison] = [:]
  /// No other policy of the same source, workload and network is better in both waste and stall.
  public var isOnFront = false
  /// An oracle, which no policy can be.
  public var isOracle = false
  /// Why it has no numbers: the first session that could not be run.
  public var failure: SessionFailure?
  /// Dropped by the race before all sessions were run: its numbers are of its first sessions only, and only its
  /// comparisons, which are paired, may be held against those of other rows.
  public var isDropped = false

  public init(setting: LabSetting) { self.setting = setting }

  /// The sessions of a split.
  public enum Part: String, Sendable { case all, train, holdout }
}

/// One metric over the sessions of a row.
public struct MetricSummary: Sendable, Hashable {
  public var mean = 0.0
  /// Half the width of the 95 % interval of the mean.
  public var halfWidth = 0.0
  public var p50 = 0.0
  public var p95 = 0.0
  /// The worst session's.
  public var worst = 0.0

  public init() {}
}

/// A row against the baseline, session by session.
public struct PairedComparison: Sendable, Hashable {
  /// The mean of the differences, row minus baseline.
  public var mean: Double
  /// The 95 % interval of that mean, by bootstrap.
  public var low: Double
  public var high: Double
  public var pairs: Int
  public var verdict: Verdict

  public init(mean: Double, low: Double, high: Double, pairs: Int, verdict: Verdict) {
    self.mean = mean
    self.low = low
    self.high = high
    self.pairs = pairs
    self.verdict = verdict
  }

  /// What can be said of it.
  public enum Verdict: String, Sendable {
    case better, worse
    /// The interval contains zero: more sessions may tell, these do not.
    case notResolved = "not resolved"
  }
}
