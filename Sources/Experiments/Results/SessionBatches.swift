/// The sums of a row's metrics over batches of sessions: what pairing needs, in little memory. A batch is a recorded reader's sessions,
/// or consecutive ones of other readers.
///
/// Rows of equal sessions have equal batches, so that they can be compared batch by batch.
public struct SessionBatches: Sendable, Equatable {
  /// Sessions per batch; the last may have fewer.
  public let size: Int
  /// Sessions so far.
  public private(set) var sessions = 0
  /// Recorded readers, whose batches come first.
  private let readers: Int
  private var others = 0
  private var counts: [Int]
  /// By batch and metric, in the order of `Metric.allCases`.
  private var sums: [Double]

  /// Empty batches of `size` sessions each, and of one recorded reader each.
  public init(size: Int, readers: Int = 0) {
    self.size = max(1, size)
    self.readers = readers
    counts = Array(repeating: 0, count: readers)
    sums = Array(repeating: 0, count: readers * Metric.allCases.count)
  }

  public mutating func add(_ score: SessionScore) {
    let metrics = Metric.allCases
    sessions += 1
    var batch = -1 - score.reader
    if batch < 0 {
      batch = readers + others / size
      others += 1
    }
    if batch == counts.count {
      counts.append(0)
      sums.append(contentsOf: repeatElement(0, count: metrics.count))
    }
    counts[batch] += 1
    for (place, metric) in metrics.enumerated() { sums[batch * metrics.count + place] += score[metric] }
  }

  /// The sums of a metric, each batch as a reader.
  public func readerSums(_ metric: Metric) -> ReaderSums {
    let metrics = Metric.allCases
    let place = metrics.firstIndex(of: metric) ?? 0
    let met = counts.indices.filter { counts[$0] > 0 }
    return ReaderSums(sums: met.map { sums[$0 * metrics.count + place] }, counts: met.map { counts[$0] })
  }
}
