/// What is measured of a session. Durations are in seconds, distances in items; less is better, but for the hit rate.
public enum Metric: String, Sendable, CaseIterable {
  /// Time that the reader waited for missing items, the start included.
  case stall
  /// Times that the reader had to wait, the start included.
  case stalls
  /// The longest wait after the start.
  case worstStall
  /// The wait for the first items.
  case startup
  /// Stall beyond what a schedule that knows the future would have had.
  case regret
  /// The part of the items seen that were there when their turn came.
  case hitRate
  /// Fetches made, retries included.
  case requests
  /// Items fetched and never seen.
  case waste
  /// Items held, the mean over the session's time.
  case held
  /// Everything above as one number: `SessionCosts`.
  case cost

  /// Whether a smaller number is the better one.
  public var isBetterWhenLess: Bool { self != .hitRate }

  /// As in the head of a table, with its unit.
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
    case .cost: "cost"
    }
  }

  /// Digits behind the point that mean something.
  public var digits: Int {
    switch self {
    case .stall, .worstStall, .startup, .regret, .cost: 3
    case .stalls, .hitRate, .requests, .waste, .held: 1
    }
  }
}
