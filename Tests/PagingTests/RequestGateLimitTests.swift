import Paging
import Testing

@Suite struct RequestGateLimitTests {
  @Test func `a 429 closes the host for everybody until Retry-After`() {
    var rig = GateRig()
    let first = rig.get()

    rig.reply(first, 429, [HTTPHeader("retry-after", "7")])
    let second = rig.get("https://a.example/other")
    let elsewhere = rig.get("https://b.example/")

    #expect(rig.sent.map(\.id) == [first, elsewhere])
    #expect(rig.waits[second] == .zero + .seconds(7))
    #expect(rig.notes.contains(.closed(host: "a.example", until: .zero + .seconds(7))))
    rig.pass(.milliseconds(6_999))
    #expect(rig.sent.count == 2)
    rig.pass(.milliseconds(1))
    #expect(Set(rig.sent.dropFirst(2).map(\.id)).isSubset(of: [first, second]))
    #expect(rig.sent.count == 3)
  }

  @Test func `fifty thousand calls that wait behind a rate limit are each sent once, in their order`() {
    var rig = GateRig()
    let rate = GateTerms(rate: RateLimit(requests: 1_000, per: .seconds(1)), source: "s")
    let ids = (0..<50_000).map { _ in rig.get("https://a.example/", rate) }

    var answered = 0
    while answered < ids.count {
      while answered < rig.sent.count {
        rig.reply(rig.sent[answered].id, 200)
        answered += 1
      }
      rig.sleep()
    }

    #expect(rig.sent.map(\.id) == ids)
    #expect(rig.now == .zero + .milliseconds(49 * 1_010))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func
    `limited and free calls, retried and cancelled at random, all end, in their order and within their limits`(
      seed: UInt64
    )
  {
    var random = RandomStream(seed: seed)
    var rig = GateRig(maxWidth: 4)
    let sources = [("slow", 3), ("fast", 5), ("free", 0)]
    var source: [HostCallID: String] = [:]
    var sentAt: [String: [Instant]] = [:]
    var open: Set<HostCallID> = []
    var cancelled: Set<HostCallID> = []
    var seen = 0

    for step in 0..<2_000 {
      switch random.next() % 6 {
      case 0, 1:
        guard step < 1_000 else { break }
        let (name, requests) = sources[Int(random.next() % 3)]
        let rate = requests > 0 ? RateLimit(requests: requests, per: .seconds(1)) : nil
        let host = ["a", "b"][Int(random.next() % 2)]
        source[rig.get("https://\(host).example/", GateTerms(rate: rate, source: name))] = name
      case 2:
        guard let id = source.keys.sorted().randomElement(using: &random), rig.delivered[id] == nil else {
          break
        }
        rig.cancel(id)
        cancelled.insert(id)
        open.remove(id)
      case 3: rig.sleep()
      default:
        guard let id = open.sorted().randomElement(using: &random) else { break }
        open.remove(id)
        rig.reply(id, random.next() % 4 == 0 ? 503 : 200)
      }
      for (id, _) in rig.sent[seen...] {
        #expect(!cancelled.contains(id), "seed \(seed)")
        open.insert(id)
        sentAt[source[id]!, default: []].append(rig.now)
      }
      seen = rig.sent.count
      #expect(open.count <= 8, "seed \(seed)")
    }
    while rig.gate.callCount > 0 {
      for (id, _) in rig.sent[seen...] { open.insert(id) }
      seen = rig.sent.count
      guard let id = open.min() else { rig.sleep(); continue }
      open.remove(id)
      rig.reply(id, 200)
    }

    let ended = Set(rig.delivered.keys).union(cancelled)
    #expect(ended == Set(source.keys), "seed \(seed)")
    for (name, requests) in sources where requests > 0 {
      let times = sentAt[name] ?? []
      for place in times.indices.dropFirst(requests) {
        #expect(times[place] >= times[place - requests] + .seconds(1), "seed \(seed)")
      }
      var firsts: Set<HostCallID> = []
      let order = rig.sent.map(\.id).filter { source[$0] == name && firsts.insert($0).inserted }
      for host in ["a", "b"] {
        let one = order.filter { id in
          rig.sent.contains { $0.id == id && $0.request.url.contains(host + ".ex") }
        }
        #expect(one == one.sorted(), "seed \(seed)")
      }
    }
  }

  @Test func `a 503 closes the host only when it says how long`() {
    var rig = GateRig()
    let first = rig.get()
    rig.reply(first, 503)
    let second = rig.get()
    #expect(rig.sent.map(\.id) == [first, second])

    rig.reply(second, 503, [HTTPHeader("Retry-After", "5")])
    let third = rig.get()

    #expect(rig.waits[third] == .zero + .seconds(5))
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:47 GMT", "Sunday, 06-Nov-94 08:49:47 GMT", "Sun Nov  6 08:49:47 1994",
  ])
  func `dates are counted from the answer's own date`(_ date: String) {
    var rig = GateRig()
    let id = rig.get()

    rig.reply(
      id, 429, [HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), HTTPHeader("Retry-After", date)])

