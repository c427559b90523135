import Paging
import Simulation
import Testing

@Suite struct ChanceTests {
  private func drawn(_ distribution: Distribution, _ count: Int = 40_000) -> [Double] {
    (0..<count).map {
      var stream = RandomStream(seed: 7, "test", $0)
      return distribution.draw(&stream)
    }
  }

  @Test func `a stream depends on seed, name and numbers and on nothing else`() {
    func first(_ seed: UInt64, _ name: String, _ session: Int, _ page: Int) -> UInt64 {
      var stream = RandomStream(seed: seed, name, session, page)
      return stream.next()
    }

    let streams = [
      first(1, "latency", 3, 7), first(2, "latency", 3, 7), first(1, "loss", 3, 7), first(1, "latency", 7, 3),
      first(1, "latency", 3, 8), first(1, "latency", 4, 7), first(1, "latency", -3, 7),
    ]

    #expect(Set(streams).count == streams.count)
    #expect(first(1, "latency", 3, 7) == streams[0])
  }

  @Test func `streams of neighbours have nothing in common`() {
    let units = (0..<40_000).map {
      var stream = RandomStream(seed: 1, "latency", 0, $0)
      return stream.unit()
    }
    let pairs = zip(units, units.dropFirst()).map { ($0 - 0.5) * ($1 - 0.5) }

    #expect(abs(units.reduce(0, +) / 40_000 - 0.5) < 0.006)
    #expect(abs(pairs.reduce(0, +) / Double(pairs.count) * 12) < 0.02)
  }

  @Test(arguments: [
    Distribution.fixed(0.25), .uniform(1, 3), .exponential(mean: 40), .lognormal(median: 0.35, sigma: 0.5),
    .empirical(try! Sample([3, 1, 2, 10])),
  ])
  func `what is drawn has the mean of the law`(law: Distribution) {
    let numbers = drawn(law)
    let mean = numbers.reduce(0, +) / Double(numbers.count)

    #expect(abs(mean - law.mean) < 0.02 * law.mean)
  }

  @Test func `a lognormal law has its median and its spread`() {
    let numbers = drawn(.lognormal(median: 0.35, sigma: 0.5)).sorted()

    #expect(abs(numbers[20_000] - 0.35) < 0.01)
    // One standard deviation above: 0.35 e^0.5.
    #expect(abs(numbers[33_654] - 0.577) < 0.015)
  }

  @Test func `measured numbers are interpolated between neighbours`() throws {
    let sample = try Sample([4, 1, 2])

    #expect([0, 0.25, 0.5, 0.75, 1].map { sample.quantile($0) } == [1, 1.5, 2, 3, 4])
    #expect(throws: InvalidWorld.self) { try Sample([]) }
    #expect(throws: InvalidWorld.self) { try Sample([1, -1]) }
    #expect(throws: InvalidWorld.self) { try Sample([.nan]) }
  }
}
