import Paging
import Scripting
import Testing

/// At most so many requests in any period, also where a script gives a fraction of them.
@Suite struct RateLimitTests {
  @Test(arguments: [
    (2.5, 0.5, 2, 0.5), (1.5, 1.0, 1, 1.0), (1.999, 0.25, 1, 0.25), (3.0, 0.5, 3, 0.5), (1.0, 2.0, 1, 2.0),
    (0.5, 1.0, 1, 2.0), (0.25, 0.5, 1, 2.0),
  ])
  func `no period has more than the whole requests`(
    requests: Double, seconds: Double, count: Int, period: Double
  ) throws {
    let world = ScriptWorld(["GET http://a/": [.json("[]")]])
    world.latency = .zero
    let run = try ScriptRun(
      """
      local source = lookahead.source { keys = "page", maxInFlight = 4, policy = "everything",
        rateLimit = { requests = \(requests), per = \(seconds) } }
      function source.fetch(context)
        lookahead.http.get("http://a/")
        return { items = { { id = context.key } }, isLast = context.key == 12 }
      end
      return source
      """, in: world)
    let times = world.requests.map(\.at).prefix(12)

    #expect(run.failure == nil)
    #expect(times.count == 12)
    for place in count..<12 { #expect(times[place] - times[place - count] >= .seconds(period)) }
    // A little more than the period lies between them.
    #expect(times[11].seconds <= Double(11 / count) * (period + 0.05) + 0.001)
  }

  @Test(arguments: [(false, 9), (true, 3)])
  func `a rate of the command line is one for all who ask a host, that of a source is its own`(
    isOfCommandLine: Bool, count: Int
  ) throws {
    let world = ScriptWorld(["GET http://a/": [.json("[]")]])
    world.latency = .zero
    let own = isOfCommandLine ? "" : ", rateLimit = { requests = 3, per = 1 }"
    let first = isOfCommandLine ? #"lookahead.http.get("http://a/")"# : ""
    let script = """
      \(first)
      local sources = {}
      for number = 1, 3 do
        local source = lookahead.source {
          name = "s" .. number, keys = "page", maxInFlight = 4, policy = "everything"\(own) }
        function source.fetch(context)
          lookahead.http.get("http://a/")
          return { items = { { id = context.key } }, isLast = context.key == 6 }
        end
        sources[number] = source
      end
      return sources
      """

    let run = try ScriptRun(script, in: world) { options in
      if isOfCommandLine { options.overrides.rate = RateLimit(requests: 3, per: .seconds(1)) }
    }
    let times = world.requests.map(\.at)

    #expect(run.failure == nil)
    #expect(times.count >= 18)
    #expect(times.map { start in times.count { start <= $0 && $0 < start + .seconds(1) } }.max() == count)
  }
}