    #expect(rig.gate.nextWake == .zero + .seconds(10))
  }

  @Test func `without a date in the answer the host's clock is used`() {
    var rig = GateRig(startedAt: 784_111_770)
    let id = rig.get()
    rig.now = .zero + .seconds(7)

    rig.reply(id, 429, [HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT")])

    #expect(rig.gate.nextWake == .zero + .seconds(17))
  }

  @Test func `a date in the past is no wait, and nonsense is none either`() {
    for text in ["Sun, 06 Nov 1994 08:49:30 GMT", "soon", "-5", "Sun, 66 Foo 1994 08:49:30 GMT"] {
      var rig = GateRig()
      let id = rig.get()

      rig.reply(
        id, 429, [HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), HTTPHeader("Retry-After", text)])

      #expect(rig.gate.nextWake! <= .zero + .milliseconds(500), "\(text)")
    }
  }

  @Test func `reset headers are seconds or moments`() {
    let cases: [(String, String, Int)] = [
      ("RateLimit-Reset", "12", 12), ("X-RateLimit-Reset", "12", 12), ("X-RateLimit-Reset", "1000000020", 20),
    ]
    for (name, value, seconds) in cases {
      var rig = GateRig(startedAt: 1_000_000_000)
      let id = rig.get()

      rig.reply(id, 429, [HTTPHeader(name, value)])

      #expect(rig.gate.nextWake == .zero + .seconds(seconds), "\(name): \(value)")
    }
  }

  @Test func `a 403 with nothing left is a rate limit, another one is not`() {
    var rig = GateRig()
    let spent = rig.get()
    rig.reply(spent, 403, [HTTPHeader("X-RateLimit-Remaining", "0"), HTTPHeader("X-RateLimit-Reset", "30")])
    #expect(rig.gate.nextWake == .zero + .seconds(30))

    let refused = rig.get("https://b.example/")
    rig.reply(refused, 403, [HTTPHeader("X-RateLimit-Remaining", "10")])

    #expect(rig.status(refused) == 403)
  }

  @Test func `a wait longer than allowed fails, for those that wait too`() {
    var rig = GateRig(maxWidth: 1)
    let first = rig.get()
    let second = rig.get()

    rig.reply(first, 429, [HTTPHeader("Retry-After", "3600")])

    for id in [first, second] {
      #expect(rig.failure(id)?.code == .rateLimited)
      #expect(rig.failure(id)?.retryAfter == .seconds(3600))
      #expect(rig.failure(id)?.isTransient == true)
    }
    let patient = rig.get("https://a.example/", GateTerms(retry: RetryRule(maxWait: .seconds(4000))))
    #expect(rig.waits[patient] == .zero + .seconds(3600))
  }

  @Test func `a host gets no more at once than the width`() {
    var rig = GateRig(maxWidth: 3)
    let ids = (0..<5).map { _ in rig.get() }
    #expect(rig.sent.map(\.id) == Array(ids.prefix(3)))

    rig.reply(ids[1], 200)

    #expect(rig.sent.map(\.id) == Array(ids.prefix(4)))
  }

  @Test func `a burst of 429 halves the width once, and good answers win it back`() {
    var rig = GateRig(maxWidth: 8)
    let ids = (0..<8).map { _ in rig.get() }

    for id in ids { rig.reply(id, 429, [HTTPHeader("Retry-After", "1")]) }
    #expect(
      rig.notes.filter { if case .narrowed = $0 { true } else { false } } == [
        .narrowed(host: "a.example", width: 4)
      ])
    rig.pass(.seconds(2))
    #expect(rig.sent.count == 8 + 4)

    for round in 0..<60 { _ = (round, rig.get()) }
    var answered = 8
    while answered < rig.sent.count {
      rig.reply(rig.sent[answered].id, 200)
      answered += 1
    }
    #expect(rig.gate.callCount == 0)
    let before = rig.sent.count
    for _ in 0..<20 { rig.get() }
    #expect(rig.sent.count - before == 8)
  }

  @Test func `a rate limit holds in any span of time, for all calls of a source`() {
    var rig = GateRig()
    let terms = GateTerms(rate: RateLimit(requests: 3, per: .seconds(1)), source: "issues")
    for index in 0..<20 { rig.get("https://\(index).example/", terms) }
    var times: [Instant] = rig.sent.map { _ in rig.now }

    while times.count < 20 {
      rig.sleep()
      while times.count < rig.sent.count { times.append(rig.now) }
    }

    for index in 3..<20 { #expect(times[index] - times[index - 3] >= .seconds(1)) }
    #expect(times.last == .zero + .milliseconds(6_060))
  }

  /// What leaves in time may arrive a little later than what leaves after it.
  @Test(arguments: [
    (10, 11), (100, 105), (500, 505), (1_000, 1_010), (3_000, 3_030), (60_000, 60_050),
  ])
  func `a rate limit leaves a little more than its period between requests`(period: Int, wait: Int) {
    var rig = GateRig()
    let terms = GateTerms(rate: RateLimit(requests: 2, per: .milliseconds(period)))

    let ids = (0..<4).map { _ in rig.get("https://a.example/", terms) }

    #expect(rig.sent.map(\.id) == Array(ids.prefix(2)))
    #expect(rig.waits[ids[2]] == .zero + .milliseconds(wait))
  }

  @Test func `calls without a source share the rate limit of their host, beside those of a source`() {
    var rig = GateRig()
    let rate = RateLimit(requests: 2, per: .seconds(1))

    for width in [nil, .automatic, .pages(3)] as [Width?] {
      rig.get("https://a.example/", GateTerms(rate: rate, width: width))
    }
    rig.get("https://b.example/", GateTerms(rate: rate))
    rig.get("https://a.example/", GateTerms(rate: rate, source: "own"))

    #expect(rig.sent.count { $0.request.url == "https://a.example/" } == 3)
    #expect(rig.sent.count { $0.request.url == "https://b.example/" } == 1)
  }

  @Test func `sources without a limit are not held up by those with one`() {
    var rig = GateRig()
    let terms = GateTerms(rate: RateLimit(requests: 1, per: .seconds(9)), source: "slow")
    rig.get("https://a.example/", terms)
    let held = rig.get("https://a.example/", terms)

    let free = rig.get()

    #expect(rig.sent.map(\.id).contains(free))
    #expect(rig.waits[held] == .zero + .milliseconds(9_050))
  }
}
