/// Which part of some numbers is at most as large as any given one: the empirical distribution.
public struct ECDF: Sendable, Equatable {
  /// Ascending.
  public let sorted: [Double]

  /// Numbers that are not finite are left out.
  public init(_ values: [Double]) { sorted = values.filter(\.isFinite).sorted() }

  /// The part of the numbers that are at most this; zero without numbers.
  public func part(atMost value: Double) -> Double {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return sorted.isEmpty ? 0 : Double(low) / Double(sorted.count)
  }

  /// The corners of the curve, ascending: each different number, and the part that is at most this.
  public var steps: [(value: Double, part: Double)] {
    sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0 + 1] != sorted[$0] }
      .map { (sorted[$0], Double($0 + 1) / Double(sorted.count)) }
  }

  /// At most so many corners, evenly over the parts, with the first and the last; a single one is
  /// the last.
  public func steps(atMost limit: Int) -> [(value: Double, part: Double)] {
    let steps = steps
    if steps.count <= limit { return steps }
    if limit < 2 { return limit < 1 ? [] : [steps[steps.count - 1]] }
    return (0..<limit).map { steps[$0 * (steps.count - 1) / (limit - 1)] }
  }
}
