import Paging

/// Critical values for many comparisons at once: the distribution of the largest of correlated statistics (max-T, Westfall
/// and Young 1993), by resampling the sessions of all rows with the same random weights.
///
/// Weights are nearly normal (a multiplier bootstrap), on at most 400 groups of consecutive sessions.
struct MaximumT {
  private static let draws = 500
  private static let mostGroups = 400

  private let confidence: Double
  /// By row: the deviation of every group from the row's mean.
  private let deviations: [[Double]]
  /// By row and draw: their weighted sum.
  private let sums: [[Double]]

  /// For rows with values of the same sessions.
  init(_ rows: [[Double]], seed: UInt64, confidence: Double = 0.95) {
    self.confidence = confidence
    let deviations = rows.map(Self.deviations)
    self.deviations = deviations
    let groups = deviations.first?.count ?? 0
    var sums = Array(repeating: Array(repeating: 0.0, count: Self.draws), count: rows.count)
    var random = RandomStream(seed: seed, "maximum", groups)
    for draw in 0..<Self.draws {
      // The number of ones among 64 random bits has a deviation of four.
      let weights = (0..<groups).map { _ in Double(random.next().nonzeroBitCount - 32) / 4 }
      for row in rows.indices {
        var sum = 0.0
        deviations[row].withUnsafeBufferPointer { values in
          weights.withUnsafeBufferPointer { weights in
            for group in 0..<groups { sum += weights[group] * values[group] }
          }
        }
        sums[row][draw] = sum
      }
    }
    self.sums = sums
  }

  private static func deviations(_ values: [Double]) -> [Double] {
    let size = max(1, (values.count + mostGroups - 1) / mostGroups)
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    return stride(from: 0, to: values.count, by: size).map { start in
      values[start..<min(values.count, start + size)].reduce(0) { $0 + $1 - mean }
    }
  }

  /// The number of deviations that the largest difference of any of `others` to `row` exceeds by chance only as often as
  /// the confidence allows: upwards only, or in both directions.
  func deviations(of row: Int, against others: [Int], bothWays: Bool) -> Double {
    var largest = Array(repeating: 0.0, count: Self.draws)
    for other in others {
      var squares = 0.0
      for (value, base) in zip(deviations[row], deviations[other]) {
        squares += (value - base) * (value - base)
      }
      guard squares > 0 else { continue }
      let scale = 1 / squares.squareRoot()
      for draw in 0..<Self.draws {
        let value = (sums[row][draw] - sums[other][draw]) * scale
        largest[draw] = max(largest[draw], bothWays ? abs(value) : value)
      }
    }
    largest.sort()
    return largest[min(Self.draws - 1, Int(confidence * Double(Self.draws)))]
  }
}
