public import Paging

/// How a request ends.
public struct NetworkOutcome: Sendable, Hashable {
  /// When the caller learns of it.
  public let at: Instant
  /// Nil on success.
  public let failure: FetchFailure?
  /// Whether it was answered by the cache, without a request on the network.
  public let isCached: Bool

  init(at: Instant, failure: FetchFailure? = nil, isCached: Bool = false) {
    self.at = at
    self.failure = failure
    self.isCached = isCached
  }
}

/// The network in one session: what is on the link and in the cache, what the server has counted, and the radio.
public struct NetworkSession: Sendable {
  /// What becomes of a request.
  public enum Sending: Sendable {
    /// Its end is known.
    case ends(NetworkOutcome)
    /// Its response shares the link with others: it ends when `landed` says so.
    case underway(Int)
  }

  /// The network it is a session of.
  public let network: Network
  /// Of the random draws: each list of a session has its own.
  var seed: UInt64
  private let session: Int
  private var link: Link?
  private var fairLink: FairLink?
  /// Seconds of the requests that the server accepted, oldest first.
  private var taken: [Double] = []
  /// When pages came in this session, or will, in seconds; only with a cache.
  private var held: [CachedPage: Double] = [:]
  private var radio = Radio()
  /// Bytes received.
  public private(set) var bytes = 0.0
  /// The responses on a fair link.
  private var responses: [Int: (bytes: Double, page: CachedPage)] = [:]
  private var sent = 0

  public init(_ network: Network, seed: UInt64, session: Int) {
    self.init(network, seed: seed, session: session, isFair: network.isFair ?? false)
  }

  /// A page in the cache: each list has its own.
  private struct CachedPage: Hashable {
    let seed: UInt64
    let page: Int
  }

  /// With `isFair`, the bandwidth is shared; otherwise one response after the other has all of it.
  public init(_ network: Network, seed: UInt64, session: Int, isFair: Bool) {
    self.network = network
    self.seed = seed
    self.session = session
    guard let capacity = network.capacity(seed: seed, session: session) else { return }
    if isFair { fairLink = FairLink(capacity) } else { link = Link(capacity) }
  }

  /// Whether responses share a link.
  var isFair: Bool { fairLink != nil }

  /// Whether responses follow one another on a link, announced ones for certain.
  var isQueue: Bool { link != nil }

  /// Sends a request for `items`; requests must be sent in time order.
  public mutating func outcome(page: Int, attempt: Int, at start: Instant, items: Int) -> NetworkOutcome {
    outcome(page: page, attempt: attempt, at: start, bytes: Double(max(0, items)) * network.bytesPerItem)
  }

  /// Sends a request whose response has `bytes`; requests must be sent in time order.
  public mutating func outcome(page: Int, attempt: Int, at start: Instant, bytes: Double) -> NetworkOutcome {
    let (latency, outcome) = answer(page, attempt, at: start)
    if let outcome { return outcome }
    let now = start.seconds
    let end = link?.carry(bytes, from: now + latency, now: now)
    let at = end.map { max(start, Seconds.instant($0)) } ?? start + Seconds.duration(latency)
    keep(CachedPage(seed: seed, page: page), from: at)
    return NetworkOutcome(at: at)
  }

  /// Sends a request whose response has `bytes`; requests must be sent in time order. Of one whose end is known, unless it is
  /// the cache's, `ended` has to be called then.
  public mutating func send(page: Int, attempt: Int, at start: Instant, bytes: Double) -> Sending {
    guard fairLink != nil else {
      let outcome = outcome(page: page, attempt: attempt, at: start, bytes: bytes)
      if !outcome.isCached { radio.began(at: start.seconds) }
      return .ends(outcome)
    }
    let (latency, outcome) = answer(page, attempt, at: start)
    if outcome?.isCached != true { radio.began(at: start.seconds) }
    if let outcome { return .ends(outcome) }
    sent += 1
    responses[sent] = (bytes, CachedPage(seed: seed, page: page))
    fairLink?.add(sent, bytes, from: start.seconds + latency)
    return .underway(sent)
  }

