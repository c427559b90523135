public import Paging

/// How much waiting each number of requests costs at least, when the sizes of the fetches are free and one is
/// under way at a time (lab.md I8). Exact: no policy is below this front.
public struct BatchFront: Sendable, Equatable {
  /// Some requests, and the least wait that they allow.
  public struct Point: Sendable, Hashable {
    public let requests: Int
    public let stall: Duration

    public init(requests: Int, stall: Duration) {
      self.requests = requests
      self.stall = stall
    }
  }

  /// Ascending in requests, descending in stall. Empty without items.
  public let points: [Point]

  /// What fetches of free sizes are like.
  public struct Fetching: Sendable, Equatable {
    /// What every request takes.
    public var latency: Duration
    /// What each item adds.
    public var perItem: Duration
    /// Most items of a request, or nil for any number.
    public var largest: Int?

    public init(latency: Duration, perItem: Duration, largest: Int? = nil) {
      self.latency = latency
      self.perItem = perItem
      self.largest = largest
    }
  }

  /// The front for items that are needed at these times, in ascending order.
  ///
  /// However the items before are split, the r-th request that ends with item e lands after r latencies and e
  /// items. O(items) for each number of requests; numbers that cannot help any more are not tried.
  public init(deadlines: [Instant], _ fetching: Fetching) {
    var points: [Point] = []
    var table = BatchTable(deadlines: deadlines.map(\.nanoseconds), fetching)
    while table.canImprove {
      let before = table.stall
      table.addRequest()
      if table.stall < before {
        points.append(Point(requests: table.requests, stall: .nanoseconds(table.stall)))
      }
    }
    self.points = points
  }

  /// The point that costs least by the prices of a second of waiting and of a request, and what it costs; at
  /// equal costs the one with fewer requests.
  public func best(_ costs: SessionCosts) -> (cost: Double, point: Point)? {
    points.map { point in
      (costs.stall * point.stall.inSeconds + costs.request * Double(point.requests), point)
    }.min { $0.0 < $1.0 }.map { (cost: $0.0, point: $0.1) }
  }
}

/// The least wait for the first items with at most so many requests, by number of items.
private struct BatchTable {
  static let never = Int64.max / 2

  let deadlines: [Int64]
  let latency: Int64
  let perItem: Int64
  let largest: Int
  var requests = 0
  var row: [Int64]

  init(deadlines: [Int64], _ fetching: BatchFront.Fetching) {
    self.deadlines = deadlines
    // Sums of all items and requests stay numbers, whatever was given.
    let longest = BatchTable.never / 4 / Int64(deadlines.count + 1)
    latency = min(max(0, fetching.latency.nanoseconds), longest)
    perItem = min(max(0, fetching.perItem.nanoseconds), longest)
    largest = max(1, min(fetching.largest ?? .max, max(1, deadlines.count)))
    row = [0] + deadlines.map { _ in BatchTable.never }
  }

  var stall: Int64 { row[deadlines.count] }

  /// One more request pays only if the last item can come with it and still be less late than now.
  var canImprove: Bool {
    guard let last = deadlines.last, requests < deadlines.count else { return false }
    let landing = Int64(requests + 1) * latency + Int64(deadlines.count) * perItem
    return stall == BatchTable.never || landing - last < stall
  }

  /// Waits grow with the items before the last request, lateness of that request falls: the best split is where
  /// they cross, and it moves only forwards.
  mutating func addRequest() {
    requests += 1
    var next = row
    var crossing = 0
    for items in 1...deadlines.count {
      let landing = Int64(requests) * latency + Int64(items) * perItem
      while crossing + 1 < items, row[crossing + 1] <= landing - deadlines[crossing + 1] { crossing += 1 }
      let least = max(0, items - largest)
      for candidate in [crossing, crossing + 1] {
        let split = min(max(candidate, least), items - 1)
        next[items] = min(next[items], max(row[split], landing - deadlines[split]))
      }
    }
    row = next
  }
}
