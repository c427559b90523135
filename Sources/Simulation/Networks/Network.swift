import JSON
public import Paging

/// The network between a reader and a source: latencies, and the chance of failures.
///
/// Random draws depend only on the seed, the session, the page and the attempt, so every policy meets the same network.
///
/// ```swift
/// var network = Network(name: "slow", latency: .drawn(.lognormal(median: 0.9, sigma: 0.6)))
/// network.loss = 0.01
/// ```
public struct Network: Sendable, Hashable {
  /// Its name in reports.
  public var name: String
  /// To the first byte of a response.
  public var latency: Latency
  /// For all responses together, one after another.
  public var bandwidth = Bandwidth.unlimited
  /// Bytes per transferred item, if only the number of items is known.
  public var bytesPerItem = 1000.0
  /// Probability that a request or its response is lost.
  public var loss = 0.0
  /// Seconds until a lost request times out.
  public var timeout = 10.0
  /// Probability of a server error, status 500.
  public var errors = 0.0
  /// Nil is no limit.
  public var rateLimit: ServerLimit?
  /// Whether the responses on a link share its bandwidth, rather than follow one another; nil is what a session needs.
  public var isFair: Bool?
  /// Bytes of an item's details, such as its image, which are fetched beside the pages; nil is none.
  public var bytesPerDetail: Double?
  /// The probability that a page is in the cache in front from before; what was fetched stays there. Nil is no cache.
  public var cache: Double?
  /// Seconds that the cache takes.
  public var cacheLatency = 0.005

  /// A network without losses and errors.
  public init(name: String, latency: Latency) {
    self.name = name
    self.latency = latency
  }

  /// The network of the reference lab: lognormal latencies, median 0.35 s, sigma 0.5.
  public static let reference = Network(
    name: "reference", latency: .drawn(.lognormal(median: 0.35, sigma: 0.5)))

  /// Responds immediately.
  public static let instant = Network(name: "instant", latency: .drawn(.fixed(0)))

  /// Whether requests slow each other: on a link, or by a server's limit.
  var isShared: Bool { bandwidth != .unlimited || rateLimit != nil }

  /// Whether every request gets its page.
  var isReliable: Bool { loss == 0 && errors == 0 && rateLimit == nil }

