import Experiments
import Paging

/// When pages can arrive at the earliest over a link of limited bandwidth and a server that limits requests, whatever the policy:
/// a bound below every schedule, not a schedule.
///
/// Pages are requested in their order, and a request needs a slot. The link is a single machine with release times: a set of
/// pages is through no earlier than if their responses followed each other without idling, in the order in which they begin;
/// and of responses of one size, no order finishes more of them by any time. A slot is free for page `j` once `j - slots + 1`
/// pages are through. Failures repeat at once, and cost what they cost at least.
///
/// A link that carries one response after the other begins the next with the next packet; one that is shared loses nothing
/// between two responses.
struct LinkBound {
  private let network: Network
  private let capacity: (any Capacity)?
  private let isFair: Bool
  private let slots: Int
  /// From request to first byte at least, repeated failures included, in seconds; by page.
  private let latencies: [Double]
  /// By page.
  private let bytes: [Double]
  private let shortest: Double
  /// Pages up to that one that the server has to answer: not those that the cache has; by page.
  private let asked: [Int]

  /// `plan`'s pages over the network of a session. The link's trace may have another seed than what is drawn for pages.
  init(
    _ plan: SessionPlan, _ configuration: FeedConfiguration, _ network: Network, isFair: Bool,
    seed: UInt64, linkSeed: UInt64
  ) {
    self.isFair = isFair
    let pages = plan.pages(configuration)
    self.network = network
    capacity = network.capacity(seed: linkSeed, session: plan.session)
    slots = configuration.options.keys.isCounted ? configuration.maxInFlight : 1
    latencies = pages.indices.map {
      network.leastTime(seed: seed, session: plan.session, page: $0).inSeconds
    }
    shortest = latencies.min() ?? 0
    let isWarm = pages.indices.map { network.isWarm(seed: seed, session: plan.session, page: $0) }
    bytes = pages.indices.map { page in
      let size = page == 0 ? configuration.initialPageSize : configuration.options.pageSize
      return isWarm[page] ? 0 : Double(min(size, plan.total - pages[page].item)) * network.bytesPerItem
    }
    var count = 0
    asked = isWarm.map { isWarm in
      count += isWarm ? 0 : 1
      return count
    }
  }

  /// The least stall of a reader that needs each page, and all before it, by its deadline.
  func leastStall(_ deadlines: [Instant]) -> Duration {
    var stall = Duration.zero
    for (page, (arrival, deadline)) in zip(arrivals, deadlines).enumerated() {
      // Every page's times are rounded up to nanoseconds.
      let early = Seconds.instant(arrival).nanoseconds - Int64(page) - 2
      stall = max(stall, Instant(nanoseconds: early) - deadline)
    }
    return stall
  }

  /// By page, when it and all pages before it are through, in seconds.
  private var arrivals: [Double] {
    var whole = Line(capacity, isFair: isFair)
    var counted = Line(capacity, isFair: isFair)
    let least = bytes.min() ?? 0
    return latencies.indices.map { page in
      let finished = page - slots
      let ready = (finished < 0 ? 0 : counted.through[finished]) + latencies[page]
      whole.insert(bytes[page], at: ready)
      counted.insert(least, at: ready)
      return max(whole.through.last ?? 0, accepted(page))
    }
  }

  /// Responses that follow each other as they begin.
  private struct Line {
    private let capacity: (any Capacity)?
    private let isFair: Bool
    private var begun: [(ready: Double, bytes: Double)] = []
    /// What the link could have carried by then, in bytes.
    private var carried: [Double] = []
    /// When as many of them are through, in seconds.
    private(set) var through: [Double] = []

    init(_ capacity: (any Capacity)?, isFair: Bool) {
      self.capacity = capacity
      self.isFair = isFair
    }

    /// Mostly the last one: only what begins later is moved.
    mutating func insert(_ bytes: Double, at ready: Double) {
      var place = begun.count
      while place > 0, begun[place - 1].ready > ready { place -= 1 }
      begun.insert((ready, bytes), at: place)
      through.removeSubrange(place...)
      carried.removeSubrange(min(place, carried.count)...)
      for (ready, bytes) in begun[place...] {
        guard let capacity else {
          through.append(ready)
          continue
        }
        let start = max(through.last ?? 0, ready)
        let before =
          isFair ? max(carried.last ?? 0, capacity.bytes(until: ready)) : capacity.bytes(until: start)
        carried.append(before + bytes)
        through.append(max(start, capacity.time(carrying: before + bytes)))
      }
    }
  }

  /// When the server has accepted a request for each page up to that one, and answered.
  private func accepted(_ page: Int) -> Double {
    guard let limit = network.rateLimit, asked[page] > 0 else { return 0 }
    return Double((asked[page] - 1) / limit.requests) * limit.seconds + shortest
  }
}
