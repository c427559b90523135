/// The subject of a row: one source, policy, workload and network.
public struct LabSetting: Sendable, Hashable {
  public var source: String
  public var policy: String
  /// Policy and source parameters set by a sweep, in sweep order.
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

/// A parameter set by a sweep.
public struct LabParameter: Sendable, Hashable {
  public var name: String
  public var value: Double

  public init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }

  /// The shortest form of the number: `2` and `1.5`.
  public var text: String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}

/// One row of a result: a setting, over all its sessions.
public struct LabRow: Sendable {
  public var setting: LabSetting
  /// The sessions it covers: all, or one part of a split.
  public var part = Part.all
  /// Sessions run; fewer than requested if a race dropped the candidate.
  public var sessions = 0
  /// By metric.
  public var summaries: [Metric: MetricSummary] = [:]
  /// The first sessions, in order, for charts and paired comparison; at most `LabResult.keptSessions`.
  public var scores: [SessionScore] = []
  /// All sessions, for paired comparison, where there are more than `scores` has.
  public var batches = SessionBatches(size: 1)
  /// The names of recorded readers, if there are several: that of reader −1 first.
  public var readers: [String] = []
  /// Whether all sessions are of one recorded reader: intervals and verdicts hold for it, and say nothing of others.
  public var isOneReader = false
  /// The names of the network's traces, if there are several.
  public var networks: [String] = []
  /// Paired comparison with the baseline, by metric; empty for the baseline itself.
  public var comparisons: [Metric: PairedComparison] = [:]
  /// Whether no other policy for the same source, workload and network is better in both waste and stall.
  public var isOnFront = false
  /// Whether it is the knee of the front of waste and stall: less stall costs much more waste, less waste much more stall.
  public var isKnee = false
  /// Whether it may be the best by the metric that decides: no other policy is better than it beyond doubt, all compared
  /// at once. With 95 % confidence the best policy is among those that may be.
  public var mayBeBest = false
  /// Whether it is an oracle: it knows what the reader will do. No policy can match it where it is a bound.
  public var isOracle = false
  /// Why it has no numbers: the first session that could not run.
  public var failure: SessionFailure?
  /// Whether the race dropped it early: its numbers cover only its first sessions, and only its paired comparisons may
  /// be compared with other rows.
  public var isDropped = false

  public init(setting: LabSetting) { self.setting = setting }

  /// Whether no policy can wait less than it, in any session: its stalls are those of the proven bound, to 0.1 ms.
  public var isBound: Bool { isOracle && !scores.isEmpty && scores.allSatisfy { $0.regret < 0.0001 } }

  /// Which sessions of a split.
  public enum Part: String, Sendable { case all, train, holdout }
}

extension LabRow {
  /// So many percent of the readers are no reason to call a row worse than another.
  public static let fewLeave = 1.0
}

extension Collection<LabRow> {
  /// Those that may be best by a metric: not the ones that more readers leave than others, since who has left waits no more. By
  /// cost all may be: leaving has its own.
  public func keepingReaders(for metric: Metric) -> [LabRow] {
    if metric == .cost || metric == .left { return Array(self) }
    let least = compactMap { $0.summaries[.left]?.mean }.min() ?? 0
    return filter { ($0.summaries[.left]?.mean ?? 0) < least + LabRow.fewLeave }
  }
}

/// One metric over the sessions of a row.
public struct MetricSummary: Sendable, Hashable {
  public var mean = 0.0
  /// Half the width of the 95 % interval of the mean.
  public var halfWidth = 0.0
  /// From the mean to the middle of the interval, which reaches farther to the side of the skewness.
  public var shift = 0.0
  public var p50 = 0.0
  public var p95 = 0.0
  /// Of the worst session.
  public var worst = 0.0

  public init() {}

  /// The 95 % interval of the mean, which has to be set before.
  public var interval: ClosedRange<Double> {
    get { low...max(low, high) }
    set {
      halfWidth = (newValue.upperBound - newValue.lowerBound) / 2
      shift = (newValue.upperBound + newValue.lowerBound) / 2 - mean
    }
  }

  /// The ends of the 95 % interval of the mean.
  public var low: Double { mean + shift - halfWidth }
  public var high: Double { mean + shift + halfWidth }
}

/// A row against the baseline, session by session.
public struct PairedComparison: Sendable, Hashable {
  /// Mean difference, row minus baseline.
  public var mean: Double
  /// The 95 % interval of the mean, for this comparison alone.
  public var low: Double
  public var high: Double
  public var pairs: Int
  /// Pairs, or readers, that are not equal.
  public var differing: Int
  /// Recorded readers that the pairs are of; zero if every session has a reader of its own.
  public var readers = 0
  /// What the interval is about: pairs of sessions, or recorded readers.
  public var units: Int { readers > 0 ? readers : pairs }
  public var verdict: Verdict
  /// The standard deviation of the differences; zero if unknown.
  public var deviation = 0.0
  /// The interval adjusted for all rows compared with the baseline: with 95 % confidence, all of them hold together.
  public var adjustedLow: Double
  public var adjustedHigh: Double
  /// The conclusion from the adjusted interval.
  public var adjustedVerdict: Verdict
  /// Where a verdict was taken back because of it: how many percent more of the row's readers leave than of the baseline's.
  public private(set) var leaving = 0.0

  public init(mean: Double, low: Double, high: Double, pairs: Int, verdict: Verdict) {
    self.mean = mean
    self.low = low
    self.high = high
    self.pairs = pairs
    differing = pairs
    self.verdict = verdict
    adjustedLow = low
    adjustedHigh = high
    adjustedVerdict = verdict
  }

  /// Takes a verdict back for the one of the two that more readers leave: who has left waits no more.
  public mutating func heed(leaving: PairedComparison) {
    guard leaving.verdict != .notResolved || abs(leaving.mean) >= LabRow.fewLeave else { return }
    let favoured: Verdict = leaving.mean > 0 ? .better : .worse
    guard verdict == favoured || adjustedVerdict == favoured else { return }
    (verdict, adjustedVerdict, self.leaving) = (.notResolved, .notResolved, leaving.mean)
  }

  /// Fewer pairs that differ resolve nothing: even five agreeing pairs occur by chance once in sixteen times.
  public static let fewestPairs = 6

  /// Whether the difference is within the margin, beyond doubt.
  public func isEqual(within margin: Double) -> Bool { adjustedLow > -margin && adjustedHigh < margin }

  /// About how many sessions, or recorded readers where these are compared, would tell, in four of five experiments, either a difference as large as this mean or
  /// equality within the margin; nil if it is told already or nothing is known of the spread. Two significant digits.
  public func sessionsNeeded(margin: Double) -> Int? {
    guard adjustedVerdict == .notResolved, leaving == 0, !isEqual(within: margin), deviation > 0 else {
      return nil
    }
    let reach = max(abs(mean), margin - abs(mean))
    // The deviations of a two-sided test at 95 % with a power of 80 %.
    let least = (2.8 * deviation / reach) * (2.8 * deviation / reach)
    guard least < 1e12 else { return nil }
    var unit = 1.0
    while least / unit >= 100 { unit *= 10 }
    return max(units + 1, Int((least / unit).rounded(.up) * unit))
  }

  /// The conclusion.
  public enum Verdict: String, Sendable {
    case better, worse
    /// The interval contains zero: these sessions don't decide it, more might.
    case notResolved = "not resolved"
  }
}
