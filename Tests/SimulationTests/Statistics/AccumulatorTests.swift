import Experiments
import Paging
import Simulation
import Testing

@Suite struct AccumulatorTests {
  private func accumulator(_ values: [Double]) -> Accumulator {
    var accumulator = Accumulator()
    for value in values { accumulator.add(value) }
    return accumulator
  }

  /// Two passes and a sort, as a textbook has it.
  private func quantile(_ part: Double, _ values: [Double]) -> Double {
    let sorted = values.sorted()
    let rank = part * Double(values.count - 1)
    let below = Int(rank)
    let above = min(below + 1, values.count - 1)
    return sorted[below] * (1 - rank + Double(below)) + sorted[above] * (rank - Double(below))
  }

  @Test(arguments: 0..<30)
  func `few numbers have the mean, spread and quantiles of two passes`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let values = (0..<Int.random(in: 2...400, using: &dice)).map { _ in
      Double.random(in: -5...20, using: &dice).rounded() * 1.25 + 1e6
    }

    let result = accumulator(values)

    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (count - 1)
    #expect(abs(result.mean - mean) < 1e-8, "seed \(seed)")
    #expect(abs(result.variance - variance) < 1e-7, "seed \(seed)")
    #expect(result.least == values.min() && result.most == values.max())
    for part in [0, 0.05, 0.5, 0.95, 1] {
      #expect(abs(result.quantile(part) - quantile(part, values)) < 1e-8, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `many numbers of any sign have quantiles within half a percent`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let values = (0..<20_000).map { _ in
      let unit = Double.random(in: -1...1, using: &dice)
      return abs(unit) < 0.1 ? 0 : unit * unit * unit * 1000
    }

    let result = accumulator(values)

    for part in stride(from: 0, through: 1, by: 0.05) {
      let exact = quantile(part, values)
      #expect(abs(result.quantile(part) - exact) <= 0.005 * abs(exact) + 1e-9, "seed \(seed), part \(part)")
    }
  }

  @Test func `no numbers, one number and what is no number are no trap`() {
    let empty = accumulator([.nan, .infinity])
    let one = accumulator([3])

    #expect(empty == Accumulator())
    #expect(empty.summary() == MetricSummary())
    #expect(empty.quantile(0.5) == 0 || empty.count == 0)
    #expect(one.summary().p95 == 3)
    #expect(one.halfWidth == 0)
  }

  @Test func `absurd numbers are counted at the ends`() {
    let values = (0..<3_000).map { $0 % 2 == 0 ? 1e300 : -1e-300 }

    let result = accumulator(values)

    #expect(result.quantile(0.1) <= 0)
    #expect(result.quantile(0.9) >= 0x1p40)
  }

  /// Student's 97.5 % points as in any table, such as Abramowitz and Stegun's 26.10.
  @Test(arguments: [
    (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980),
  ])
  func `the interval of the mean is Student's`(_ degrees: Int, _ point: Double) {
    let result = accumulator((0...degrees).map(Double.init))

    let factor = result.halfWidth / (result.variance / Double(degrees + 1)).squareRoot()

    #expect(abs(factor - point) < 0.005 * point)
  }

  @Test func `the worst of a rate is its smallest number`() {
    let result = accumulator((0...100).map(Double.init)).summary(isBetterWhenLess: false)

    #expect(result.worst == 0)
    #expect(result.p95 == 5)
  }
}