  /// The first invalid number, or nil.
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
      ?? bytesPerDetail.flatMap { InvalidWorld.check("bytesPerDetail", $0, 0...1e9) }
      ?? cache.flatMap { InvalidWorld.check("cache", $0, 0...1) }
      ?? InvalidWorld.check("cacheLatency", cacheLatency, 0...1e6)
      ?? InvalidWorld.check("loss", loss, 0...1) ?? InvalidWorld.check("timeout", timeout, 0...1e6)
      ?? InvalidWorld.check("errors", errors, 0...1)
  }

  /// The accepted forms of a text.
  public static let forms = [
    "reference", "instant", "fixed:SECONDS", "uniform:LOW,HIGH", "lognormal:MEDIAN,SIGMA", "exponential:MEAN",
    "measured:FILE", "recorded:FILE", "sabre:FILE", "mahimahi:FILE",
  ]

  /// A network in one of the forms, with `,OPTION=VALUE` for `bandwidth` (bytes per second), `bytesPerItem`, `loss`,
  /// `timeout`, `errors`, `rate` (`10/1.5`: requests per seconds), `latency` (seconds, `mahimahi` only), `sharing` (`fair` or
  /// `queue`), `bytesPerDetail`, `cache` (a probability), `cacheLatency` (seconds) and `name`.
  /// `contents` are those of the file. Throws `InvalidWorld` or `TraceTextError`.
  public init(_ text: WorldText, contents: String? = nil) throws {
    switch text.name {
    case "reference", "instant":
      _ = try text.numbers([])
      self = text.name == "reference" ? .reference : .instant
    case "measured", "recorded", "sabre", "mahimahi":
      guard let contents else {
        throw InvalidWorld(name: text.name, value: text.file ?? "", expected: "the contents of that file")
      }
      self = try Self.read(text.name, contents)
    default: self = Network(name: "", latency: .drawn(try Self.distribution(text)))
    }
    name = text.text
    for option in text.options { try set(option, of: text.name) }
    if let mistake { throw mistake }
  }

  private static func distribution(_ text: WorldText) throws(InvalidWorld) -> Distribution {
    switch text.name {
    case "fixed": return .fixed(try text.numbers(["SECONDS"])[0])
    case "uniform":
      let numbers = try text.numbers(["LOW", "HIGH"])
      if numbers[1] < numbers[0] {
        throw InvalidWorld(
          name: "uniform.HIGH", value: InvalidWorld.plain(numbers[1]),
          expected: "at least LOW, which is \(InvalidWorld.plain(numbers[0]))")
      }
      return .uniform(numbers[0], numbers[1])
    case "lognormal":
      let numbers = try text.numbers(["MEDIAN", "SIGMA"])
      return .lognormal(median: numbers[0], sigma: numbers[1])
    case "exponential": return .exponential(mean: try text.numbers(["MEAN"])[0])
    default:
      throw InvalidWorld(
        name: "network", value: text.name, expected: "one of \(forms.joined(separator: ", "))")
    }
  }

  /// Measurements are a log of conditions, or latencies in seconds: a JSON array, or one per line.
  private static func read(_ name: String, _ contents: String) throws -> Network {
    if name == "mahimahi" {
      var network = Network(name: name, latency: .drawn(.fixed(0)))
      network.bandwidth = .slots(try SlotTrace(mahimahi: contents))
      return network
    }
    if name == "recorded" {
      guard let reading = try ViewportTrace(text: contents).reading, !reading.latencies.isEmpty else {
        throw TraceTextError(
          line: 1, expected: "a recording of lookahead browse --record, with its reading", found: "none")
      }
      return Network(name: name, latency: Latency(reading))
    }
    let isJSON = contents.first { !$0.isWhitespace } == "["
    if name == "measured", !isJSON { return Network(name: name, latency: try latencies(lines: contents)) }
    if name == "measured", case .list(let elements) = try JSONTree(trace: contents),
      elements.isEmpty || elements[0].number != nil
    {
      let numbers = elements.compactMap(\.number)
      guard numbers.count == elements.count else {
        throw TraceTextError(line: 0, expected: "numbers only", found: contents)
      }
      return Network(name: name, latency: .drawn(.empirical(try Sample(numbers))))
    }
    let log = try ConditionLog(sabre: contents)
    var network = Network(name: name, latency: .logged(log))
    network.bandwidth = .logged(log)
    return network
  }

  private static func latencies(lines text: String) throws -> Latency {
    var numbers: [Double] = []
    for line in TraceLines(text).all {
      guard let number = Double(line.text), 0...1e6 ~= number else {
        throw TraceTextError(line: line.number, expected: "seconds from 0 on", found: line.text)
      }
      numbers.append(number)
    }
    return .drawn(.empirical(try Sample(numbers)))
  }

  private mutating func set(_ option: WorldText.Option, of network: String) throws(InvalidWorld) {
    let label = "\(network).\(option.name)"
    if option.name == "name" { return name = option.value }
    if option.name == "rate" { return rateLimit = try Self.rate(option.value, label) }
    if option.name == "sharing" {
      guard ["fair", "queue"].contains(option.value) else {
        throw InvalidWorld(name: label, value: option.value, expected: "fair or queue")
      }
      return isFair = option.value == "fair"
    }
    let known =
      ["bandwidth", "bytesPerItem", "bytesPerDetail", "loss", "timeout", "errors", "cache", "cacheLatency"]
      + (network == "mahimahi" ? ["latency"] : [])
    guard known.contains(option.name) else {
      let all = (known + ["rate", "sharing", "name"]).joined(separator: ", ")
      throw InvalidWorld(name: network, value: option.name, expected: "one of \(all)")
    }
    let number = try WorldText.number(option.value, label)
    switch option.name {
    case "bandwidth": bandwidth = .constant(number)
    case "bytesPerItem": bytesPerItem = number
    case "bytesPerDetail": bytesPerDetail = number
    case "cache": cache = number
    case "cacheLatency": cacheLatency = number
    case "loss": loss = number
    case "timeout": timeout = number
    case "errors": errors = number
    default: latency = .drawn(.fixed(number))
    }
  }

  private static func rate(_ text: String, _ name: String) throws(InvalidWorld) -> ServerLimit {
    let sides = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = sides.first, let requests = Int(first), sides.count <= 2,
      let seconds = sides.count < 2 || sides[1] == "s" ? 1 : Double(sides[1])
    else { throw InvalidWorld(name: name, value: text, expected: "REQUESTS/SECONDS, as 10/1.5") }
    return ServerLimit(requests: requests, seconds: seconds)
  }

  /// The latency of a page's attempt sent at that time: what an oracle knows.
  public func latency(
    seed: UInt64, session: Int, page: Int, attempt: Int, at start: Instant = .zero
  ) -> Duration {
    Seconds.duration(
      latencySeconds(seed: seed, session: session, page: page, attempt: attempt, at: start.seconds))
  }

  /// Whether the cache has the page from before.
  func isWarm(seed: UInt64, session: Int, page: Int) -> Bool {
    guard let cache, cache > 0 else { return false }
    var stream = RandomStream(seed: seed, "cache", session, page)
    return stream.happens(cache)
  }

  func latencySeconds(seed: UInt64, session: Int, page: Int, attempt: Int, at start: Double) -> Double {
    if isWarm(seed: seed, session: session, page: page) { return cacheLatency }
    switch latency {
    case .drawn(let distribution):
      var stream = RandomStream(seed: seed, "latency", session, page, attempt)
      return distribution.draw(&stream)
    case .logged(let log):
      return log.latency(at: start + Self.shift(log.period, seed: seed, session: session))
    case .recorded(let pages, let usual): return pages[page] ?? usual
    }
  }

  /// A bound for every policy: the time from a page's first request to its response if every failed attempt is repeated
  /// immediately. For a log, the minimum, as its latency depends on the time. Ignores bandwidth and rate limit.
  public func leastTime(seed: UInt64, session: Int, page: Int) -> Duration {
    var seconds = 0.0
    for attempt in 1...100 {
      let latency = leastLatency(seed: seed, session: session, page: page, attempt: attempt)
      if loses(seed: seed, session: session, page: page, attempt: attempt) {
        seconds += timeout
      } else {
        seconds += latency
        if !fails(seed: seed, session: session, page: page, attempt: attempt) { break }
      }
    }
    return Seconds.duration(seconds)
  }

  private func leastLatency(seed: UInt64, session: Int, page: Int, attempt: Int) -> Double {
    if case .logged(let log) = latency, !isWarm(seed: seed, session: session, page: page) {
      return log.leastLatency
    }
    return latencySeconds(seed: seed, session: session, page: page, attempt: attempt, at: 0)
  }

  func loses(seed: UInt64, session: Int, page: Int, attempt: Int) -> Bool {
    guard loss > 0, !isWarm(seed: seed, session: session, page: page) else { return false }
    var stream = RandomStream(seed: seed, "loss", session, page, attempt)
    return stream.happens(loss)
  }

  func fails(seed: UInt64, session: Int, page: Int, attempt: Int) -> Bool {
    guard errors > 0, !isWarm(seed: seed, session: session, page: page) else { return false }
    var stream = RandomStream(seed: seed, "error", session, page, attempt)
    return stream.happens(errors)
  }

  /// The offset at which a session starts in a trace: random, but the same for latency and bandwidth.
  static func shift(_ period: Double, seed: UInt64, session: Int) -> Double {
    var stream = RandomStream(seed: seed, "network start", session)
    return stream.unit() * period
  }

  func capacity(seed: UInt64, session: Int) -> (any Capacity)? {
    switch bandwidth {
    case .unlimited: nil
    case .constant(let bytes): ConstantCapacity(bytesPerSecond: bytes)
    case .logged(let log):
      ShiftedCapacity(trace: log, shift: Self.shift(log.period, seed: seed, session: session))
    case .slots(let trace):
      ShiftedCapacity(trace: trace, shift: Self.shift(trace.period, seed: seed, session: session))
    }
  }

  /// A one-line description for reports.
  public var summary: String {
    var parts = ["latency \(latency.summary)"]
    switch bandwidth {
    case .unlimited: break
    case .constant(let bytes): parts.append("bandwidth \(InvalidWorld.plain(bytes)) B/s")
    case .logged(let log): parts.append("bandwidth from a log of \(log.rows.count) rows")
    case .slots(let trace): parts.append("bandwidth from \(trace.slots.count) packet slots")
    }
    if bandwidth != .unlimited { parts.append("\(InvalidWorld.plain(bytesPerItem)) B per item") }
    if let bytesPerDetail { parts.append("\(InvalidWorld.plain(bytesPerDetail)) B of details per item") }
    if bandwidth != .unlimited, let isFair {
      parts.append(isFair ? "shared fairly" : "one response at a time")
    }
    if let cache { parts.append("a cache with \(InvalidWorld.plain(cache)) of the pages from before") }
    if loss > 0 {
      parts.append("loss \(InvalidWorld.plain(loss)), given up after \(InvalidWorld.plain(timeout)) s")
    }
    if errors > 0 { parts.append("errors \(InvalidWorld.plain(errors))") }
    if let rateLimit {
      parts.append("at most \(rateLimit.requests) requests in \(InvalidWorld.plain(rateLimit.seconds)) s")
    }
    return parts.joined(separator: ", ")
  }

  /// The 95th percentile of latency, from the distribution alone.
  var usualLatency: Duration {
    let drawn = (0..<200).map { latency(seed: 0, session: 0, page: $0, attempt: 1) }.sorted()
    return drawn[189]
  }

  /// Whether the bound is achievable: a page is affected only by its latency, which is constant if there are several
  /// slots, since ordered delivery waits for the slowest.
  func isCertain(slots: Int) -> Bool {
    guard case .drawn(let law) = latency, case .unlimited = bandwidth, cache == nil else { return false }
    if slots > 1, case .fixed = law {} else if slots > 1 { return false }
    return loss == 0 && errors == 0 && rateLimit == nil
  }
}
