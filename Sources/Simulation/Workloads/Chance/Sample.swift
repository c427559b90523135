/// Measured numbers in rising order, never empty; finite and from 0 on.
public struct Sample: Sendable, Hashable {
  /// The numbers, least first.
  public let sorted: [Double]

  /// Takes numbers in any order; fails for none at all, and for one that is negative or not finite.
  public init(_ numbers: [Double]) throws(InvalidWorld) {
    guard !numbers.isEmpty else {
      throw InvalidWorld(name: "measured numbers", value: "none", expected: "at least one number")
    }
    if let wrong = numbers.first(where: { !($0 >= 0 && $0 <= 1e6) }) {
      throw InvalidWorld(name: "measured number", value: "\(wrong)", expected: "a number from 0 to 1000000")
    }
    sorted = numbers.sorted()
  }

  /// The number that the given part of all, 0 to 1, does not exceed; between two it is interpolated.
  public func quantile(_ part: Double) -> Double {
    let place = max(0, min(part, 1)) * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// The mean of what `quantile` gives over all parts.
  public var mean: Double {
    guard sorted.count > 1 else { return sorted[0] }
    let inner = sorted.reduce(0, +) - (sorted[0] + sorted[sorted.count - 1]) / 2
    return inner / Double(sorted.count - 1)
  }
}
