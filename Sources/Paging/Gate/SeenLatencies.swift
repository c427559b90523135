/// What is known of a host's latency at each number of requests in flight, and so of the answers that come in a second: those in
/// flight over the time that they take (Little's law).
struct SeenLatencies: Sendable {
  private struct Seen: Sendable {
    var latency = 0.0
    var count = 0
    var round = 0
  }

  private var widths: [Seen] = Array(repeating: Seen(), count: Limits.automaticInFlight + 1)
  /// Rounds after which what was seen is no longer believed.
  private static let memory = 64

  /// The least mean latency of a width that was seen often enough, in seconds; any if there is none.
  var least: Double? {
    widths.lazy.filter { $0.count >= 4 }.map(\.latency).min()
      ?? widths.lazy.filter { $0.count > 0 }.map(\.latency).min()
  }

  mutating func add(_ latency: Double, at width: Double, in round: Int) {
    let place = min(Limits.automaticInFlight, max(1, Int(width.rounded())))
    if round - widths[place].round > Self.memory { widths[place] = Seen() }
    widths[place].count += 1
    widths[place].round = round
    widths[place].latency += (latency - widths[place].latency) / Double(min(widths[place].count, 16))
  }

  /// How much of its growth from about half the width came back as answers in a second: 1 is all, 0 nothing, less than 0 that
  /// fewer come. Nil while too little was seen.
  func gain(at width: Int, now: Int) -> Double? {
    guard let here = mean(of: 0.8 * Double(width)...1.2 * Double(width), now),
      let below = mean(of: 0.3 * Double(width)...0.67 * Double(width), now), here.width > below.width
    else { return nil }
    return (here.rate / below.rate - 1) / (here.width / below.width - 1)
  }

  /// Whether answers take twice as long at a width as the quickest ever did.
  func hasRisen(at width: Int, now: Int) -> Bool {
    guard let least, let here = mean(of: 0.8 * Double(width)...1.2 * Double(width), now) else { return false }
    return here.width / here.rate > 2 * least
  }

  /// Whether clearly more answers come in a second at a width than at another.
  func isBetter(_ width: Int, than other: Int, now: Int) -> Bool {
    guard let here = mean(of: 0.5 * Double(width)...1.2 * Double(width), now),
      let there = mean(of: 0.8 * Double(other)...1.2 * Double(other), now)
    else { return false }
    return here.rate >= 1.15 * there.rate
  }

  /// The least width that brings nearly as many answers in a second; below `floor` the one that brings more, if there is one.
  func leastWidth(asGoodAs width: Int, from floor: Int, now: Int) -> Int? {
    guard let here = mean(of: 0.8 * Double(width)...1.2 * Double(width), now) else { return nil }
    let known = (1..<max(2, width)).compactMap { place in
      mean(of: Double(place)...Double(place), now).map { (width: place, rate: $0.rate) }
    }
    let better = known.filter { $0.width < floor && $0.rate >= 1.15 * here.rate }.max { $0.rate < $1.rate }
    return better?.width ?? known.first { $0.width >= floor && $0.rate >= 0.95 * here.rate }?.width
  }

  private func mean(of range: ClosedRange<Double>, _ now: Int) -> (width: Double, rate: Double)? {
    var (count, width, latency) = (0.0, 0.0, 0.0)
    for place in 1...Limits.automaticInFlight where range.contains(Double(place)) {
      let seen = widths[place]
      guard seen.count > 0, now - seen.round <= Self.memory else { continue }
      let weight = Double(min(seen.count, 16))
      count += weight
      width += weight * Double(place)
      latency += weight * seen.latency
    }
    guard count >= 4, latency > 0 else { return nil }
    return (width / count, width / latency)
  }
}
