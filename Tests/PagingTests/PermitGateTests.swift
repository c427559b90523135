import Paging
import Testing

/// Requests that wait for permits which many programs share.
@Suite struct PermitGateTests {
  private let rate = RateLimit(requests: 10, per: .seconds(1))
  private let host = "a.example"

  private func at(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }
  private func id(_ number: Int) -> HostCallID { HostCallID(number: number) }

  private func submit(
    _ gate: inout PermitGate, _ number: Int, rate: RateLimit?, at time: Int
  ) -> [PermitGate.Effect] {
    gate.submit(id(number), HTTPRequest(url: "http://a.example/\(number)"), rate: rate, at: at(time))
  }

  private func news(_ want: Int, _ used: Int, _ unused: Int) -> PermitGate.Effect {
    .tell(PermitNews(host: host, want: want, used: used, unused: unused, rate: rate))
  }

  @Test func `nothing is sent without a permit, and what is wanted is told`() {
    var gate = PermitGate()

    let first = submit(&gate, 1, rate: rate, at: 0)
    let second = submit(&gate, 2, rate: rate, at: 1)
    let later = gate.woke(at: at(21))

    #expect(first == [news(1, 0, 0)])
    #expect(second == [])
    #expect(gate.nextWake == nil)
    #expect(later == [news(2, 0, 0)])
  }

  @Test func `a permit sends one request, and is told as used`() {
    var gate = PermitGate()
    for number in 1...3 { _ = submit(&gate, number, rate: rate, at: 0) }

    let granted = gate.grant(2, to: host, until: at(500), at: at(30))

    #expect(granted == [.send(id(1)), .send(id(2)), news(1, 2, 0)])
  }

  @Test func `a permit that has lapsed sends nothing, and is told as unused`() {
    var gate = PermitGate()
    _ = gate.grant(3, to: host, until: at(500), at: at(0))

    let late = submit(&gate, 1, rate: rate, at: 500)

    let void = gate.grant(1, to: host, until: at(400), at: at(600))

    #expect(late == [news(1, 0, 3)])
    #expect(void == [news(1, 0, 1)])
  }

  @Test func `permits that nobody needs are given back when they lapse`() {
    var gate = PermitGate()
    _ = submit(&gate, 1, rate: rate, at: 0)
    _ = gate.grant(4, to: host, until: at(300), at: at(10))
    let used = gate.woke(at: at(30))

    let wake = gate.nextWake
    let lapsed = gate.woke(at: at(300))

    #expect(used == [news(0, 1, 0)])
    #expect(wake == at(300))
    #expect(lapsed == [news(0, 0, 3)])
    #expect(gate.nextWake == nil)
  }

  @Test func `a pause holds every request, with a permit or without a rate`() {
    var gate = PermitGate()
    _ = gate.grant(1, to: host, until: at(5000), at: at(0))
    _ = gate.pause(host, until: at(1000), at: at(0))

    let early = submit(&gate, 1, rate: rate, at: 10) + submit(&gate, 2, rate: rate, at: 20)
    _ = gate.woke(at: at(40))
    let wake = gate.nextWake
    let before = gate.woke(at: at(999))
    let after = gate.woke(at: at(1000))

    #expect(!early.contains(.send(id(1))) && !early.contains(.send(id(2))))
    #expect(wake == at(1000))
    #expect(before == [])
    #expect(after.contains(.send(id(1))))
  }

  @Test func `a host without a rate needs no permits`() {
    var gate = PermitGate()

    let sent = submit(&gate, 1, rate: nil, at: 0)
    let later = gate.woke(at: at(100))

    #expect(sent == [.send(id(1))])
    #expect(later == [])
  }

  @Test func `who no longer wants to be sent takes no permit`() {
    var gate = PermitGate()
    _ = submit(&gate, 1, rate: rate, at: 0)
    _ = submit(&gate, 2, rate: rate, at: 0)

    let (first, second) = (gate.cancel(id(1)), gate.cancel(id(1)))
    let granted = gate.grant(1, to: host, until: at(500), at: at(30))

    #expect(first && !second)
    #expect(granted.first == .send(id(2)))
  }

  @Test func `no second holds more requests than permits were given for it, whatever comes when`() {
    for seed in 0..<200 as Range<UInt64> {
      var (gate, random) = (PermitGate(), RandomStream(seed: seed))
      var (sent, granted, told, next) = (0, 0, 0, 0)
      var effects: [PermitGate.Effect] = []
      for time in stride(from: 0, to: 3000, by: 7) {
        switch Int(random.next() % 4) {
        case 0:
          next += 1
          effects = submit(&gate, next, rate: rate, at: time)
        case 1:
          let permits = Int(random.next() % 3)
          granted += permits
          effects = gate.grant(permits, to: host, until: at(time + Int(random.next() % 300)), at: at(time))
        default: effects = gate.woke(at: at(time))
        }
        for effect in effects {
          switch effect {
          case .send: sent += 1
          case .tell(let news): told += news.used + news.unused
          case .refuse: Issue.record("seed \(seed): a request is refused while permits may come")
          }
        }
        #expect(sent <= granted && told <= granted, "seed \(seed)")
      }
      for effect in gate.woke(at: at(10_000)) {
        if case .tell(let news) = effect { told += news.used + news.unused }
      }
      #expect(told == granted, "seed \(seed)")
      let refused = gate.close(at: at(10_000)).count { if case .refuse = $0 { true } else { false } }
      #expect(sent + refused == next, "seed \(seed)")
      #expect(submit(&gate, next + 1, rate: rate, at: 10_001).contains(.refuse(id(next + 1), host: host)))
    }
  }
}

/// Rates that several programs share.
@Suite struct SharedRateTests {
  @Test func `together they never send more in a period, as long as each may send one`() {
    for requests in 1...40 {
      for count in 1...requests {
        let share = RateLimit(requests: requests, per: .seconds(2)).shared(by: count)
        #expect(share.per == .seconds(2))
        #expect(share.requests * count <= requests && share.requests >= 1)
      }
    }
  }

  @Test func `beyond, each sends one in a longer period`() {
    let share = RateLimit(requests: 3, per: .seconds(1)).shared(by: 12)

    #expect(share == RateLimit(requests: 1, per: .seconds(4)))
  }
}
