import Paging

/// The confidence interval of the mean of paired differences, by resampling (Efron 1979).
public struct Bootstrap: Sendable, Hashable {
  /// Larger samples get the normal interval, which is then the same.
  public static let largestSample = 2_000

  /// Number of resamples.
  public var resamples = 2_000
  /// The confidence level.
  public var confidence = 0.95
  public var seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  /// The interval of the mean; both ends are the mean below two numbers, and zero if empty.
  ///
  /// Percentiles, widened for small samples by Student's t as Hesterberg (2015) proposes, as plain ones are too narrow
  /// below a hundred. Equal numbers and seeds give equal intervals.
  public func interval(of sample: [Double]) -> ClosedRange<Double> {
    let count = sample.count
    guard count > 1 else { return (sample.first ?? 0)...(sample.first ?? 0) }
    let reach = NormalLaw.student(confidence: confidence, degrees: count - 1)
    if count > Bootstrap.largestSample { return normalInterval(of: sample, reach: reach) }
    let tail = NormalLaw.tail(reach * (Double(count) / Double(count - 1)).squareRoot())
    let means = means(of: sample)
    let low = Bootstrap.quantile(tail, of: means)
    return low...max(low, Bootstrap.quantile(1 - tail, of: means))
  }

  private func normalInterval(of sample: [Double], reach: Double) -> ClosedRange<Double> {
    var mean = 0.0
    var squares = 0.0
    for (index, value) in sample.enumerated() {
      let distance = value - mean
      mean += distance / Double(index + 1)
      squares += distance * (value - mean)
    }
    let count = Double(sample.count)
    let half = reach * (squares / (count - 1) / count).squareRoot()
    return (mean - half)...(mean + half)
  }

  /// The means of all resamples, ascending.
  private func means(of sample: [Double]) -> [Double] {
    var random = RandomStream(seed: seed)
    let count = UInt64(sample.count)
    var means: [Double] = []
    means.reserveCapacity(resamples)
    sample.withUnsafeBufferPointer { sample in
      for _ in 0..<max(1, resamples) {
        var sum = 0.0
        var left = sample.count
        while left > 1 {
          // One random number gives two draws: each half is scaled to the sample's size.
          let bits = random.next()
          sum += sample[Int(((bits >> 32) &* count) >> 32)]
          sum += sample[Int(((bits & 0xFFFF_FFFF) &* count) >> 32)]
          left -= 2
        }
        if left == 1 { sum += sample[Int(((random.next() >> 32) &* count) >> 32)] }
        means.append(sum / Double(sample.count))
      }
    }
    return means.sorted()
  }

  private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
    let rank = min(max(part, 0), 1) * Double(sorted.count - 1)
    let below = min(Int(rank), sorted.count - 1)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (rank - Double(below)) * (sorted[above] - sorted[below])
  }
}
