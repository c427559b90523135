public import Experiments

extension PairedComparison {
  /// Compares by the differences of pairs, row minus baseline; nil if there are none.
  ///
  /// The verdict is `.notResolved` if the interval contains zero, and if fewer than six pairs differ.
  public init?(_ differences: [Double], isBetterWhenLess: Bool = true, confidence: Double = 0.95) {
    guard !differences.isEmpty else { return nil }
    let moments = Moments(differences)
    let interval = moments.interval(confidence: confidence)
    let isEnough = PairedComparison.isEnough(differences)
    self.init(
      mean: moments.mean, low: interval.lowerBound, high: interval.upperBound, pairs: differences.count,
      verdict: isEnough ? .init(interval, isBetterWhenLess: isBetterWhenLess) : .notResolved)
    differing = differences.count { $0 != 0 }
    deviation = moments.variance.squareRoot()
  }

  /// The same for the sessions of these readers: recorded ones count once each.
  public init?(_ differences: [Double], readers: [Int], isBetterWhenLess: Bool = true) {
    let values = ReaderValues.of(differences, readers: readers)
    self.init(values, isBetterWhenLess: isBetterWhenLess)
    pairs = differences.count
    if readers.contains(where: { $0 < 0 }) { self.readers = values.count }
  }

  /// Whether enough pairs differ to resolve anything.
  static func isEnough(_ differences: [Double]) -> Bool {
    differences.count { $0 != 0 } >= fewestPairs
  }
}

extension PairedComparison.Verdict {
  /// What the interval of a difference says.
  init(_ interval: ClosedRange<Double>, isBetterWhenLess: Bool) {
    self =
      interval.contains(0) ? .notResolved : (interval.upperBound < 0) == isBetterWhenLess ? .better : .worse
  }
}
