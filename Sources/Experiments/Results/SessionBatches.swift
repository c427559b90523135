/// The means of a row's metrics over batches of consecutive sessions: what pairing needs, in little memory.
///
/// Rows of equal sessions have equal batches, so that they can be compared batch by batch.
public struct SessionBatches: Sendable, Equatable {
  /// Sessions per batch; the last may have fewer.
  public let size: Int
  /// Sessions so far.
  public private(set) var sessions = 0
  /// By batch and metric, in the order of `Metric.allCases`.
  private var sums: [Double] = []

  /// Empty batches of `size` sessions each.
  public init(size: Int) { self.size = max(1, size) }

  public mutating func add(_ score: SessionScore) {
    let metrics = Metric.allCases
    if sessions.isMultiple(of: size) { sums.append(contentsOf: repeatElement(0, count: metrics.count)) }
    sessions += 1
    let start = sums.count - metrics.count
    for (place, metric) in metrics.enumerated() { sums[start + place] += score[metric] }
  }

  /// The mean of every batch, in order.
  public func means(_ metric: Metric) -> [Double] {
    let metrics = Metric.allCases
    guard let place = metrics.firstIndex(of: metric) else { return [] }
    let count = sums.count / metrics.count
    return (0..<count).map { batch in
      sums[batch * metrics.count + place] / Double(min(size, sessions - batch * size))
    }
  }
}
