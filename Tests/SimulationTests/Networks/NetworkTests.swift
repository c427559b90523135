import Paging
import Simulation
import Testing

@Suite struct NetworkTests {
  private func network(_ text: String, _ contents: String? = nil) throws -> Network {
    try Network(try WorldText(text), contents: contents)
  }

  /// Requests at times in seconds, of so many bytes; when their answers come.
  private func arrivals(_ network: Network, _ requests: [(at: Double, bytes: Double)]) -> [Double] {
    var session = NetworkSession(network, seed: 1, session: 0)
    return requests.enumerated().map { page, request in
      let at = Instant(nanoseconds: Int64(request.at * 1e9))
      return session.outcome(page: page, attempt: 1, at: at, bytes: request.bytes).at.seconds
    }
  }

  @Test func `every policy meets the same latencies`() throws {
    let network = Network.reference
    var eager = NetworkSession(network, seed: 9, session: 4)
    var lazy = NetworkSession(network, seed: 9, session: 4)

    let forwards = (0..<50).map { eager.outcome(page: $0, attempt: 1, at: .zero, items: 20).at - .zero }
    let backwards = (0..<50).reversed().map { page in
      let start = Instant.zero + .seconds(50 - page)
      return lazy.outcome(page: page, attempt: 1, at: start, items: 7).at - start
    }

    #expect(forwards == backwards.reversed())
    #expect(forwards[3] == network.latency(seed: 9, session: 4, page: 3, attempt: 1))
    #expect(Set(forwards).count == 50)
    #expect(
      network.latency(seed: 9, session: 4, page: 3, attempt: 1)
        != network.latency(seed: 9, session: 4, page: 3, attempt: 2))
  }

  /// lab.md 2.5: on demand every page costs its latency, 5.65 s in the mean of a session, give or take 0.73.
  @Test func `fetching on demand stalls as long as in the reference lab`() throws {
    let workload = try Workload(.fling)

    let stalls = (0..<200).map { session in
      let path = workload.path(seed: 1, session: session)
      let pages = Set(path.steps.flatMap { $0.visible ?? 0...0 }.map { $0 / 20 })
      return pages.reduce(0.0) { sum, page in
        sum + Network.reference.latency(seed: 1, session: session, page: page, attempt: 1).inSeconds
      }
    }
    let mean = stalls.reduce(0, +) / 200

    // The difference of two means whose intervals are 0.73 wide each.
    #expect(abs(mean - 5.65) < 1.04)
  }

  @Test func `answers share the bandwidth one after another`() throws {
    let link = try network("fixed:0.5,bandwidth=1000")

    #expect(arrivals(link, [(0, 1000), (0, 1000), (0, 500)]) == [1.5, 2.5, 3])
    #expect(arrivals(link, [(0, 1000), (4, 1000)]) == [1.5, 5.5])
    #expect(arrivals(link, [(0, 0), (0, 100)]) == [0.5, 0.6])
  }

  @Test func `an answer that is slow to begin blocks nobody`() throws {
    // The first page's latency is 9 s at the time of its request, that of the others is 0.
    let log = """
      [{"duration_ms": 1, "bandwidth_kbps": 8, "latency_ms": 9000},
       {"duration_ms": 1000000, "bandwidth_kbps": 8, "latency_ms": 0}]
      """
    var slow = try network("sabre:f", log)
    slow.latency = .drawn(.empirical(try Sample([0, 9])))
    let latencies = (0..<3).map { slow.latency(seed: 1, session: 0, page: $0, attempt: 1).inSeconds }
    slow.bandwidth = .constant(1000)

    let ends = arrivals(slow, [(0, 4000), (0, 4000), (0, 4000)])

    // Work is conserved: whatever the order, the link is never idle while an answer waits.
    let first = try #require(latencies.min())
    #expect(ends.allSatisfy { $0 >= first + 4 })
    #expect(ends[0] == latencies[0] + 4)
    #expect(try #require(ends.max()) <= (latencies.max() ?? 0) + 12)
    #expect(Set(ends).count == 3)
  }

  @Test func `a log of conditions is begun again at its end`() throws {
    let log = """
      [{"duration_ms": 1000, "bandwidth_kbps": 8, "latency_ms": 100},
       {"duration_ms": 1000, "bandwidth_kbps": 0, "latency_ms": 300}]
      """
    let network = try network("sabre:f", log)

    let latencies = Set(
      (0..<400).map { network.latency(seed: 1, session: $0, page: 0, attempt: 1).inSeconds })
    let ends = arrivals(network, [(0, 10_000)])

    #expect(latencies == [0.1, 0.3])
    // 1000 bytes in every two seconds; the session begins anywhere in the log.
    #expect(18.5...21.5 ~= ends[0])
  }

  @Test func `packets leave at their moments`() throws {
    let network = try network("mahimahi:f", "100\n200\n1000\n")

    let ends = arrivals(network, [(0, 1), (0, 1500), (0, 1501)])

    // Three packets per second; the session begins anywhere in the second.
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
    #expect(ends[2] - ends[0] <= 1.1)
    #expect(ends[0] <= 0.8)
  }

  @Test func `a lost request is given up, a failing server answers`() throws {
    var lost = NetworkSession(try network("fixed:0.2,loss=1,timeout=3"), seed: 1, session: 0)
    var failing = NetworkSession(try network("fixed:0.2,errors=1"), seed: 1, session: 0)

    let timeout = lost.outcome(page: 0, attempt: 1, at: .zero + .seconds(1), items: 20)
    let error = failing.outcome(page: 0, attempt: 1, at: .zero, items: 20)

    #expect(timeout.at.seconds == 4)
    #expect(timeout.failure?.code == "timeout")
    #expect(timeout.failure?.isTransient == true)
    #expect(error.at.seconds == 0.2)
    #expect(error.failure?.code == "http")
    #expect(error.failure?.isTransient == true)
  }

  @Test func `losses and errors are as frequent as they say`() throws {
    var session = NetworkSession(try network("fixed:0.2,loss=0.1,errors=0.2"), seed: 1, session: 0)

    let codes = (0..<20_000).map { session.outcome(page: $0, attempt: 1, at: .zero, items: 1).failure?.code }

    #expect(abs(Double(codes.count { $0 == "timeout" }) / 20_000 - 0.1) < 0.01)
    #expect(abs(Double(codes.count { $0 == "http" }) / 20_000 - 0.18) < 0.012)
  }

  @Test func `a server refuses more than its rate and says when to come back`() throws {
    var session = NetworkSession(try network("fixed:0.1,rate=2/5"), seed: 1, session: 0)
    func ask(_ second: Int) -> NetworkOutcome {
      session.outcome(page: second, attempt: 1, at: .zero + .seconds(second), items: 20)
    }

    let outcomes = [0, 1, 2, 3, 5, 6, 7].map(ask)

    #expect(outcomes.map { $0.failure == nil } == [true, true, false, false, true, true, false])
    #expect(outcomes.map { $0.failure?.retryAfter?.inSeconds } == [nil, nil, 3, 2, nil, nil, 3])
    #expect(outcomes[2].at.seconds == 2.1)
  }

  @Test(arguments: [
    ("sabre:f", "{}"),
    ("sabre:f", "[]"),
    ("sabre:f", "[{\"duration_ms\": 5}]"),
    ("mahimahi:f", ""),
    ("mahimahi:f", "0\n0"),
    ("mahimahi:f", "5\n4"),
    ("mahimahi:f", "x"),
    ("measured:f", "1\nx"),
    ("measured:f", "[1, \"x\"]"),
    ("measured:f", "[1, 2"),
    ("sabre:f", "[{\"duration_ms\": 5, \"bandwidth_kbps\": 0, \"latency_ms\": 1}]"),
  ])
  func `a file that is no measurement is refused`(text: String, contents: String) {
    #expect(throws: TraceTextError.self) { try network(text, contents) }
  }

  @Test(arguments: ["lognormal:0.35,0.5,loss=0.3,errors=0.3,timeout=2", "exponential:1", "fixed:1,loss=1"])
  func `no retrying at once beats the least time`(text: String) throws {
    let network = try network(text)
    for page in 0..<200 {
      var session = NetworkSession(network, seed: 1, session: 2)
      var now = Instant.zero
      for attempt in 1...100 {
        let outcome = session.outcome(page: page, attempt: attempt, at: now, items: 20)
        now = outcome.at
        if outcome.failure == nil { break }
      }

      let least = network.leastTime(seed: 1, session: 2, page: page)
      // Each attempt is rounded up to a nanosecond.
      #expect(Duration.zero...Duration.nanoseconds(100) ~= now - .zero - least)
    }
  }
}
