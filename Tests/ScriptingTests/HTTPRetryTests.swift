import Lua
import Paging
import Scripting
import Testing

@Suite struct HTTPRetryTests {
  private func run(_ replies: [HostReply], _ settings: String = "") throws -> ScriptRun {
    let script = """
      return lookahead.source { backoff = { base = 1, jitter = "none" }, \(settings) fetch = function(context)
        return lookahead.http.get("http://a/"):json()
      end }
      """
    return try ScriptRun(script, in: ScriptWorld(["GET http://a/": replies]))
  }

  private let page = HostReply.json(#"{"items":[{"id":1}]}"#)

  @Test func `a busy server is asked again, later each time`() throws {
    let run = try run([.status(503), .status(503), page])

    #expect(run.items() == [#"{"id":1}"#])
    #expect(run.world.requests.map(\.at.seconds) == [0, 1.1, 3.2])
    #expect(run.statistics.requests == 3)
    #expect(run.statistics.retries == 2)
    #expect(run.failure == nil)
  }

  @Test func `the time that a server asks for is kept`() throws {
    let run = try run([.status(429, "slow down", [HTTPHeader("Retry-After", "7")]), page])

    #expect(run.items().count == 1)
    #expect(run.world.requests.map(\.at.seconds) == [0, 7.1])
    #expect(run.gateNotes.contains { if case .retrying = $0 { true } else { false } })
  }

  @Test func `a broken connection is tried again`() throws {
    let run = try run([.broken("the connection broke"), page])

    #expect(run.items().count == 1)
    #expect(run.world.requests.map(\.at.seconds) == [0, 1.1])
  }

  @Test func `retries come to an end, with the last answer`() throws {
    let busy = try run([.status(503, "busy")], "retries = 2,")
    #expect(busy.world.requests.count == 3)
    #expect(busy.failure == "feed.lua:2: GET http://a/ answered 503: busy")
    #expect(busy.workflow.failure?.fields["status"] == .integer(503))

    let broken = try run([.broken("the connection broke")], "retries = 1,")
    #expect(broken.world.requests.count == 2)
    #expect(broken.failure == "feed.lua:2: the connection broke")
    #expect(broken.code == "network")
  }

  @Test func `what would not change is not asked again`() throws {
    let run = try run([.status(404, "nothing")])

    #expect(run.world.requests.count == 1)
    #expect(run.failure == "feed.lua:2: GET http://a/ answered 404: nothing")
  }

  @Test func `an answer that is no JSON is fetched again`() throws {
    let run = try run([.json("{\"items\": ["), page])

    #expect(run.items().count == 1)
    #expect(run.world.requests.count == 2)
  }

  @Test func `a rate limit spreads the requests of a source`() throws {
    let world = ScriptWorld()
    for number in 1...10 {
      world.routes["GET http://a/\(number)"] = [.json("{\"items\":[{\"id\":\(number)}],\"total\":10}")]
    }
    world.latency = .zero

    let run = try ScriptRun(
      """
      return lookahead.source { keys = "page", pageSize = 1, rateLimit = { requests = 2, per = 1 }, fetch = function(context)
        return lookahead.http.get("http://a/" .. context.key):json()
      end }
      """, in: world)

    #expect(run.items().count == 10)
    let times = run.world.requests.map(\.at.seconds)
    for start in times { #expect(times.count { start <= $0 && $0 < start + 1 } <= 2) }
  }

  @Test func `the delay of a retry is reproducible`() throws {
    func times(_ seed: UInt64) throws -> [Double] {
      let world = ScriptWorld(["GET http://a/": [.status(503)]])
      return try ScriptRun("lookahead.http.get(\"http://a/\")", in: world) { $0.seed = seed }.world.requests
        .map(\.at.seconds)
    }

    #expect(try times(1) == times(1))
    #expect(try times(1) != times(2))
  }

  /// A script before a server that refuses connections for a while.
  private func run(_ script: String, refusingFor time: Double) throws -> ScriptRun {
    let world = ScriptWorld()
    world.refuses = { $0.seconds < time }
    world.routes["GET http://a/"] = [page]
    return try ScriptRun(script, in: world)
  }

  @Test(arguments: [
    "return lookahead.source { fetch = function() return lookahead.http.get('http://a/'):json() end }",
    "for _, item in ipairs(lookahead.http.get('http://a/'):json().items) do lookahead.emit(item) end",
  ]) func `a restart of 75 seconds is outlasted in a fetch handler and elsewhere`(_ script: String) throws {
    let run = try run(script, refusingFor: 75)

    #expect(run.failure == nil)
    #expect(run.items() == [#"{"id":1}"#])
  }

  @Test(arguments: [
    "return lookahead.source { fetch = function() return lookahead.http.get('http://a/'):json() end }",
    "lookahead.http.get('http://a/')",
  ])
  func
    `a server that is down for good is asked for no longer than five minutes, and no page is fetched again for it`(
      _ script: String
    ) throws
  {
    let run = try run(script, refusingFor: 1e6)

    #expect(run.world.requests.count == 11)
    #expect(try #require(run.world.requests.last).at.seconds < 300)
    #expect(run.code == "network")
  }
}
