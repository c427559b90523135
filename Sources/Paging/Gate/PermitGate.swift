import Items

/// Requests that wait for permits from outside, which many programs share: each permit is one request to a host, and lapses.
///
/// A value without clock or I/O, as `RequestGate`, behind which it stands. A host without a rate needs no permits; a pause holds
/// for every host.
public struct PermitGate: Sendable {
  /// What is to be done, in order.
  public enum Effect: Sendable, Equatable {
    /// Send this request now.
    case send(HostCallID)
    /// Tell this to whoever grants permits.
    case tell(PermitNews)
    /// This request will never get a permit.
    case refuse(HostCallID, host: String)
  }

  private struct Grant: Sendable {
    var permits: Int
    let until: Instant
  }

  private struct Lane: Sendable {
    var waiting: [HostCallID] = []
    /// Oldest first.
    var grants: [Grant] = []
    var rate: RateLimit?
    var pausedUntil = Instant.zero
    var used = 0
    var unused = 0
    /// What the other side takes for wanted.
    var level = 0
    var toldAt: Instant?
    var tellsAt: Instant { toldAt.map { $0 + PermitGate.pace } ?? .zero }
    var held: Int { grants.reduce(0) { $0 + $1.permits } }
    var want: Int { rate == nil ? 0 : max(0, waiting.count - held) }
    var hasNews: Bool { used + unused > 0 || want != level }

    mutating func takePermit() {
      grants[0].permits -= 1
      used += 1
      if grants[0].permits == 0 { grants.removeFirst() }
    }
  }

  private var lanes: [String: Lane] = [:]
  private var hosts: [HostCallID: String] = [:]
  /// Whether nobody grants permits any more.
  public private(set) var isClosed = false

  /// News of one host gather for so long.
  private static let pace = Duration.milliseconds(20)

  /// Nothing waits.
  public init() {}

  /// A request wants to be sent, under a rate limit or none.
  public mutating func submit(
    _ id: HostCallID, _ request: HTTPRequest, rate: RateLimit?, at now: Instant
  ) -> [Effect] {
    let host = PermitGate.host(of: request.url)
    hosts[id] = host
    lanes[host, default: Lane()].waiting.append(id)
    if let rate { lanes[host]!.rate = rate }
    return pump(host, at: now)
  }

  /// A request that waits is no longer wanted; false if it does not wait.
  public mutating func cancel(_ id: HostCallID) -> Bool {
    guard let host = hosts.removeValue(forKey: id) else { return false }
    lanes[host]?.waiting.removeAll { $0 == id }
    return true
  }

  /// So many requests may be sent to a host until then.
  public mutating func grant(_ permits: Int, to host: String, until: Instant, at now: Instant) -> [Effect] {
    lanes[host, default: Lane()].grants.append(Grant(permits: max(0, permits), until: until))
    lanes[host]!.level = max(0, lanes[host]!.level - permits)
    return pump(host, at: now)
  }

  /// Nothing is sent to a host until then.
  public mutating func pause(_ host: String, until: Instant, at now: Instant) -> [Effect] {
    lanes[host, default: Lane()].pausedUntil = max(lanes[host]?.pausedUntil ?? .zero, until)
    return pump(host, at: now)
  }

  /// Nobody grants permits any more: what is there may still be used.
  public mutating func close(at now: Instant) -> [Effect] {
    isClosed = true
    return woke(at: now)
  }

  /// Does what is due.
  public mutating func woke(at now: Instant) -> [Effect] {
    lanes.keys.sorted().flatMap { pump($0, at: now) }
  }

  /// When something is next to be done without a word from outside; nil if never.
  public var nextWake: Instant? {
    lanes.values.flatMap { lane in
      [
        lane.grants.first?.until, lane.hasNews ? lane.tellsAt : nil,
        lane.waiting.isEmpty || lane.pausedUntil == .zero ? nil : lane.pausedUntil,
      ].compactMap { $0 }
    }.min()
  }

  private mutating func pump(_ host: String, at now: Instant) -> [Effect] {
    guard var lane = lanes[host] else { return [] }
    var effects: [Effect] = []
    while let first = lane.grants.first, first.until <= now || first.permits == 0 {
      lane.unused += first.permits
      lane.grants.removeFirst()
    }
    if lane.pausedUntil <= now {
      lane.pausedUntil = .zero
      let count = lane.rate == nil ? lane.waiting.count : min(lane.waiting.count, lane.held)
      for id in lane.waiting.prefix(count) {
        if lane.rate != nil { lane.takePermit() }
        hosts[id] = nil
        effects.append(.send(id))
      }
      lane.waiting.removeFirst(count)
    }
    if isClosed, lane.want > 0 {
      for id in lane.waiting.suffix(lane.want) {
        hosts[id] = nil
        effects.append(.refuse(id, host: host))
      }
      lane.waiting.removeLast(lane.want)
    }
    // Who has nothing at all says so at once.
    let isUrgent = lane.want > 0 && lane.level == 0 && lane.held == 0
    if lane.hasNews, isUrgent || now >= lane.tellsAt {
      effects.append(
        .tell(
          PermitNews(host: host, want: lane.want, used: lane.used, unused: lane.unused, rate: lane.rate)))
      (lane.level, lane.used, lane.unused, lane.toldAt) = (lane.want, 0, 0, now)
    }
    lanes[host] = lane
    return effects
  }

  /// The host of an address, with its port unless it is the default.
  private static func host(of url: String) -> String { URLOrigin(url).lane }
}

/// What is told of a host to whoever grants permits.
public struct PermitNews: Sendable, Equatable {
  public let host: String
  /// Requests that wait beyond the permits that are there.
  public let want: Int
  /// Permits that were used since the last news, and those that lapsed.
  public let used: Int
  public let unused: Int
  /// The limit that the script knows of.
  public let rate: RateLimit?

  public init(host: String, want: Int, used: Int, unused: Int, rate: RateLimit?) {
    (self.host, self.want, self.used, self.unused, self.rate) = (host, want, used, unused, rate)
  }
}
