import Paging
import Simulation
import Testing

/// A link that is shared fairly, the cache in front of it, and the energy of the radio.
@Suite struct SharedLinkTests {
  private struct Transfer {
    let at: Double
    let bytes: Double
    var cancelledAt = Double.infinity
  }

  private func session(_ text: String) throws -> NetworkSession {
    NetworkSession(try Network(try WorldText(text)), seed: 1, session: 0, isFair: true)
  }

  /// When each transfer is through, in seconds; nil for cancelled ones.
  private func ends(_ transfers: [Transfer], _ text: String) throws -> [Double?] {
    var session = try session(text)
    var ends: [Double?] = Array(repeating: nil, count: transfers.count)
    var numbers: [Int: Int] = [:]
    var events = transfers.indices.map { (time: transfers[$0].at, transfer: $0, isStart: true) }
    events += transfers.indices.map { (time: transfers[$0].cancelledAt, transfer: $0, isStart: false) }
    events.removeAll { !$0.time.isFinite }
    func land(until end: Double) {
      while let next = session.nextTime, next.seconds <= end {
        for number in session.landed(by: next) { ends[numbers[number] ?? -1] = next.seconds }
      }
    }
    for event in events.sorted(by: { $0.time < $1.time }) {
      land(until: event.time)
      let now = Instant(nanoseconds: Int64(event.time * 1e9))
      if event.isStart {
        let sending = session.send(
          page: event.transfer, attempt: 1, at: now, bytes: transfers[event.transfer].bytes)
        if case .underway(let number) = sending { numbers[number] = event.transfer }
      } else if let number = numbers.first(where: { $0.value == event.transfer })?.key,
        ends[event.transfer] == nil
      {
        session.cancel(number, at: now)
      }
    }
    land(until: 1e9)
    return ends
  }

  private func equal(_ ends: [Double?], _ expected: [Double?]) -> Bool {
    zip(ends, expected).allSatisfy { end, expected in
      end == nil && expected == nil || abs((end ?? -1) - (expected ?? -2)) < 1e-6
    }
  }

  /// Starts, bytes, and the seconds at which they are through at 100 bytes a second.
  private static let shared: [[[Double]]] = [
    [[0, 0], [100, 100], [2, 2]], [[0, 0.5], [100, 100], [1.5, 2]],
    [[0, 0, 0], [100, 300, 100], [3, 5, 3]], [[0, 5], [100, 50], [1, 5.5]], [[0, 0], [0, 100], [0, 1]],
    [[0, 1, 1.1], [200, 20, 20], [2.4, 1.55, 1.65]],
  ]

  @Test(arguments: shared)
  func `responses share the bandwidth equally`(_ given: [[Double]]) throws {
    let expected: [Double?] = given[2]
    let ends = try ends(zip(given[0], given[1]).map { Transfer(at: $0, bytes: $1) }, "fixed:0,bandwidth=100")

    #expect(equal(ends, expected), "\(ends)")
  }

  @Test func `a response begins when its latency is over, and one that is cancelled makes room`() throws {
    let late = try ends(
      [Transfer(at: 0, bytes: 100), Transfer(at: 0, bytes: 100)], "fixed:0.5,bandwidth=100")
    let cancelled = try ends(
      [Transfer(at: 0, bytes: 100), Transfer(at: 0, bytes: 100, cancelledAt: 1)], "fixed:0,bandwidth=100")

    #expect(equal(late, [2.5, 2.5]), "\(late)")
    #expect(equal(cancelled, [1.5, nil]), "\(cancelled)")
  }

  /// Small steps of time, each shared by what is on the link: slow, and written without any thought of the other.
  private func stepped(_ transfers: [Transfer], rate: Double) -> [Double?] {
    let step = 1e-4
    var left = transfers.map(\.bytes)
    var ends: [Double?] = Array(repeating: nil, count: transfers.count)
    var time = 0.0
    while time < 40 {
      let active = transfers.indices.filter {
        transfers[$0].at <= time && ends[$0] == nil && transfers[$0].cancelledAt > time
      }
      for transfer in active {
        left[transfer] -= rate * step / Double(active.count)
        if left[transfer] <= 0 { ends[transfer] = time + step }
      }
      time += step
    }
    return ends
  }

