import Experiments
import Paging
import Simulation
import Testing

@Suite struct ClairvoyantMistakeTests {
  private func problem(_ change: (inout ClairvoyantProblem) -> Void) -> ClairvoyantProblem {
    var problem = ClairvoyantProblem(deadlines: instants([0, 2]), latencies: .same(.seconds(1)))
    change(&problem)
    return problem
  }

  @Test func `numbers that make no sense are named`() {
    let mistakes: [(String, (inout ClairvoyantProblem) -> Void)] = [
      ("slots", { $0.slots = 0 }), ("memory", { $0.memory = 0 }),
      ("deadlines", { $0.deadlines = instants([2, 1]) }), ("deadlines", { $0.deadlines = instants([-1]) }),
      ("latency", { $0.latencies = .same(.seconds(-1)) }), ("latency", { $0.latencies = .each([.zero]) }),
      ("transfer", { $0.transfers = .each([.zero, .seconds(-1)]) }),
      ("deadlines", { $0.latencies = .same(.seconds(Int64.max)) }),
      ("deadlines", { $0.latencies = .nanoseconds([.max, .max]) }),
      ("deadlines", { $0.deadlines = [.zero, Instant(nanoseconds: .max)] }),
    ]

    for (option, change) in mistakes {
      #expect { try problem(change).schedule() } throws: {
        ($0 as? InvalidConfiguration)?.option == option
      }
    }
  }

  @Test func `the longest session that is allowed adds up`() throws {
    let schedule = try problem {
      $0.deadlines = [.zero, Instant(nanoseconds: .max / 8)]
      $0.latencies = .nanoseconds([.max / 32, .max / 32])
      $0.transfers = .nanoseconds([.max / 32, .max / 32])
      $0.memory = 1
    }.schedule()

    #expect(schedule.stall > .zero)
  }

  @Test func `nothing to read is no wait`() throws {
    let schedule = try problem { $0.deadlines = [] }.schedule()

    #expect(schedule.arrivals == [])
    #expect(schedule.stall == .zero)
    #expect(schedule.postponed() == schedule)
  }

  @Test func `more slots and more memory than pages change nothing`() throws {
    let wide = try problem {
      $0.slots = .max; $0.memory = .max
    }.schedule()

    #expect(wide.arrivals == instants([1, 1]))
  }
}
