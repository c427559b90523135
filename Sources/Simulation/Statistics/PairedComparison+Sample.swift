public import Experiments

extension PairedComparison {
  /// Compares by the differences of readers, or of sessions, row minus baseline; nil if there are none.
  ///
  /// The verdict is `.notResolved` if the interval contains zero, and if fewer than six of them differ.
  public init?(_ differences: ReaderSums, isBetterWhenLess: Bool = true, confidence: Double = 0.95) {
    let values = differences.values
    guard !values.isEmpty else { return nil }
    let moments = Moments(values)
    let interval = moments.interval(confidence: confidence)
    let isEnough = PairedComparison.isEnough(differences)
    self.init(
      mean: moments.mean, low: interval.lowerBound, high: interval.upperBound, pairs: values.count,
      verdict: isEnough ? .init(interval, isBetterWhenLess: isBetterWhenLess) : .notResolved)
    differing = differences.differing
    deviation = moments.variance.squareRoot()
  }

  /// The same for the sessions of these readers: recorded ones count once each. Without readers, each session has its own.
  public init?(_ differences: [Double], readers: [Int] = [], isBetterWhenLess: Bool = true) {
    let sums = ReaderSums(differences, readers: readers)
    self.init(sums, isBetterWhenLess: isBetterWhenLess)
    pairs = differences.count
    if readers.contains(where: { $0 < 0 }) { self.readers = sums.count }
  }

  /// Whether enough of them differ to resolve anything.
  static func isEnough(_ differences: ReaderSums) -> Bool { differences.differing >= fewestPairs }
}

extension PairedComparison.Verdict {
  /// What the interval of a difference says.
  init(_ interval: ClosedRange<Double>, isBetterWhenLess: Bool) {
    self =
      interval.contains(0) ? .notResolved : (interval.upperBound < 0) == isBetterWhenLess ? .better : .worse
  }
}