  /// A request has ended: with so many bytes, or without any.
  public mutating func ended(at now: Instant, bytes: Double) {
    radio.ended(at: now.seconds)
    self.bytes += bytes
  }

  /// When something changes on the link by itself; nil if nothing will.
  public var nextTime: Instant? { fairLink?.nextTime.map(Seconds.instant) }

  /// The responses that have come by that time.
  public mutating func landed(by now: Instant) -> [Int] {
    var ids: [Int] = []
    // By the time in nanoseconds, which may be a little less or more in seconds.
    while let next = fairLink?.nextTime, Seconds.instant(next) <= now {
      ids += fairLink?.advance(to: next) ?? []
    }
    for id in ids {
      guard let response = responses.removeValue(forKey: id) else { continue }
      ended(at: now, bytes: response.bytes)
      keep(response.page, from: now)
    }
    return ids
  }

  /// Nobody wants a response that was under way.
  public mutating func cancel(_ id: Int, at now: Instant) {
    responses[id] = nil
    ended(at: now, bytes: fairLink?.cancel(id, at: now.seconds) ?? 0)
  }

  /// Nobody wants the response to a request for that page any more, whose end was known.
  public mutating func cancel(page: Int, at now: Instant) {
    let page = CachedPage(seed: seed, page: page)
    if let time = held[page], time > now.seconds { held[page] = nil }
  }

  private mutating func keep(_ page: CachedPage, from time: Instant) {
    if network.cache != nil { held[page] = min(time.seconds, held[page] ?? .infinity) }
  }

  /// What the radio has spent in a session that ends then, in joules.
  public func joules(at end: Instant) -> Double { radio.joules(at: end.seconds, megabytes: bytes / 1e6) }

  /// Seconds to the first byte of the response; the outcome, if that is no response or needs no link.
  private mutating func answer(
    _ page: Int, _ attempt: Int, at start: Instant
  ) -> (latency: Double, outcome: NetworkOutcome?) {
    let now = start.seconds
    if network.cache != nil {
      let isHeld = held[CachedPage(seed: seed, page: page)].map { $0 <= now } ?? false
      if isHeld || network.isWarm(seed: seed, session: session, page: page) {
        let end = start + Seconds.duration(network.cacheLatency)
        return (network.cacheLatency, NetworkOutcome(at: end, isCached: true))
      }
    }
    let latency = network.latencySeconds(seed: seed, session: session, page: page, attempt: attempt, at: now)
    if let failure = failure(page, attempt, at: now) {
      let wait = failure.code == "timeout" ? network.timeout : latency
      return (latency, NetworkOutcome(at: start + Seconds.duration(wait), failure: failure))
    }
    return (latency, nil)
  }

  private mutating func failure(_ page: Int, _ attempt: Int, at now: Double) -> FetchFailure? {
    if let wait = refusal(at: now) {
      return FetchFailure(
        code: "http", message: "status 429, retry after \(wait) s", isTransient: true,
        retryAfter: .seconds(wait), status: 429)
    }
    if network.loses(seed: seed, session: session, page: page, attempt: attempt) {
      return FetchFailure(
        code: "timeout", message: "no answer after \(InvalidWorld.plain(network.timeout)) s",
        isTransient: true)
    }
    if network.fails(seed: seed, session: session, page: page, attempt: attempt) {
      return FetchFailure(code: "http", message: "status 500", isTransient: true, status: 500)
    }
    return nil
  }

  /// Whole seconds to wait, as in HTTP, if the server refuses the request; otherwise the request is counted.
  private mutating func refusal(at now: Double) -> Int? {
    guard let limit = network.rateLimit else { return nil }
    taken.removeAll { $0 + limit.seconds <= now }
    if taken.count < limit.requests {
      taken.append(now)
      return nil
    }
    return Int(max(1, (taken[taken.count - limit.requests] + limit.seconds - now).rounded(.up)))
  }
}
