import Paging
import Testing

/// The number of requests in flight that the gate finds out, against hosts in virtual time.
@Suite struct AutomaticWidthTests {
  private typealias Nature = SimulatedHost.Nature

  /// Hosts of all kinds; whatever they do, each call is answered once.
  private static let hosts: [(name: String, nature: SimulatedHost.Nature)] = [
    ("quick", Nature(latency: .microseconds(100))), ("far", Nature(latency: .milliseconds(200))),
    ("of varying latency", Nature(jitter: .milliseconds(300))), ("with a worker", Nature(workers: 1)),
    ("that takes one", Nature(mostAtOnce: 1)), ("that takes five", Nature(mostAtOnce: 5)),
    ("that takes forty", Nature(mostAtOnce: 40)), ("with a rate", Nature(perSecond: 20)),
    ("with a low rate", Nature(perSecond: 1)), ("that drops every second", Nature(dropsEvery: 2)),
    ("that drops some", Nature(dropsEvery: 17)),
    ("that drops and limits", Nature(workers: 3, mostAtOnce: 6, perSecond: 50, dropsEvery: 11)),
    ("asked one by one", Nature(oneByOne: true)),
  ]

  @Test(arguments: 0..<hosts.count, 1...3)
  func `each call is answered once, by any host, and no more than the ceiling are in flight`(
    place: Int, seed: Int
  ) {
    let host = Self.hosts[place]

    let outcome = SimulatedHost.read(200, from: host.nature, seed: UInt64(seed))

    #expect(outcome.answers.count == 200, "\(host.name)")
    #expect(outcome.answers.values.allSatisfy { $0 == 1 } && outcome.failures == 0, "\(host.name)")
    #expect(outcome.company.max() ?? 0 <= AutomaticWidth.ceiling, "\(host.name)")
  }

  @Test func `a host that answers everything alike is soon asked for as much as may be`() {
    let automatic = SimulatedHost.read(1000, from: Nature())
    let fixed = SimulatedHost.read(1000, from: Nature(), width: .pages(32))

    #expect(automatic.most(inLast: 0.1) == 32)
    #expect(automatic.seconds < 1.15 * fixed.seconds)
    #expect(automatic.requests == 1000)
  }

  @Test(arguments: 1...5) func `a latency that varies by itself is no queue`(seed: Int) {
    let nature = Nature(jitter: .milliseconds(100))

    let automatic = SimulatedHost.read(1000, from: nature, seed: UInt64(seed))
    let fixed = SimulatedHost.read(1000, from: nature, width: .pages(32), seed: UInt64(seed))

    #expect(automatic.seconds < 1.3 * fixed.seconds)
  }

  @Test func `it begins as sources did before, and doubles in a round trip`() {
    let company = SimulatedHost.read(100, from: Nature()).company

    #expect(company.prefix(5) == [1, 1, 2, 3, 4])
    #expect(company.prefix(1 + 4).max() == 4 && company.prefix(1 + 4 + 8).max()! <= 8)
    #expect(company.prefix(1 + 4 + 8 + 16).max()! <= 16)
  }

  @Test(arguments: [1, 2, 4, 8], 1...3)
  func `a host with few workers is asked for little more than they do at a time`(workers: Int, seed: Int) {
    let nature = Nature(jitter: .milliseconds(5), workers: workers)

    let automatic = SimulatedHost.read(1500, from: nature, seed: UInt64(seed))
    let fixed = SimulatedHost.read(1500, from: nature, width: .pages(32), seed: UInt64(seed))

    #expect(automatic.most(inLast: 0.5) <= max(10, 3 * workers))
    #expect(automatic.seconds < 1.1 * fixed.seconds)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 31])
  func `a limit of requests at once is found in a few refusals, and kept to`(limit: Int) {
    let outcome = SimulatedHost.read(1000, from: Nature(mostAtOnce: limit))

    #expect(outcome.most(inLast: 0.5) == limit)
    #expect(outcome.refused <= 2 * AutomaticWidth.ceiling)
    // What it would take to read everything at the limit, and two waits of a second and a slow way up.
    #expect(outcome.seconds < 1.2 * 1000 / Double(limit) * 0.02 + 3.5)
  }

  @Test func `a limit is tried again after a while, in case it is gone`() {
    let outcome = SimulatedHost.read(20_000, from: Nature(mostAtOnce: 8))

    let refusals = outcome.refused
    #expect(refusals > 3)
    #expect(refusals < 40)
    #expect(outcome.seconds < 1.2 * 20_000 / 8 * 0.02)
  }

  @Test(arguments: [1, 20, 30])
  func `a rate is made use of, by bursts that wait as they are asked to`(latency: Int) {
    let nature = Nature(latency: .milliseconds(latency), perSecond: 20)

    let outcome = SimulatedHost.read(400, from: nature)

    #expect(outcome.seconds < 1.15 * (400 - 20) / 20)
    #expect(outcome.refused < 400 / 3)
    #expect(outcome.company.suffix(100).max()! >= 4)
  }

  @Test(arguments: [10, 20, 50])
  func `connections that are dropped now and then leave what sources had before`(every: Int) {
    let nature = Nature(dropsEvery: every)

    let automatic = SimulatedHost.read(1000, from: nature)
    let usual = SimulatedHost.read(1000, from: nature, width: .pages(4))

    #expect(automatic.seconds < 1.1 * usual.seconds)
    #expect(automatic.requests <= 1 + 1000 * every / (every - 1))
  }

  @Test func `requests that come one by one widen nothing`() {
    var width = AutomaticWidth()
    for turn in 0..<1000 {
      let attempt = width.begin(at: .zero + .milliseconds(turn * 20))
      width.end(attempt, .answered, at: .zero + .milliseconds(turn * 20 + 19))
    }

    #expect(width.limit == AutomaticWidth.first)
  }

  @Test func `what was sent before is refused together, and halves it once`() {
    var width = AutomaticWidth()
    let burst = (0..<4).map { _ in width.begin(at: .zero) }

    for attempt in burst { width.end(attempt, .refused(wait: .seconds(1)), at: .zero + .milliseconds(10)) }
    #expect(width.limit == 2)

    let next = width.begin(at: .zero + .seconds(1))
    width.end(next, .refused(wait: nil), at: .zero + .seconds(2))
    #expect(width.limit == 1)
    let last = width.begin(at: .zero + .seconds(3))
    width.end(last, .refused(wait: nil), at: .zero + .seconds(4))
    #expect(width.limit == 1 && width.hasRoom && width.inFlight == 0)
  }

  @Test func `what was withdrawn tells nothing, and takes up no room`() {
    var width = AutomaticWidth()

    for turn in 0..<100 {
      let attempts = (0..<4).map { _ in width.begin(at: .zero + .seconds(turn)) }
      #expect(!width.hasRoom)
      for attempt in attempts { width.end(attempt, .withdrawn, at: .zero + .seconds(turn + 1)) }
    }

    #expect(width.limit == AutomaticWidth.first && width.inFlight == 0)
  }
}
