import Paging
import Simulation
import Testing

@Suite struct SteadyReaderTests {
  @Test(arguments: 0..<60)
  func `a replay of pages kept ahead waits as long as the formula says`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let (pages, ahead) = (Int.random(in: 1...40, using: &dice), Int.random(in: 0...6, using: &dice))
    let (reading, latency) = (Int.random(in: 0...9, using: &dice), Int.random(in: 0...30, using: &dice))
    let policy = PagesAhead(ahead: ahead, reading: .seconds(reading), latency: .seconds(latency))

    let stall = policy.stall(over: pages)

    var (now, waited, arrivals) = (0, 0, [Int]())
    for page in 0..<pages {
      while arrivals.count <= page + ahead { arrivals.append(now + latency) }
      waited += max(0, arrivals[page] - now)
      now = max(now, arrivals[page]) + reading
    }
    #expect(stall == .seconds(waited), "seed \(seed)")
  }

  @Test(arguments: [(2.0, 3.0, 1, 10), (20, 3, 2, 10), (7, 1.5, 1, 5), (50, 0.3, 4, 20)])
  func `a long steady session waits per item what the formula says`(
    _ speed: Double, _ latency: Double, _ slots: Int, _ pageSize: Int
  ) throws {
    let reader = SteadyReader(speed: speed, latency: .seconds(latency), slots: slots, pageSize: pageSize)
    let pages = 20_000
    let deadlines = instants((0..<pages).map { Double($0 * pageSize) / speed })
    var problem = ClairvoyantProblem(deadlines: deadlines, latencies: .same(.seconds(latency)))
    problem.slots = slots

    let stall = try problem.schedule().stall.inSeconds

    let items = Double(pages * pageSize)
    #expect(abs(stall / items - reader.stall(over: pages * pageSize) / items) < 1e-4)
    #expect(reader.networkKeepsUp == (stall <= latency))
    #expect(reader.isStallFree(itemsAhead: speed * latency) == reader.networkKeepsUp)
    #expect(!reader.isStallFree(itemsAhead: speed * latency - 0.1))
  }

  @Test func `a reader who stops anywhere leaves half a page and what was kept ahead`() {
    for (ahead, pageSize) in [(14, 20), (200, 20), (3, 7)] {
      let stops = (0..<pageSize * 100).map { Double($0) / 100 + 0.005 }

      let left = stops.map { stop -> Double in
        let pages = ((stop + Double(ahead)) / Double(pageSize)).rounded(.up)
        return pages * Double(pageSize) - stop
      }

      let predicted = PagesAhead.expectedLeftover(itemsAhead: Double(ahead), pageSize: pageSize)
      #expect(abs(left.reduce(0, +) / Double(left.count) - predicted) < 1e-6)
    }
  }

  @Test func `no pages and no speed are no wait`() {
    let policy = PagesAhead(ahead: -1, reading: .seconds(1), latency: .seconds(1))

    #expect(policy.stall(over: 0) == .zero)
    #expect(policy.regret(over: 0) == .zero)
    #expect(policy.stall(over: 2) == .seconds(2))
    #expect(SteadyReader(speed: 0, latency: .seconds(1), slots: 1, pageSize: 1).stall(over: 9) == 0)
  }
}
