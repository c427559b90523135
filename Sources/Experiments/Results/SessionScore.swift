/// What was measured of one session.
public struct SessionScore: Sendable, Equatable {
  /// Its number; the same reader and the same network in every cell.
  public var session: Int
  /// Waiting in seconds, the start included.
  public var stall = 0.0
  /// Times of waiting, the start included.
  public var stalls = 0
  /// The longest wait after the start, in seconds.
  public var worstStall = 0.0
  /// The wait for the first items, in seconds.
  public var startup = 0.0
  /// The least stall that any schedule could have had, in seconds; exact where `isBoundExact`.
  public var bound = 0.0
  /// Whether the machine can meet the bound.
  public var isBoundExact = true
  /// Fetches made, retries included.
  public var requests = 0
  /// Fetches that were cancelled.
  public var cancelled = 0
  /// Fetches that failed.
  public var failures = 0
  /// Items that came.
  public var fetched = 0
  /// Different items that were visible at some time.
  public var seen = 0
  /// Of them, those that were there when their turn came.
  public var hits = 0
  /// Items held, integrated over time: items × seconds.
  public var heldTime = 0.0
  /// Most items held at once.
  public var mostHeld = 0
  /// From the first event to the last, in seconds.
  public var duration = 0.0
  /// Events that the feed handled.
  public var events = 0
  /// Everything as one number.
  public var cost = 0.0

  public init(session: Int) { self.session = session }

  /// Items fetched and never seen.
  public var waste: Int { max(0, fetched - seen) }
  /// Stall beyond the bound, in seconds.
  public var regret: Double { stall - bound }

  /// The value of a metric; the hit rate in percent.
  public subscript(metric: Metric) -> Double {
    switch metric {
    case .stall: stall
    case .stalls: Double(stalls)
    case .worstStall: worstStall
    case .startup: startup
    case .regret: regret
    case .hitRate: seen > 0 ? 100 * Double(hits) / Double(seen) : 100
    case .requests: Double(requests)
    case .waste: Double(waste)
    case .held: duration > 0 ? heldTime / duration : 0
    case .cost: cost
    }
  }
}
