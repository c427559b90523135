/// Measured numbers in ascending order, never empty; finite and non-negative.
public struct Sample: Sendable, Hashable {
  /// The numbers, ascending.
  public let sorted: [Double]

  /// Sorts the numbers; throws if there are none, or any is negative or not finite.
  public init(_ numbers: [Double]) throws(InvalidWorld) {
    guard !numbers.isEmpty else {
      throw InvalidWorld(name: "measured numbers", value: "none", expected: "at least one number")
    }
    if let wrong = numbers.first(where: { !($0 >= 0 && $0 <= 1e6) }) {
      throw InvalidWorld(name: "measured number", value: "\(wrong)", expected: "a number from 0 to 1000000")
    }
    sorted = numbers.sorted()
  }

  /// The quantile at `part`, 0 to 1, interpolated.
  public func quantile(_ part: Double) -> Double {
    let place = max(0, min(part, 1)) * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// The mean of `quantile` over all parts.
  public var mean: Double {
    guard sorted.count > 1 else { return sorted[0] }
    let inner = sorted.reduce(0, +) - (sorted[0] + sorted[sorted.count - 1]) / 2
    return inner / Double(sorted.count - 1)
  }
}
