public import Paging

/// How a request ends.
public struct NetworkOutcome: Sendable, Hashable {
  /// When the caller learns of it.
  public let at: Instant
  /// Nil on success.
  public let failure: FetchFailure?
}

/// The network in one session: what is on the link, and what the server has counted.
public struct NetworkSession: Sendable {
  /// The network it is a session of.
  public let network: Network
  private let seed: UInt64
  private let session: Int
  private var link: Link?
  /// Seconds of the requests that the server accepted, oldest first.
  private var taken: [Double] = []

  public init(_ network: Network, seed: UInt64, session: Int) {
    self.network = network
    self.seed = seed
    self.session = session
    link = network.capacity(seed: seed, session: session).map { Link($0) }
  }

  /// Sends a request for `items`; requests must be sent in time order.
  public mutating func outcome(page: Int, attempt: Int, at start: Instant, items: Int) -> NetworkOutcome {
    outcome(
      page: page, attempt: attempt, at: start, bytes: Double(max(0, items)) * network.bytesPerItem)
  }

  /// Sends a request whose response has `bytes`; requests must be sent in time order.
  public mutating func outcome(page: Int, attempt: Int, at start: Instant, bytes: Double) -> NetworkOutcome {
    let now = start.seconds
    let latency = network.latencySeconds(
      seed: seed, session: session, page: page, attempt: attempt, at: now)
    if let wait = refusal(at: now) {
      let failure = FetchFailure(
        code: "http", message: "status 429, retry after \(wait) s", isTransient: true,
        retryAfter: .seconds(wait), status: 429)
      return NetworkOutcome(at: start + Seconds.duration(latency), failure: failure)
    }
    if network.loses(seed: seed, session: session, page: page, attempt: attempt) {
      let failure = FetchFailure(
        code: "timeout", message: "no answer after \(InvalidWorld.plain(network.timeout)) s",
        isTransient: true)
      return NetworkOutcome(at: start + Seconds.duration(network.timeout), failure: failure)
    }
    if network.fails(seed: seed, session: session, page: page, attempt: attempt) {
      let failure = FetchFailure(code: "http", message: "status 500", isTransient: true, status: 500)
      return NetworkOutcome(at: start + Seconds.duration(latency), failure: failure)
    }
    guard link != nil else { return NetworkOutcome(at: start + Seconds.duration(latency), failure: nil) }
    let end = link?.carry(bytes, from: now + latency, now: now) ?? now
    return NetworkOutcome(at: max(start, Seconds.instant(end)), failure: nil)
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
