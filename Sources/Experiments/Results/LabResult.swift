/// What an experiment found, with everything that is needed to run it again.
public struct LabResult: Sendable {
  /// Sessions of a row that are kept one by one; beyond, only their sums are.
  public static let keptSessions = 10_000

  /// For headings.
  public var title = "experiment"
  public var seed: UInt64 = 1
  /// Sessions asked for, per row.
  public var sessions = 0
  /// Name of the policy that rows are compared with.
  public var baseline = ""
  public var costs = SessionCosts()
  /// In the order of the experiment: source, workload, network, policy.
  public var rows: [LabRow] = []
  /// Single sessions to learn from, of every policy.
  public var timelines: [SessionTimeline] = []
  /// What the experiment was made of, as name and description: sources, workloads, networks, versions, hashes of files.
  public var inputs: [(name: String, description: String)] = []
  /// Events of all feeds.
  public var events = 0

  public init() {}

  /// What was expected where one of these policies was to be named: `one of 'a', 'b'`, each once. In quotes, as names have
  /// commas and blanks.
  public static func choice(of names: [String]) -> String {
    var known: [String] = []
    for name in names where !known.contains(name) { known.append(name) }
    return (known.count == 1 ? "" : "one of ") + known.map { "'\($0)'" }.joined(separator: ", ")
  }
}
