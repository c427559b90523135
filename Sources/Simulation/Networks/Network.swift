/// What lies between a reader and a source: how long answers take, and how often there is none.
///
/// Everything drawn depends on the seed, the session, the page and the attempt alone, so every policy meets the
/// same network.
public struct Network: Sendable, Hashable {
  /// What reports call it.
  public var name: String
  /// To the first byte of an answer.
  public var latency: Latency
  /// For all answers together, one after another.
  public var bandwidth = Bandwidth.unlimited
  /// Bytes of an item on its way, where only the number of items is known.
  public var bytesPerItem = 1000.0
  /// Probability that a request or its answer is lost.
  public var loss = 0.0
  /// Seconds until a lost request is given up.
  public var timeout = 10.0
  /// Probability of a failure of the server, status 500.
  public var errors = 0.0
  /// Nil for no limit.
  public var rateLimit: RateLimit?

  /// A network that loses and refuses nothing.
  public init(name: String, latency: Latency) {
    self.name = name
    self.latency = latency
  }

  /// That of the reference lab: lognormal latencies, median 0.35 s, sigma 0.5.
  public static let reference = Network(
    name: "reference", latency: .drawn(.lognormal(median: 0.35, sigma: 0.5)))

  /// Answers at once.
  public static let instant = Network(name: "instant", latency: .drawn(.fixed(0)))

  /// The first number that makes no sense, or nil.
  public var mistake: InvalidWorld? {
    if case .drawn(let distribution) = latency, let mistake = distribution.mistake { return mistake }
    if case .constant(let bytes) = bandwidth,
      let mistake = InvalidWorld.check("bandwidth", bytes, 1...1e15)
    {
      return mistake
    }
    if let limit = rateLimit {
      let mistake =
        InvalidWorld.check("rate limit's requests", Double(limit.requests), 1...1e9)
        ?? InvalidWorld.check("rate limit's seconds", limit.seconds, 0.001...1e6)
      if let mistake { return mistake }
    }
    return InvalidWorld.check("bytesPerItem", bytesPerItem, 0...1e9)
      ?? InvalidWorld.check("loss", loss, 0...1) ?? InvalidWorld.check("timeout", timeout, 0...1e6)
      ?? InvalidWorld.check("errors", errors, 0...1)
  }
}
