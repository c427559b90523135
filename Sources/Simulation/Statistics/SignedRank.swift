/// Wilcoxon's signed-rank test (1945): whether paired differences lean to one side, by their ranks alone.
///
/// A second opinion where a few huge differences make the mean say little. Differences of zero are left out,
/// equal ones share their ranks.
public struct SignedRank: Sendable, Equatable {
  /// Differences that are not zero.
  public let pairs: Int
  /// The ranks of the positive differences, added up.
  public let positiveRanks: Double
  /// How often chance alone leans as far to either side; 1 without pairs.
  public let probability: Double

  /// Most pairs for which all ways to choose the signs are counted; beyond, the normal law is used, corrected for
  /// ties and continuity.
  public static let mostExactPairs = 25

  public init(_ differences: [Double]) {
    let sorted = differences.filter { $0 != 0 && !$0.isNaN }.sorted { abs($0) < abs($1) }
    let ranks = SharedRanks(sorted.map(abs))
    pairs = sorted.count
    var positive = 0
    for (value, doubled) in zip(sorted, ranks.doubled) where value > 0 { positive += doubled }
    positiveRanks = Double(positive) / 2
    if pairs == 0 {
      probability = 1
    } else if pairs <= SignedRank.mostExactPairs {
      probability = ranks.exactProbability(of: positive)
    } else {
      probability = ranks.normalProbability(of: positiveRanks)
    }
  }

  /// Whether chance leans this far less than once in twenty times.
  public var isResolved: Bool { probability < 0.05 }
}

/// The ranks of ascending numbers, doubled so that shared ranks are whole.
private struct SharedRanks {
  private(set) var doubled: [Int] = []
  /// The sum of t^3 - t over groups of t equal numbers.
  private var ties = 0.0

  init(_ ascending: [Double]) {
    var start = 0
    while start < ascending.count {
      var end = start
      while end < ascending.count, ascending[end] == ascending[start] { end += 1 }
      for _ in start..<end { doubled.append(start + 1 + end) }
      let size = Double(end - start)
      ties += size * size * size - size
      start = end
    }
  }

  /// Counts, over all signs, how often each sum of ranks comes.
  func exactProbability(of sum: Int) -> Double {
    var ways = Array(repeating: 0.0, count: doubled.reduce(1, +))
    ways[0] = 1
    for rank in doubled {
      for total in stride(from: ways.count - 1, through: rank, by: -1) { ways[total] += ways[total - rank] }
    }
    let all = ways.reduce(0, +)
    let (below, above) = (ways[...sum].reduce(0, +), ways[sum...].reduce(0, +))
    return min(1, 2 * min(below, above) / all)
  }

  func normalProbability(of sum: Double) -> Double {
    let n = Double(doubled.count)
    let variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    let distance = max(0, abs(sum - n * (n + 1) / 4) - 0.5)
    return variance > 0 ? min(1, 2 * NormalLaw.tail(distance / variance.squareRoot())) : 1
  }
}
