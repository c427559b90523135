import Paging
import Simulation
import Testing

@Suite struct RequestBoundTests {
  @Test(arguments: 0..<60)
  func `the batch front is that of all ways to split the items`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let items = Int.random(in: 1...9, using: &dice)
    let deadlines = (0..<items).map { _ in Int.random(in: 0...20, using: &dice) }.sorted()
    let (latency, perItem) = (Int.random(in: 0...5, using: &dice), Int.random(in: 0...3, using: &dice))
    let largest = Bool.random(using: &dice) ? nil : Int.random(in: 1...4, using: &dice)
    let fetching = BatchFront.Fetching(
      latency: .seconds(latency), perItem: .seconds(perItem), largest: largest)

    let front = BatchFront(deadlines: instants(deadlines.map(Double.init)), fetching)

    var least: [Int: Int] = [:]
    for cuts in 0..<(1 << (items - 1)) {
      var (now, stall, requests, first) = (0, 0, 0, 0)
      var isAllowed = true
      for item in 0..<items where item == items - 1 || cuts & (1 << item) != 0 {
        let size = item + 1 - first
        isAllowed = isAllowed && size <= largest ?? .max
        now += latency + size * perItem
        stall = max(stall, now - deadlines[first])
        requests += 1
        first = item + 1
      }
      if isAllowed { least[requests] = min(least[requests] ?? .max, stall) }
    }
    var expected: [BatchFront.Point] = []
    for (requests, stall) in least.sorted(by: { $0.key < $1.key })
    where expected.last.map({ .seconds(stall) < $0.stall }) ?? true {
      expected.append(BatchFront.Point(requests: requests, stall: .seconds(stall)))
    }
    #expect(front.points == expected, "seed \(seed)")
  }

  @Test func `absurd times and no items are no trap`() {
    let long = BatchFront.Fetching(latency: .seconds(Int64.max), perItem: .seconds(Int64.max))

    #expect(!BatchFront(deadlines: instants([0, 1, 2]), long).points.isEmpty)
    #expect(BatchFront(deadlines: [], long).points == [])
    #expect(BatchFront(deadlines: [], long).best(SessionCosts()) == nil)
  }

  @Test(arguments: 0..<60)
  func `no other choice of pages brings more of them in time`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let departures = (0..<Int.random(in: 0...6, using: &dice)).map { _ in Int.random(in: 0...12, using: &dice)
    }
    let (latency, slots) = (Int.random(in: 1...4, using: &dice), Int.random(in: 1...3, using: &dice))
    let reader = PassingReader(
      departures: instants(departures.map(Double.init)), latency: .seconds(latency), slots: slots)

    let pages = reader.pagesInTime

    func most(_ free: [Int], _ rest: [Int]) -> Int {
      rest.indices.reduce(0) { best, choice in
        var (free, others) = (free.sorted(), rest)
        free[0] += latency
        let departure = others.remove(at: choice)
        return free[0] > departure ? best : max(best, 1 + most(free, others))
      }
    }
    #expect(pages.count == most(Array(repeating: 0, count: slots), departures), "seed \(seed)")
    #expect(Set(pages).count == pages.count)
  }

  @Test(arguments: 0..<40)
  func `no order of equal fetches is less late for a reader who does not wait`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let deadlines = (0..<6).map { _ in Int.random(in: 0...10, using: &dice) }.sorted()
    let (latency, slots) = (Int.random(in: 1...4, using: &dice), Int.random(in: 1...3, using: &dice))
    var problem = ClairvoyantProblem(
      deadlines: instants(deadlines.map(Double.init)), latencies: .same(.seconds(latency)))
    problem.slots = slots

    let tardiness = try problem.schedule().tardiness

    func least(_ fetched: Int, _ rest: [Int]) -> Int {
      if rest.isEmpty { return 0 }
      let arrival = (fetched / slots + 1) * latency
      return rest.indices.map { choice in
        var others = rest
        let deadline = others.remove(at: choice)
        return max(0, arrival - deadline) + least(fetched + 1, others)
      }.min()!
    }
    #expect(tardiness == .seconds(least(0, deadlines)), "seed \(seed)")
  }
}
