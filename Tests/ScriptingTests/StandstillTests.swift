import Testing

@Suite struct StandstillTests {
  private let refusal =
    "source 'feed' stands still: its policy asks for no page, and its reader waits for one "
    + "(a policy must say yes at the edge, as view.hint does)"

  @Test func `a policy that never says yes ends the run instead of hanging it`() throws {
    let source = """
      local source = lookahead.source {
        shouldBatchFetch = function() return false end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """

    let sink = try ScriptRun(source + "\nreturn source")
    #expect(sink.failure == refusal)
    #expect(sink.code == "standstill")
    #expect(sink.isFinished)

    let loop = try ScriptRun(source + "\nfor _ in source:items() do end")
    #expect(loop.failure == refusal)
    #expect(loop.isFinished)
  }

  @Test func `a policy that says yes for the first page only stands still behind it`() throws {
    let run = try ScriptRun(
      numbers
        + "return numbers(100, { name = \"feed\", shouldBatchFetch = function(view) return view.fetches == 0 end })"
    )

    #expect(run.items().count == 10)
    #expect(run.failure == refusal)
  }

  @Test func `a policy may ask for time`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        shouldBatchFetch = function(view)
          if view.now < 5 then return { wait = 1 } end
          return true
        end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """)

    #expect(run.seconds == 5)
    #expect(run.failure == nil)
    #expect(run.items().count == 1)
  }

  @Test(arguments: ["1e-9", "1e-320", "0.001"])
  func `a policy that asks for a moment again and again ends the run`(_ wait: String) throws {
    let run = try ScriptRun(waiting("{ wait = \(wait) }"))

    #expect(
      run.failure
        == "source 'feed' stands still: its policy has put off the next page 1000 times in 1 s, and its reader waits "
        + "for it (a policy must say yes at the edge, as view.hint does)")
    #expect(run.code == "standstill")
    #expect(run.isFinished)
  }

  @Test func `a policy that asks for a second again and again is told after a minute, and ends the run`()
    throws
  {
    let run = try ScriptRun(waiting("{ wait = 1 }"))

    #expect(
      run.logged == [
        "warn: source 'feed': its policy has put off the next page 61 times in 60 s, and its reader waits for it"
      ])
    #expect(run.code == "standstill")
    #expect(run.seconds < 10_000)
  }

  @Test(arguments: ["3600", "86400", "1e9", "1e300", "math.maxinteger"])
  func `a policy that asks for ages is asked every hour, and ends the run after a day`(_ wait: String) throws
  {
    let run = try ScriptRun(waiting("{ wait = \(wait) }"))

    #expect(
      run.logged == [
        "warn: source 'feed': its policy puts off the next page for 3600 s, and its reader waits for it"
      ])
    #expect(run.code == "standstill")
    #expect(run.seconds == 86400)
  }

  @Test(arguments: ["math.huge", "0/0", "-1"])
  func `a wait that is no time is no verdict`(_ wait: String) throws {
    let run = try ScriptRun(waiting("{ wait = \(wait) }"))

    #expect(run.items().count == 1)
    #expect(run.logged.count == 1)
    #expect(run.logged[0].contains("the policy's verdict: wait: expected seconds, got"))
  }

  @Test func `a long wait behind a page is told once, and the run goes on`() throws {
    let run = try ScriptRun(
      numbers
        + "return numbers(40, { name = \"feed\", shouldBatchFetch = function() return { fetch = 1, wait = 1e9 } end })"
    )

    #expect(run.items().count == 40)
    #expect(
      run.logged == [
        "warn: source 'feed': its policy puts off the next page for 3599 s, and its reader waits for it"
      ])
  }

  private func waiting(_ verdict: String) -> String {
    """
    return lookahead.source {
      shouldBatchFetch = function() return \(verdict) end,
      fetch = function() return { items = { { id = 1 } } } end,
    }
    """
  }

  @Test(arguments: [
    "local t t = lookahead.spawn(function() lookahead.sleep(1) t:wait() end)",
    "local a, b a = lookahead.spawn(function() lookahead.sleep(1) b:wait() end) b = lookahead.spawn(function() a:wait() end)",
  ])
  func `tasks that wait for each other end the run`(_ script: String) throws {
    let run = try ScriptRun(script)

    #expect(
      run.failure
        == "feed.lua:1: the script stands still: its tasks wait for each other, so none of them can go on")
    #expect(run.isFinished)
  }
}
