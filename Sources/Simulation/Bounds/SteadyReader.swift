import Paging

/// A reader at constant speed against a constant network: what paging needs so that it never waits after the
/// start (lab.md I12, from Little's law).
public struct SteadyReader: Sendable, Equatable {
  /// Items per second.
  public var speed: Double
  public var latency: Duration
  /// Fetches that may be under way at once.
  public var slots: Int
  /// Items of a page.
  public var pageSize: Int

  public init(speed: Double, latency: Duration, slots: Int, pageSize: Int) {
    self.speed = speed
    self.latency = latency
    self.slots = slots
    self.pageSize = pageSize
  }

  /// Items that the reader passes while a page is fetched: this much must be under way, and asked for ahead.
  public var itemsPerLatency: Double { speed * latency.inSeconds }

  /// Whether enough can be under way.
  public var networkKeepsUp: Bool { Double(slots * pageSize) >= itemsPerLatency }

  /// Whether the reader never waits after the start when asked so many items ahead.
  public func isStallFree(itemsAhead: Double) -> Bool { networkKeepsUp && itemsAhead >= itemsPerLatency }

  /// What the whole wait over so many items tends to, in seconds, if they are many; zero where the network keeps
  /// up.
  public func stall(over items: Int) -> Double {
    guard speed > 0 else { return 0 }
    let perItem = latency.inSeconds / Double(slots * pageSize) - 1 / speed
    return max(0, Double(items) * perItem)
  }
}

/// The policy that keeps some pages ahead of the page being read, with slots for all of them.
public struct PagesAhead: Sendable, Equatable {
  /// Pages kept ahead; none is fetching on demand.
  public var ahead: Int
  /// How long each page is read.
  public var reading: Duration
  public var latency: Duration

  public init(ahead: Int, reading: Duration, latency: Duration) {
    self.ahead = ahead
    self.reading = reading
    self.latency = latency
  }

  /// The whole wait over so many pages (lab.md I13).
  public func stall(over pages: Int) -> Duration {
    guard pages > 0 else { return .zero }
    let late = max(.zero, latency - reading * max(0, ahead))
    return latency + late * ((pages - 1) / (max(0, ahead) + 1))
  }

  /// The wait beyond that of a schedule that knows the future, which is the first page's latency.
  public func regret(over pages: Int) -> Duration { pages > 0 ? stall(over: pages) - latency : .zero }

  /// Items that are there and unseen when a reader stops anywhere, on average, for a policy that keeps this many
  /// items ahead (lab.md I14).
  public static func expectedLeftover(itemsAhead: Double, pageSize: Int) -> Double {
    itemsAhead + Double(pageSize) / 2
  }
}
