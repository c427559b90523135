/// Quantiles of a stream in bounded memory: exact for few numbers, then counted in logarithmic buckets, each 0.8 %
/// wide.
///
/// A bucket is the exponent and the first seven bits of the significand, so no logarithm is needed. Numbers below 2^-40
/// in magnitude count as zero, and those beyond 2^40 are clamped.
struct QuantileSketch: Sendable, Equatable {
  /// Numbers kept exactly.
  static let exactCount = 2_048
  private static let smallest = bucket(0x1p-40)
  private static let largest = bucket(0x1p40)

  private var values: [Double] = []
  private(set) var count = 0
  private var zeros = 0
  private var positive: [Int] = []
  private var negative: [Int] = []

  mutating func add(_ value: Double) {
    count += 1
    if count <= QuantileSketch.exactCount {
      values.append(value)
    } else {
      spill()
      fill(value, times: 1)
    }
  }

  /// Linear interpolation, as in most programs (Hyndman and Fan 1996, definition 7); zero if empty.
  func quantile(_ part: Double) -> Double {
    guard count > 0, !part.isNaN else { return 0 }
    let rank = min(max(part, 0), 1) * Double(count - 1)
    let below = Int(rank)
    let rest = rank - Double(below)
    if count <= QuantileSketch.exactCount {
      let sorted = values.sorted()
      return rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below]) : sorted[below]
    }
    let low = bucketValue(atRank: below)
    return rest > 0 ? low + rest * (bucketValue(atRank: below + 1) - low) : low
  }

  private func bucketValue(atRank rank: Int) -> Double {
    var passed = 0
    for bucket in negative.indices.reversed() where negative[bucket] > 0 {
      passed += negative[bucket]
      if passed > rank { return -QuantileSketch.middle(bucket) }
    }
    passed += zeros
    if passed > rank { return 0 }
    for bucket in positive.indices where positive[bucket] > 0 {
      passed += positive[bucket]
      if passed > rank { return QuantileSketch.middle(bucket) }
    }
    return 0
  }

  /// Moves the exact numbers into buckets.
  private mutating func spill() {
    for value in values { fill(value, times: 1) }
    values = []
  }

  private mutating func fill(_ value: Double, times: Int) {
    let bucket = min(QuantileSketch.bucket(abs(value)), QuantileSketch.largest) - QuantileSketch.smallest
    if bucket < 0 {
      zeros += times
    } else if value > 0 {
      positive.add(times, at: bucket)
    } else {
      negative.add(times, at: bucket)
    }
  }

  private static func bucket(_ value: Double) -> Int { Int(value.bitPattern >> 45) }

  private static func middle(_ bucket: Int) -> Double {
    Double(bitPattern: UInt64(bucket + smallest) << 45 | 1 << 44)
  }
}

extension [Int] {
  /// Adds to an element, growing the array with zeros.
  mutating func add(_ amount: Int, at index: Int) {
    while count <= index { append(0) }
    self[index] += amount
  }
}
