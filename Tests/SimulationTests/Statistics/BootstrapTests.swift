import Experiments
import Paging
import Simulation
import Testing

@Suite struct BootstrapTests {
  private func sample(_ count: Int, mean: Double, seed: UInt64) -> [Double] {
    var dice = RandomStream(seed: seed)
    // Twelve uniform numbers added up are nearly normal, with a deviation of one.
    return (0..<count).map { _ in (0..<12).reduce(-6 + mean) { sum, _ in sum + dice.unit() } }
  }

  @Test func `equal numbers and seeds give equal intervals, and another seed nearly the same`() {
    let numbers = sample(50, mean: 1, seed: 1)

    let interval = Bootstrap(seed: 7).interval(of: numbers)
    let other = Bootstrap(seed: 8).interval(of: numbers)

    #expect(interval == Bootstrap(seed: 7).interval(of: numbers))
    #expect(interval != other)
    #expect(abs(interval.lowerBound - other.lowerBound) < 0.05)
  }

  @Test(arguments: [8, 25, 60])
  func `about 95 of 100 intervals hold the true mean`(_ size: Int) {
    var bootstrap = Bootstrap(seed: 5)
    bootstrap.resamples = 300

    let hits = (0..<300).count {
      bootstrap.interval(of: sample(size, mean: 0.5, seed: $0 + 1000)).contains(0.5)
    }

    // Three deviations of a binomial around 285.
    #expect((273...296).contains(hits), "\(hits) of 300")
  }

  @Test func `large samples have the interval of the normal law`() {
    let numbers = sample(4_000, mean: 0, seed: 3)

    let interval = Bootstrap(seed: 1).interval(of: numbers)

    let half = (interval.upperBound - interval.lowerBound) / 2
    #expect(abs(half - 1.96 / 4_000.0.squareRoot()) < 0.001)
  }

  @Test func `all ways to draw three numbers give the ends of a tiny sample`() {
    let interval = Bootstrap(seed: 1).interval(of: [1, 2, 6])

    #expect(interval == 1...6)
    #expect(Bootstrap(seed: 1).interval(of: []) == 0...0)
    #expect(Bootstrap(seed: 1).interval(of: [4]) == 4...4)
  }

  @Test func `a verdict needs six pairs and an interval without zero`() {
    func verdict(_ differences: [Double], less: Bool = true) -> PairedComparison.Verdict? {
      PairedComparison(differences, isBetterWhenLess: less, seed: 1)?.verdict
    }

    #expect(verdict([-1, -1, -2, -1, -3]) == .notResolved)
    #expect(verdict([-1, -1, -2, -1, -3, -2]) == .better)
    #expect(verdict([-1, -1, -2, -1, -3, -2], less: false) == .worse)
    #expect(verdict([1, 1, 2, 1, 3, 2]) == .worse)
    #expect(verdict([1, 1, 2, -9, 3, 2]) == .notResolved)
    #expect(verdict(Array(repeating: 0, count: 100)) == .notResolved)
    #expect(verdict([]) == nil)
  }

  @Test func `the interval's mean is the mean of the differences`() throws {
    let comparison = try #require(PairedComparison([1, 2, 3, 4, 5, 6, 7], seed: 3))

    #expect(comparison.mean == 4)
    #expect(comparison.pairs == 7)
    #expect(comparison.low < 4 && comparison.high > 4)
  }
}
