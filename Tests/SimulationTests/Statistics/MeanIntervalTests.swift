import Experiments
import Paging
import Simulation
import Testing

/// The intervals of means and of paired differences.
@Suite struct MeanIntervalTests {
  private func sample(_ count: Int, mean: Double, seed: UInt64) -> [Double] {
    var dice = RandomStream(seed: seed)
    // Twelve uniform numbers added up are nearly normal, with a deviation of one.
    return (0..<count).map { _ in (0..<12).reduce(-6 + mean) { sum, _ in sum + dice.unit() } }
  }

  @Test(arguments: [8, 25, 60])
  func `about 95 of 100 intervals hold the true mean`(_ size: Int) {
    let hits = (0..<2000).count {
      Moments(sample(size, mean: 0.5, seed: $0 + 1000)).interval().contains(0.5)
    }

    // Three deviations of a binomial around 1900.
    #expect((1870...1930).contains(hits), "\(hits) of 2000")
  }

  @Test(arguments: [20, 30, 40])
  func `intervals of the lab's own skewed stalls and differences hold the true mean`(_ size: Int) throws {
    let experiment = try LabRig.experiment(
      ["leadingScreens", "onDemand"], workload: "fling:items=100000", sessions: 1000, seed: 7)
    let rows = try Lab(LabRig.options()).run(experiment).rows
    let stalls = rows.prefix(2).map { $0.scores.map(\.stall) }
    let differences = zip(stalls[1], stalls[0]).map { $0 - $1 }

    for (population, name) in [(stalls[0], "near"), (stalls[1], "on demand"), (differences, "difference")] {
      let mean = population.reduce(0, +) / Double(population.count)
      var dice = RandomStream(seed: 11, name, size)
      let hits = (0..<4000).count { _ in
        var moments = Moments()
        for _ in 0..<size { moments.add(population[Int(dice.next() % UInt64(population.count))]) }
        return moments.interval().contains(mean)
      }

      // From 94 to 96 of 100, and three deviations of a binomial.
      #expect((3710...3890).contains(hits), "\(name): \(hits) of 4000")
    }
  }

  @Test func `large samples have the interval of the normal law`() {
    let interval = Moments(sample(4_000, mean: 0, seed: 3)).interval()

    let half = (interval.upperBound - interval.lowerBound) / 2
    #expect(abs(half - 1.96 / 4_000.0.squareRoot()) < 0.001)
  }

  @Test func `an interval reaches farther to the side of the skewness, and is mirrored with its sample`() {
    let interval = Moments([1, 1, 2, 1, 2, 9]).interval()
    let mirrored = Moments([-1, -1, -2, -1, -2, -9]).interval()

    let mean = 16.0 / 6
    #expect(interval.upperBound - mean > 1.5 * (mean - interval.lowerBound))
    #expect(abs(interval.lowerBound + mirrored.upperBound) < 1e-12)
    #expect(abs(interval.upperBound + mirrored.lowerBound) < 1e-12)
  }

  @Test func `tiny and equal samples have the interval of their mean`() {
    #expect(Moments([]).interval() == 0...0)
    #expect(Moments([4]).interval() == 4...4)
    #expect(Moments([4, 4, 4]).interval() == 4...4)
  }

  @Test func `a verdict needs six pairs that differ and an interval without zero`() {
    func verdict(_ differences: [Double], less: Bool = true) -> PairedComparison.Verdict? {
      PairedComparison(differences, isBetterWhenLess: less)?.verdict
    }

    #expect(verdict([-1, -1, -2, -1, -3]) == .notResolved)
    #expect(verdict([-1, -1, -2, -1, -3, -2]) == .better)
    #expect(verdict([-1, -1, -2, -1, -3, -2], less: false) == .worse)
    #expect(verdict([1, 1, 2, 1, 3, 2]) == .worse)
    #expect(verdict([1, 1, 2, -9, 3, 2]) == .notResolved)
    #expect(verdict(Array(repeating: 0, count: 100)) == .notResolved)
    #expect(verdict(Array(repeating: 0, count: 10) + [1, 1, 1, 1, 1]) == .notResolved)
    #expect(verdict([]) == nil)
  }

  @Test func `the interval's mean is the mean of the differences`() throws {
    let comparison = try #require(PairedComparison([1, 2, 3, 4, 5, 6, 7]))

    #expect(comparison.mean == 4)
    #expect(comparison.pairs == 7)
    #expect(comparison.low < 4 && comparison.high > 4)
  }

  @Test func `the sessions needed are those that tell the difference, or that there is none of interest`()
    throws
  {
    // A deviation of one and a mean of 0.1, nearly.
    let sample = sample(400, mean: 0.05, seed: 5)
    let comparison = try #require(PairedComparison(sample))
    let needed = try #require(comparison.sessionsNeeded(margin: 0.5 * abs(comparison.mean)))
    let least = 7.84 * comparison.deviation * comparison.deviation / (comparison.mean * comparison.mean)

    #expect(comparison.verdict == .notResolved)
    #expect(Double(needed) >= least && Double(needed) < 1.12 * least)
    #expect(comparison.sessionsNeeded(margin: 10) == nil)
    #expect(comparison.isEqual(within: 10) && !comparison.isEqual(within: 0.01))
  }
}
