import Items
import Paging
import Testing

@Suite struct RequestGateRetryTests {
  @Test func `a good answer is delivered as it is`() {
    var rig = GateRig()
    let id = rig.get()
    #expect(rig.sent.count == 1)

    rig.reply(id, 404)

    #expect(rig.status(id) == 404)
    #expect(rig.gate.callCount == 0)
    #expect(rig.gate.nextWake == nil)
  }

  @Test(arguments: [408, 500, 502, 503, 504]) func `passing statuses are tried again`(_ status: Int) {
    var rig = GateRig()
    let id = rig.get()

    rig.reply(id, status)
    #expect(rig.sent.count == 1)
    rig.sleep()
    #expect(rig.sent.count == 2)
    rig.reply(id, 200)

    #expect(rig.status(id) == 200)
    guard case .retrying(id, 2, _, let reason) = rig.notes.first else {
      Issue.record("no note")
      return
    }
    #expect(reason == "status \(status)")
  }

  @Test func `the last answer is delivered when there are no attempts left`() {
    var rig = GateRig()
    let id = rig.get("https://a.example/", GateTerms(retry: RetryRule(count: 2)))

    for _ in 0..<2 {
      rig.reply(id, 500)
      rig.sleep()
    }
    rig.reply(id, 500)

    #expect(rig.sent.count == 3)
    #expect(rig.status(id) == 500)
  }

  @Test func `what changes things is tried again only where nothing was done`() {
    for method in ["POST", "PATCH"] {
      var rig = GateRig()
      let broken = rig.submit(HTTPRequest(method: method, url: "https://a.example/"))
      rig.fail(broken, HostFailure(.network, "reset", isTransient: true))
      let failed = rig.submit(HTTPRequest(method: method, url: "https://a.example/"))
      rig.reply(failed, 500)
      let unavailable = rig.submit(HTTPRequest(method: method, url: "https://a.example/"))
      rig.reply(unavailable, 503)
      rig.sleep()

      #expect(rig.failure(broken)?.code == .network)
      #expect(rig.status(failed) == 500)
      #expect(rig.sent.map(\.id) == [broken, failed, unavailable])
    }
  }

  @Test func `what changes things is tried again where the other side was never reached`() {
    var rig = GateRig()
    var refused = HostFailure(.network, "refused", isTransient: true)
    refused.isUnsent = true
    let post = rig.submit(HTTPRequest(method: "POST", url: "https://a.example/"))

    rig.fail(post, refused)
    rig.sleep()

    #expect(rig.sent.map(\.id) == [post, post])
  }

  @Test func `what a kept connection has lost is sent once more, and counts for the rate, not as a retry`() {
    var rig = GateRig()
    let rate = RateLimit(requests: 1, per: .seconds(3))
    let id = rig.get("https://a.example/", GateTerms(retry: .never, rate: rate))

    rig.fail(id, Self.stale)
    #expect(rig.sent.count == 1)
    #expect(rig.gate.nextWake == rig.now + .milliseconds(3_030))
    rig.sleep()
    #expect(rig.sent.count == 2)
    rig.fail(id, Self.stale)

    #expect(rig.failure(id) == Self.stale)
    #expect(rig.gate.nextWake == nil)
  }

  @Test func `what a kept connection has lost leaves all retries`() {
    var rig = GateRig()
    let id = rig.get("https://a.example/", GateTerms(retry: RetryRule(count: 1)))

    rig.fail(id, Self.stale)
    #expect(rig.sent.count == 2)
    rig.fail(id, Self.stale)
    #expect(rig.sent.count == 2)
    rig.sleep()
    #expect(rig.sent.count == 3)
    rig.reply(id, 200)

    #expect(rig.status(id) == 200)
  }

  @Test func `what changes things is not sent again where a kept connection has lost it`() {
    var rig = GateRig()
    let post = rig.submit(HTTPRequest(method: "POST", url: "https://a.example/"))

    rig.fail(post, Self.stale)

    #expect(rig.sent.count == 1)
    #expect(rig.failure(post) == Self.stale)
  }

  private static var stale: HostFailure {
    var failure = HostFailure(.network, "closed", isTransient: true)
    failure.isStale = true
    return failure
  }

  @Test(arguments: [500, 503]) func `a POST that only reads is tried again like a GET`(_ status: Int) {
    var rig = GateRig()
    var request = HTTPRequest(method: "POST", url: "https://a.example/")
    request.isRepeatable = true
    let post = rig.submit(request)

    rig.reply(post, status)
    rig.sleep()
    rig.reply(post, 200)

    #expect(rig.sent.count == 2)
    #expect(rig.status(post) == 200)
  }

  @Test func `a GET that is a guess is not tried again`() {
    var rig = GateRig()
    var request = HTTPRequest(url: "https://a.example/")
    request.isRepeatable = false
    let guess = rig.submit(request)

    rig.reply(guess, 500)
    rig.sleep()

    #expect(rig.sent.count == 1)
    #expect(rig.status(guess) == 500)
  }

  @Test func `the defaults outlast a restart of a minute`() {
    for seed in 0..<200 {
      var random = RandomStream(seed: UInt64(seed))
      let waits = (1...RetryRule().count).map {
        RetryRule().delay(afterAttempt: $0, random: &random) ?? .zero
      }

      #expect(waits.reduce(.zero, +) >= .seconds(60), "seed \(seed)")
    }
  }

