/// What the values of sessions come to, reader by reader, for intervals and tests of their mean.
///
/// The sessions of a recorded reader are alike: another hundred of them say nothing about other readers. Where there are
/// recorded readers, each of them counts once; otherwise each session does.
///
/// ```swift
/// let differences = ReaderSums(waits, readers: readers) - ReaderSums(others, readers: readers)
/// let isEnough = differences.differing >= PairedComparison.fewestPairs
/// ```
public struct ReaderSums: Sendable {
  /// As they were added up, so that readers with equal sessions differ by exactly zero.
  private let sums: [Double]
  /// The sessions of each sum; nil where each is of one, and no recorded reader is among them.
  private let counts: [Int]?

  /// The sums of sessions, by reader in order of appearance where any is below zero, which are the recorded ones; one
  /// session each otherwise.
  public init(_ values: [Double], readers: [Int]) {
    guard readers.contains(where: { $0 < 0 }) else {
      (self.sums, self.counts) = (values, nil)
      return
    }
    var places: [Int: Int] = [:]
    var (sums, counts): ([Double], [Int]) = ([], [])
    for (value, reader) in zip(values, readers) {
      let place = places[reader] ?? sums.count
      if place == sums.count {
        places[reader] = place
        sums.append(0)
        counts.append(0)
      }
      sums[place] += value
      counts[place] += 1
    }
    (self.sums, self.counts) = (sums, counts)
  }

  /// The sums of readers with that many sessions each.
  init(sums: [Double], counts: [Int]?) {
    (self.sums, self.counts) = (sums, counts)
  }

  /// How many readers there are, or sessions.
  public var count: Int { sums.count }

  /// Those whose sum is not zero: of differences, how many differ.
  public var differing: Int { sums.count { $0 != 0 } }

  /// One value each. Their mean is that of all sessions, and their spread that among readers (the linearized ratio of
  /// Cochran 1977, which is the cluster-robust variance).
  public var values: [Double] {
    guard let counts else { return sums }
    let sessions = Double(counts.reduce(0, +))
    guard sessions > 0 else { return [] }
    let mean = sums.reduce(0, +) / sessions
    let scale = Double(sums.count) / sessions
    return zip(sums, counts).map { sum, count in mean + scale * (sum - Double(count) * mean) }
  }

  /// Whether both are of as many sessions, reader by reader, and so have a difference.
  public func isAlike(_ other: ReaderSums) -> Bool { count == other.count && counts == other.counts }

  /// The differences of equal sessions, reader by reader.
  public static func - (sums: ReaderSums, others: ReaderSums) -> ReaderSums {
    precondition(sums.isAlike(others), "\(sums.count) sums and \(others.count) of other sessions")
    return ReaderSums(sums: zip(sums.sums, others.sums).map { $0 - $1 }, counts: sums.counts)
  }
}
