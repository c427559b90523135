public import Experiments

extension PairedComparison {
  /// Fewer pairs resolve nothing: even five agreeing pairs occur by chance once in sixteen times.
  public static let fewestPairs = 6

  /// Compares by the differences of pairs, row minus baseline; nil if there are none.
  ///
  /// The verdict is `.notResolved` if the interval contains zero, and below six pairs.
  public init?(
    _ differences: [Double], isBetterWhenLess: Bool = true, seed: UInt64, confidence: Double = 0.95
  ) {
    guard !differences.isEmpty else { return nil }
    var bootstrap = Bootstrap(seed: seed)
    bootstrap.confidence = confidence
    let interval = bootstrap.interval(of: differences)
    let mean = differences.reduce(0, +) / Double(differences.count)
    let verdict: Verdict =
      if differences.count < PairedComparison.fewestPairs || interval.contains(0) {
        .notResolved
      } else {
        (interval.upperBound < 0) == isBetterWhenLess ? .better : .worse
      }
    self.init(
      mean: mean, low: interval.lowerBound, high: interval.upperBound, pairs: differences.count,
      verdict: verdict)
  }
}
