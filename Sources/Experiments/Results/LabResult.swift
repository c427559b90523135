/// The result of an experiment, with everything needed to run it again.
public struct LabResult: Sendable {
  /// Sessions of a row kept individually, about 160 bytes each; beyond that, sums of up to `keptBatches` batches of
  /// sessions, which pair all of them in 160 kB a row.
  public static let keptSessions = 10_000
  /// Maximum batches of a row.
  public static let keptBatches = 2_000

  /// For headings.
  public var title = "experiment"
  public var seed: UInt64 = 1
  /// Requested sessions per row.
  public var sessions = 0
  /// The policy that rows are compared with.
  public var baseline = ""
  /// The policy that they were to be compared with, if it failed; `baseline` is the next then.
  public var failedBaseline: String?
  public var costs = SessionCosts()
  /// Differences smaller than this, in the metric that decides, are of no interest: seconds of stall, or cost.
  public var margin = 0.01
  /// In the order of the experiment: source, workload, network, policy.
  public var rows: [LabRow] = []
  /// Individual sessions of every policy, for illustration.
  public var timelines: [SessionTimeline] = []
  /// What the experiment consisted of, by name: sources, workloads, networks, versions, file hashes.
  public var inputs: [(name: String, description: String)] = []
  /// Where the lab is known to differ from life, a sentence each.
  public var remarks: [String] = []
  /// Events handled by all feeds.
  public var events = 0

  public init() {}

  /// The metric policies are judged by: stall, or cost if costs were given.
  public var primary: Metric { costs.primary }

  /// The expectation where one of these policies had to be named: `one of 'a', 'b'`, without duplicates. Quoted, since
  /// names contain commas and spaces.
  public static func choice(of names: [String]) -> String {
    var known: [String] = []
    for name in names where !known.contains(name) { known.append(name) }
    return (known.count == 1 ? "" : "one of ") + known.map { "'\($0)'" }.joined(separator: ", ")
  }
}
