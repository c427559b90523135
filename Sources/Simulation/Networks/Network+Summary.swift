extension Network {
  /// One line about it, as reports print it.
  public var summary: String {
    var parts = ["latency \(latency.summary)"]
    switch bandwidth {
    case .unlimited: break
    case .constant(let bytes): parts.append("bandwidth \(InvalidWorld.plain(bytes)) B/s")
    case .logged(let log): parts.append("bandwidth from a log of \(log.rows.count) rows")
    case .slots(let trace): parts.append("bandwidth from \(trace.slots.count) packet slots")
    }
    if bandwidth != .unlimited { parts.append("\(InvalidWorld.plain(bytesPerItem)) B per item") }
    if loss > 0 {
      parts.append("loss \(InvalidWorld.plain(loss)), given up after \(InvalidWorld.plain(timeout)) s")
    }
    if errors > 0 { parts.append("errors \(InvalidWorld.plain(errors))") }
    if let rateLimit {
      parts.append("at most \(rateLimit.requests) requests in \(InvalidWorld.plain(rateLimit.seconds)) s")
    }
    return parts.joined(separator: ", ")
  }
}

extension Latency {
  var summary: String {
    switch self {
    case .drawn(let distribution): distribution.summary
    case .logged(let log): "from a log of \(log.rows.count) rows"
    }
  }
}

extension Distribution {
  var summary: String {
    let plain = InvalidWorld.plain
    return switch self {
    case .fixed(let value): "fixed \(plain(value)) s"
    case .uniform(let low, let high): "uniform \(plain(low)) to \(plain(high)) s"
    case .lognormal(let median, let sigma): "lognormal, median \(plain(median)) s, sigma \(plain(sigma))"
    case .exponential(let mean): "exponential, mean \(plain(mean)) s"
    case .empirical(let sample):
      "as \(sample.sorted.count) measured, median \(plain(sample.quantile(0.5))) s"
    }
  }
}
