import Testing

/// Handlers and readers that end before their time.
@Suite struct PrefetcherEndingTests {
  private func lines(_ script: String) throws -> [String] { try printed(by: countedDetails + script) }

  @Test func `a handler may invalidate its own item, and then knows that nobody wants the answer`() throws {
    let lines = try lines(
      """
      local details
      details = lookahead.prefetcher { fetch = function(id, context)
        if calls == 0 then
          calls = 1
          details:invalidate { id }
          print(context:isCancelled(), context.isPrefetch)
          lookahead.sleep(1)
          print("never")
        end
        return "new"
      end }
      print(details:get("a"))
      """)

    #expect(lines == ["true\tfalse", "new"])
  }

  @Test func `handlers that wait for details of others end with whoever wanted them`() throws {
    let lines = try lines(
      """
      local details
      details = lookahead.prefetcher { maxInFlight = 2, fetch = function(id)
        if id == "parent" then return "parent of " .. details:get("child").id end
        return detail(id)
      end }
      details:prefetch { "parent" }
      lookahead.sleep(0.5)
      details:cancelPrefetch { "parent" }
      print(details.stats.inFlight, details.stats.cancelled)
      print(details:get("parent"), lookahead.now(), calls)
      """)

    #expect(lines == ["0\t2", "parent of child\t1.5\t2"])
  }

  @Test func `a fetch that is taken back before it began never runs`() throws {
    let lines = try lines(
      """
      local details
      details = lookahead.prefetcher { maxInFlight = 1, fetch = function(id)
        if id == "parent" then return details:get("child") end
        return detail(id)
      end }
      details:prefetch { "parent" }
      lookahead.sleep(1)
      details:cancelPrefetch { "parent" }
      lookahead.sleep(5)
      print(calls, details.stats.inFlight, details.stats.queued, details.stats.count)
      """)

    #expect(lines == ["0\t0\t0\t0"])
  }

  @Test func `a run does not wait for prefetches that nobody reads`() throws {
    let run = try ScriptRun(
      countedDetails
        + "lookahead.prefetcher { fetch = detail }:prefetch { 1, 2, 3, 4, 5, 6 } lookahead.sleep(0.5)")

    #expect(run.isFinished)
    #expect(run.seconds == 0.5)
    #expect(run.failure == nil)
  }

  @Test func `an interrupt ends readers and handlers`() throws {
    let world = ScriptWorld()
    world.neverAnswers = { _ in true }
    let run = try ScriptRun(
      """
      local details = lookahead.prefetcher {
        maxInFlight = 1, fetch = function(id) return lookahead.http.get("http://a/" .. id).body end,
      }
      details:prefetch { 1, 2, 3 }
      details:get(4)
      """, in: world)
    #expect(!run.isFinished)

    run.interrupt()

    #expect(run.isFinished)
  }

  @Test func `an item whose details need its own details ends the run with the reason`() throws {
    let message = try failure(
      of: """
        local details
        details = lookahead.prefetcher { fetch = function(id)
          local mine = details:get(id)
          return mine
        end }
        print(details:get(1))
        """)

    #expect(
      message
        == "feed.lua:3: the script stands still: its tasks wait for each other, so none of them can go on "
        + "(others wait at feed.lua:6)")
  }
}
