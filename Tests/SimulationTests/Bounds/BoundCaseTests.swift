import Paging
import Simulation
import Testing

@Suite struct BoundCaseTests {
  @Test(arguments: BoundCase.all("closed", "capped"))
  func `a waiting reader's schedule is the specification's`(_ example: BoundCase) throws {
    let schedule = try example.problem.schedule()

    #expect(schedule.stall.inSeconds == example.expect.stall)
    #expect(schedule.stalls.map(\.inSeconds) == example.expect.stalls)
    #expect(schedule.arrivals == instants(example.expect.arrivals!))
    #expect(schedule.isExact)
  }

  @Test(arguments: BoundCase.all("open"))
  func `a reader who does not wait sees the least lateness`(_ example: BoundCase) throws {
    let schedule = try example.problem.schedule()

    #expect(schedule.tardiness.inSeconds == example.expect.tardiness)
    #expect(schedule.arrivals == instants(example.expect.arrivals!))
  }

  @Test(arguments: BoundCase.all("skip"))
  func `as many pages as can be are there in time`(_ example: BoundCase) {
    let reader = PassingReader(
      departures: instants(example.args.windows!.map { $0[1] }), latency: .seconds(example.args.L!.first),
      slots: example.args.C!)

    let pages = reader.pagesInTime

    guard case .count(let expected) = example.expect.pages else { Issue.record("no count"); return }
    #expect(pages.count == expected)
  }

  @Test(arguments: BoundCase.all("batches"))
  func `the front of requests and stall is exact`(_ example: BoundCase) {
    let fetching = BatchFront.Fetching(
      latency: .seconds(example.args.L!.first), perItem: .seconds(example.args.per_item!),
      largest: example.args.cap)
    var costs = SessionCosts()
    costs.request = 5

    let front = BatchFront(deadlines: instants(example.args.d!), fetching)
    let best = front.best(costs)

    #expect(
      front.points.map { [Double($0.requests), $0.stall.inSeconds] } == example.expect.front?.points)
    #expect(
      best.map { [$0.cost, Double($0.point.requests), $0.point.stall.inSeconds] }
        == example.expect.best_cost_1_5)
  }

  @Test(arguments: BoundCase.all("threshold"))
  func `keeping pages ahead has the stall of its formula`(_ example: BoundCase) throws {
    let policy = PagesAhead(
      ahead: example.args.k!, reading: .seconds(example.args.T!), latency: .seconds(example.args.L!.first))
    let pages = example.args.pages!
    let deadlines = instants((0..<pages).map { Double($0) * example.args.T! })
    var problem = ClairvoyantProblem(deadlines: deadlines, latencies: example.args.L!.times)
    problem.slots = pages

    let optimum = try problem.schedule().stall

    #expect(policy.stall(over: pages).inSeconds == example.expect.stall)
    #expect(policy.regret(over: pages).inSeconds == example.expect.regret)
    #expect(optimum.inSeconds == example.expect.optimum)
  }

  @Test(arguments: BoundCase.all("cached"))
  func `the way back through a small memory has its known waits`(_ example: BoundCase) throws {
    let letters = { (text: String) in text.utf8.map { Int($0) } }
    let reader = try Revisits(
      references: letters(example.args.refs!), reading: .same(.seconds(1)),
      fetch: .seconds(example.args.L!.first), memory: example.args.M!,
      held: Set(letters(example.args.initial!)))
    let elapsed = example.expect.elapsed_ratio_aggressive!

    #expect(reader.leastStall()?.inSeconds == example.expect.optimal_stall)
    #expect(reader.aggressiveStall().inSeconds == example.expect.aggressive)
    #expect(reader.conservativeStall().inSeconds == example.expect.conservative)
    #expect((reader.readingTime + reader.aggressiveStall()).inSeconds == elapsed[0])
    #expect(try (reader.readingTime + #require(reader.leastStall())).inSeconds == elapsed[1])
  }

  @Test(arguments: BoundCase.all("deadlines"))
  func `a jump skips pages, and the way back adds none`(_ example: BoundCase) {
    var needs = PageNeeds(pageSize: example.args.page_size!)

    for need in example.args.needs! {
      needs.see(Int(need[1])..<Int(need[2]) + 1, at: instants([need[0]])[0])
    }

    guard case .pairs(let expected) = example.expect.pages else { Issue.record("no pairs"); return }
    #expect(needs.needs.map { [Double($0.page), $0.deadline.seconds] } == expected)
  }

  @Test(arguments: BoundCase.all("memory"))
  func `less memory costs what the front says`(_ example: BoundCase) throws {
    let front = try MemoryFront(example.problem)

    #expect(front.points.map { [Double($0.pages), $0.stall.inSeconds] } == example.expect.front?.points)
    #expect(front.isExact)
  }

  @Test(arguments: BoundCase.all("latest"))
  func `pages just in time cost no more`(_ example: BoundCase) throws {
    let schedule = try example.problem.schedule().postponed()

    #expect(schedule.arrivals == instants(example.expect.arrivals!))
    #expect(schedule.stalls.map(\.inSeconds) == example.expect.stalls)
  }

  @Test func `every kind of vector is tried`() {
    let kinds = [
      "closed", "capped", "open", "skip", "batches", "threshold", "cached", "deadlines", "memory", "latest",
    ]

    #expect(kinds.map { BoundCase.all($0).count }.reduce(0, +) == BoundCase.count)
    #expect(kinds.allSatisfy { !BoundCase.all($0).isEmpty })
  }
}
