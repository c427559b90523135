/// The measurements of one session.
public struct SessionScore: Sendable, Equatable {
  /// Its number; the same reader and network in every cell.
  public var session: Int
  /// The reader: below zero for a recorded one, the same in all of its sessions; otherwise the session's number.
  public var reader: Int
  /// Which of the network's traces it met, if there are several.
  public var network = 0
  /// Waiting time in seconds, including the start.
  public var stall = 0.0
  /// Number of waits, including the start.
  public var stalls = 0
  /// The longest wait after the start, in seconds.
  public var worstStall = 0.0
  /// The wait for the first items, in seconds.
  public var startup = 0.0
  /// The least stall of any schedule that requests pages in their order, in seconds; exact if `isBoundExact`.
  public var bound = 0.0
  /// Whether the bound is achievable.
  public var isBoundExact = true
  /// Fetches, including retries.
  public var requests = 0
  /// Cancelled fetches.
  public var cancelled = 0
  /// Failed fetches.
  public var failures = 0
  /// Items received.
  public var fetched = 0
  /// Distinct items ever visible.
  public var seen = 0
  /// Those of them that were there in time.
  public var hits = 0
  /// Seen items whose details were not there in time.
  public var late = 0
  /// Bytes received, details included.
  public var bytes = 0.0
  /// Joules that the radio has spent.
  public var energy = 0.0
  /// One if the reader left while waiting.
  public var left = 0
  /// Items held, integrated over time: item-seconds.
  public var heldTime = 0.0
  /// Maximum items held.
  public var mostHeld = 0
  /// From the first event to the last, in seconds.
  public var duration = 0.0
  /// Events handled by the feed.
  public var events = 0
  /// The total cost.
  public var cost = 0.0

  public init(session: Int) {
    self.session = session
    reader = session
  }

  /// Adds another list of the same session.
  public mutating func add(_ other: SessionScore) {
    stall += other.stall
    stalls += other.stalls
    worstStall = max(worstStall, other.worstStall)
    startup += other.startup
    requests += other.requests
    cancelled += other.cancelled
    failures += other.failures
    fetched += other.fetched
    seen += other.seen
    hits += other.hits
    late += other.late
    left = max(left, other.left)
    heldTime += other.heldTime
    mostHeld += other.mostHeld
    duration = max(duration, other.duration)
    events += other.events
  }

  /// Items fetched but never seen.
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
    case .hitRate: seen > 0 ? 100 * Double(hits) / Double(seen) : left > 0 ? 0 : 100
    case .requests: Double(requests)
    case .waste: Double(waste)
    case .held: duration > 0 ? heldTime / duration : 0
    case .seen: Double(seen)
    case .late: seen > 0 ? 100 * Double(late) / Double(seen) : 0
    case .bytes: bytes / 1e6
    case .energy: energy
    case .left: 100 * Double(left)
    case .cost: cost
    }
  }
}
