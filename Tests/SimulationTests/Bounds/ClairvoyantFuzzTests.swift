import Experiments
import Paging
import Simulation
import Testing

@Suite struct ClairvoyantFuzzTests {
  @Test(arguments: 0..<60)
  func `equal pages are scheduled as well as every start time allows`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let solver = StartTimes(using: &dice, isEven: true, hasTransfers: true, mayBeCapped: true)

    let schedule = try solver.problem.schedule()

    #expect(schedule.stall == .seconds(solver.solve().stall), "seed \(seed): \(solver)")
    #expect(schedule.isExact)
  }

  @Test(arguments: 0..<60)
  func `the truth for unequal pages is between the bounds`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let solver = StartTimes(
      using: &dice, isEven: false, hasTransfers: Bool.random(using: &dice),
      mayBeCapped: Bool.random(using: &dice))

    let schedule = try solver.problem.schedule()
    let truth = Duration.seconds(solver.solve().stall)

    #expect(schedule.leastStall <= truth, "seed \(seed): \(solver)")
    #expect(truth <= schedule.stall, "seed \(seed): \(solver)")
    let isInOrder = solver.usesCursors || solver.memory == 1 || (solver.slots == 1 && solver.memory == 9)
    if isInOrder { #expect(schedule.isExact, "seed \(seed): \(solver)") }
  }

  @Test(arguments: 0..<40)
  func `no schedule of that wait has a later page`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    var solver = StartTimes(using: &dice, isEven: true, hasTransfers: true, mayBeCapped: true)
    solver.mayOvertake = false

    let schedule = try solver.problem.schedule().postponed()

    let latest = solver.solve().latest
    #expect(schedule.arrivals.map(\.seconds) == latest.map(Double.init), "seed \(seed): \(solver)")
  }

  @Test func `with little memory an unequal page pays out of order`() throws {
    var problem = ClairvoyantProblem(
      deadlines: instants([0, 2, 5, 5]), latencies: .each([2, 4, 2, 4].map { .seconds($0) }))
    problem.memory = 2

    let schedule = try problem.schedule()

    #expect(schedule.stall == .seconds(8))
    #expect(schedule.leastStall == .seconds(7))
    #expect(!schedule.isExact)
  }

  @Test(arguments: 0..<50)
  func `one latency has the closed form, and the stalls add up`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let latency = Int64.random(in: 1...2_000_000_000, using: &dice)
    let slots = Int.random(in: 1...9, using: &dice)
    let deadlines = (0..<500).map { _ in Int64.random(in: 0...100_000_000_000, using: &dice) }.sorted()
    var problem = ClairvoyantProblem(
      deadlines: deadlines.map(Instant.init(nanoseconds:)), latencies: .same(.nanoseconds(latency)))
    problem.slots = slots

    let schedule = try problem.schedule()
    problem.latencies = .nanoseconds(deadlines.map { _ in latency })
    let spelledOut = try problem.schedule()

    let closed = deadlines.indices.map { Int64($0 / slots + 1) * latency - deadlines[$0] }.max()!
    #expect(schedule.stall == .nanoseconds(max(0, closed)), "seed \(seed)")
    #expect(schedule.stalls.reduce(.zero, +) == schedule.stall)
    #expect(spelledOut.arrivals == schedule.arrivals)
    #expect(schedule.stalls.reduce(.zero, +) == schedule.postponed().stalls.reduce(.zero, +))
  }

  @Test(arguments: 0..<40)
  func `the waits of a reader who really waits are the lateness of the latest page`(_ seed: UInt64) {
    var dice = RandomStream(seed: seed)
    let deadlines = (0..<30).map { _ in Int64.random(in: 0...1000, using: &dice) }.sorted()
    let arrivals = deadlines.map { _ in Int64.random(in: 0...1200, using: &dice) }
    var (now, last, waited) = (Int64(0), Int64(0), Int64(0))

    for (arrival, deadline) in zip(arrivals, deadlines) {
      now += deadline - last
      last = deadline
      waited += max(0, arrival - now)
      now = max(now, arrival)
    }

    let stall = ClairvoyantSchedule.stall(
      arrivals: arrivals.map(Instant.init(nanoseconds:)), deadlines: deadlines.map(Instant.init(nanoseconds:))
    )
    #expect(stall == .nanoseconds(waited), "seed \(seed)")
  }
}