  @Test(arguments: 0..<12) func `any transfers end as in small steps`(_ seed: Int) throws {
    var dice = RandomStream(seed: UInt64(seed), "transfers")
    let transfers = (0..<8).map { _ -> Transfer in
      let at = Double.random(in: 0...5, using: &dice)
      let gone = Int.random(in: 0...3, using: &dice) == 0
      return Transfer(
        at: at, bytes: Double.random(in: 1...200, using: &dice),
        cancelledAt: gone ? at + Double.random(in: 0...4, using: &dice) : .infinity)
    }

    let exact = try ends(transfers, "fixed:0,bandwidth=100")
    for (end, near) in zip(exact, stepped(transfers, rate: 100)) {
      #expect((end == nil) == (near == nil), "\(transfers)")
      #expect(abs((end ?? 0) - (near ?? 0)) < 5e-3, "\(transfers)")
    }
  }

  @Test func `what the link has carried is counted, also of a response that nobody wanted to its end`() throws
  {
    var session = try session("fixed:0,bandwidth=100")
    guard case .underway(let number) = session.send(page: 0, attempt: 1, at: .zero, bytes: 300) else {
      Issue.record("expected a response on the link")
      return
    }
    _ = session.send(page: 1, attempt: 1, at: .zero, bytes: 50)
    #expect(session.landed(by: .zero + .seconds(1)).count == 1)
    session.cancel(number, at: .zero + .seconds(2))

    // The first half second of each, and one second alone.
    #expect(abs(session.bytes - 200) < 1e-6)
  }

  @Test func `a cache keeps what was fetched, and has a part from before`() throws {
    var cold = try session("fixed:1,cache=0,cacheLatency=0.01")
    func latency(_ page: Int, at seconds: Int) -> Double {
      let now = Instant.zero + .seconds(seconds)
      guard case .ends(let outcome) = cold.send(page: page, attempt: 1, at: now, bytes: 10) else { return -1 }
      return (outcome.at - now).inSeconds
    }
    #expect([latency(0, at: 0), latency(0, at: 0), latency(0, at: 2)] == [1, 1, 0.01])
    // What nobody wanted any more has not come.
    #expect(latency(1, at: 2) == 1)
    cold.cancel(page: 1, at: .zero + .seconds(2))
    #expect(latency(1, at: 4) == 1)
    #expect(latency(1, at: 6) == 0.01)

    var warm = try session("fixed:1,cache=0.3")
    let hits = (0..<4000).count { page in
      guard case .ends(let outcome) = warm.send(page: page, attempt: 1, at: .zero, bytes: 10) else {
        return false
      }
      return outcome.isCached
    }
    #expect(abs(Double(hits) / 4000 - 0.3) < 0.03)
  }

  /// Starts of requests of one second; promotions, seconds of work and seconds awake after it.
  private static let uses: [([Double], [Double])] = [
    ([0], [1, 1, 11.576]),
    // The second request comes within the tail of the first, which lasts from 1 to 5 s.
    ([0, 5], [1, 2, 4 + 11.576]),
    // The second comes when the radio is idle again.
    ([0, 30], [2, 2, 2 * 11.576]),
    // Two at once are one time of work.
    ([0, 0.5], [1, 1.5, 11.576]),
  ]

  @Test(arguments: uses)
  func `the radio is promoted, works, and stays awake for a while`(_ starts: [Double], _ parts: [Double])
    throws
  {
    var session = try session("fixed:1")
    // By the numbers of the LTE model.
    let joules = parts[0] * 1.2107 * 0.2601 + parts[1] * 1.28804 + parts[2] * 1.06
    var events: [(at: Double, isStart: Bool)] = []
    for start in starts { events += [(start, true), (start + 1, false)] }
    events.sort { $0.at < $1.at }
    for event in events {
      let now = Instant(nanoseconds: Int64(event.at * 1e9))
      if event.isStart {
        _ = session.send(page: 0, attempt: 1, at: now, bytes: 0)
      } else {
        session.ended(at: now, bytes: 0)
      }
    }
    #expect(abs(session.joules(at: .zero + .seconds(100)) - joules) < 1e-4)
  }
}
