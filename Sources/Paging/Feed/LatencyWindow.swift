/// The latencies of the last 64 fetches, kept in order of time and of size.
struct LatencyWindow: Sendable {
  private static let capacity = 64
  private var recent: [Double] = []
  private var sorted: [Double] = []
  private var oldest = 0
  private var sum = 0.0
  private(set) var summary = LatencySummary()

  mutating func add(_ latency: Duration) {
    let seconds = latency.inSeconds
    if recent.count < LatencyWindow.capacity {
      recent.append(seconds)
    } else {
      let gone = recent[oldest]
      sorted.remove(at: place(of: gone))
      sum -= gone
      recent[oldest] = seconds
      oldest = (oldest + 1) % LatencyWindow.capacity
    }
    sorted.insert(seconds, at: place(of: seconds))
    sum += seconds
    summary.last = seconds
    summary.count = sorted.count
    summary.mean = sum / Double(sorted.count)
    summary.p50 = quantile(0.50)
    summary.p95 = quantile(0.95)
  }

  /// The smallest latency that at least that part of all does not exceed.
  private func quantile(_ part: Double) -> Double {
    sorted[min(sorted.count - 1, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
  }

  private func place(of seconds: Double) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// New items per page over the last eight pages.
struct YieldWindow: Sendable {
  private var recent: [Int] = []
  private(set) var mean: Double?

  mutating func add(_ inserted: Int) {
    if recent.count == 8 { recent.removeFirst() }
    recent.append(inserted)
    mean = Double(recent.reduce(0, +)) / Double(recent.count)
  }
}
