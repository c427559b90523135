public import Paging

extension Network {
  /// The latency of a page's attempt that is sent at a time: what an oracle knows.
  public func latency(
    seed: UInt64, session: Int, page: Int, attempt: Int, at start: Instant = .zero
  ) -> Duration {
    Seconds.duration(
      latencySeconds(seed: seed, session: session, page: page, attempt: attempt, at: start.seconds))
  }

  func latencySeconds(seed: UInt64, session: Int, page: Int, attempt: Int, at start: Double) -> Double {
    switch latency {
    case .drawn(let distribution):
      var stream = RandomStream(seed: seed, "latency", session, page, attempt)
      return distribution.draw(&stream)
    case .logged(let log):
      return log.latency(at: start + Self.shift(log.period, seed: seed, session: session))
    }
  }

  /// What no policy can beat: the time from a page's first request to its answer when every failed attempt is
  /// made again at once. The least of a log, as its latency depends on the time. Bandwidth and rate are left out.
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
    if case .logged(let log) = latency { return log.leastLatency }
    return latencySeconds(seed: seed, session: session, page: page, attempt: attempt, at: 0)
  }

  func loses(seed: UInt64, session: Int, page: Int, attempt: Int) -> Bool {
    guard loss > 0 else { return false }
    var stream = RandomStream(seed: seed, "loss", session, page, attempt)
    return stream.happens(loss)
  }

  func fails(seed: UInt64, session: Int, page: Int, attempt: Int) -> Bool {
    guard errors > 0 else { return false }
    var stream = RandomStream(seed: seed, "error", session, page, attempt)
    return stream.happens(errors)
  }

  /// Where in a trace a session begins: anywhere, but the same place for latency and bandwidth.
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
}
