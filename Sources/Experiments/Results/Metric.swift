/// What is measured per session. Durations are in seconds, distances in items; less is better, except for the hit rate and what was seen.
public enum Metric: String, Sendable, CaseIterable {
  /// Time the reader waited for missing items, including the start.
  case stall
  /// How often the reader had to wait, including the start.
  case stalls
  /// The longest wait after the start.
  case worstStall
  /// The wait for the first items.
  case startup
  /// Stall beyond that of a schedule that knows the future.
  case regret
  /// Share of the seen items that were there in time.
  case hitRate
  /// Fetches, including retries.
  case requests
  /// Items fetched but never seen.
  case waste
  /// Items held, averaged over the session.
  case held
  /// Distinct items that came into view; those that were jumped over did not.
  case seen
  /// Percent of them whose details, such as an image, were not there in time; zero where no details are fetched.
  case late
  /// Megabytes received, details included.
  case bytes
  /// Joules that a phone's radio spends.
  case energy
  /// Percent of the sessions whose reader left while waiting.
  case left
  /// Several of the above as one number: `SessionCosts`.
  case cost

  /// Whether smaller is better.
  public var isBetterWhenLess: Bool { self != .hitRate && self != .seen }

  /// The column title, with the unit.
  public var title: String {
    switch self {
    case .stall: "stall s"
    case .stalls: "stalls"
    case .worstStall: "worst s"
    case .startup: "start s"
    case .regret: "regret s"
    case .hitRate: "hit %"
    case .requests: "requests"
    case .waste: "waste"
    case .held: "held"
    case .seen: "seen"
    case .late: "late %"
    case .bytes: "MB"
    case .energy: "energy J"
    case .left: "left %"
    case .cost: "cost"
    }
  }

  /// Significant digits after the decimal point.
  public var digits: Int {
    switch self {
    case .stall, .worstStall, .startup, .regret, .bytes, .cost: 3
    case .stalls, .hitRate, .requests, .waste, .held, .seen, .late, .energy, .left: 1
    }
  }
}