  @Test func `broken connections and time running out are tried again`() {
    var rig = GateRig()
    let id = rig.get()

    rig.fail(id, HostFailure(.network, "reset", isTransient: true))
    rig.sleep()
    rig.fail(id, HostFailure(.timeout, "slow", isTransient: true))
    rig.sleep()

    #expect(rig.sent.count == 3)
  }

  @Test func `what will not pass is delivered at once`() {
    for code in [HostFailure.Code.denied, .tooLarge, .invalid, .network] {
      var rig = GateRig()
      let id = rig.get()

      rig.fail(id, HostFailure(code, "no"))

      #expect(rig.failure(id)?.code == code)
    }
  }

  @Test func `a cancelled call is forgotten and its late reply ignored`() {
    var rig = GateRig(maxWidth: 1)
    let first = rig.get()
    let second = rig.get()
    #expect(rig.sent.map(\.id) == [first])

    rig.cancel(first)
    rig.reply(first, 200)

    #expect(rig.sent.map(\.id) == [first, second])
    #expect(rig.delivered.isEmpty)
  }

  /// A host that fails from now on, and when its call is given up; nil if it answers before.
  private func giveUpTime(
    seed: UInt64, attemptTime: Duration = .zero, downFor: Duration = .seconds(86_400),
    _ terms: GateTerms = GateTerms(),
    fail: (inout GateRig, HostCallID) -> Void
  ) -> Duration? {
    var rig = GateRig(seed: seed)
    let id = rig.get("http://a.example/", terms)
    for _ in 0..<10_000 {
      rig.pass(attemptTime)
      if rig.now - .zero >= downFor {
        rig.reply(id, 200)
      } else {
        fail(&rig, id)
      }
      if rig.delivered[id] != nil { return rig.status(id) == 200 ? nil : rig.now - .zero }
      rig.sleep()
    }
    Issue.record("the call never ends")
    return nil
  }

  private static let refused = {
    var refused = HostFailure(
      .network, "could not connect to a.example:80 (connection refused)", isTransient: true)
    refused.isUnsent = true
    return refused
  }()

  @Test func `a server that refuses connections for 75 seconds is outlasted by default`() {
    for seed in 0..<200 {
      let time = giveUpTime(seed: UInt64(seed), downFor: .seconds(75)) { $0.fail($1, Self.refused) }

      #expect(time == nil, "seed \(seed)")
    }
  }

  @Test(arguments: [500, 502, 503, 504]) func `a status that passes after 75 seconds is outlasted by default`(
    _ status: Int
  ) {
    for seed in 0..<50 {
      #expect(giveUpTime(seed: UInt64(seed), downFor: .seconds(75)) { $0.reply($1, status) } == nil)
    }
  }

  @Test func `a server that is down for good ends a call within five minutes`() throws {
    let slow = HostFailure(.timeout, "no answer", isTransient: true)
    let wait = [HTTPHeader("Retry-After", "60")]
    for seed in 0..<50 {
      let seed = UInt64(seed)
      let refused = try #require(giveUpTime(seed: seed) { $0.fail($1, Self.refused) })
      let silent = try #require(giveUpTime(seed: seed, attemptTime: .seconds(30)) { $0.fail($1, slow) })
      let busy = try #require(giveUpTime(seed: seed) { $0.reply($1, 503, wait) })

      #expect(refused <= .seconds(152))
      #expect(silent > .seconds(75) && silent <= .seconds(300))
      #expect(busy > .seconds(75) && busy <= .seconds(300))
    }
  }

  @Test func `retries that somebody has chosen are not cut off by time`() throws {
    let rule = RetryRule(count: 40, patience: nil)

    let time = try #require(giveUpTime(seed: 1, GateTerms(retry: rule)) { $0.fail($1, Self.refused) })

    #expect(time > .seconds(500))
  }

  @Test func `a rate limit is waited for however often it is met`() {
    let wait = [HTTPHeader("Retry-After", "60")]

    #expect(giveUpTime(seed: 1, downFor: .seconds(590)) { $0.reply($1, 429, wait) } == nil)
  }

  @Test func `a host that can't be reached is told once, and so is its return`() {
    var rig = GateRig()
    let calls = (1...3).map { rig.get("http://a.example/\($0)") }
    for id in calls { rig.fail(id, Self.refused) }
    rig.sleep()
    rig.fail(rig.sent.last!.id, Self.refused)
    while rig.delivered.count < 3, rig.gate.nextWake != nil {
      rig.sleep()
      for id in calls { rig.reply(id, 200) }
    }

    let told = rig.notes.filter { note in
      switch note {
      case .unavailable, .available: true
      default: false
      }
    }
    #expect(
      told == [
        .unavailable(
          host: "a.example", reason: "the server a.example refuses connections",
          upTo: .milliseconds(151_500)),
        .available(host: "a.example"),
      ])
  }

  @Test func `a status is told when a retry meets it again`() {
    var rig = GateRig()
    let id = rig.get()
    rig.reply(id, 503)
    #expect(!rig.notes.contains { if case .unavailable = $0 { true } else { false } })
    rig.sleep()

    rig.reply(id, 503)

    #expect(
      rig.notes.contains {
        if case .unavailable("a.example", "the server a.example answers with status 503", _) = $0 {
          true
        } else {
          false
        }
      })
  }
}
