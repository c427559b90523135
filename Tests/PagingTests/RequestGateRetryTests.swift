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
}
