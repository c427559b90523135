import Paging
import Testing

@Suite struct VerdictTests {
  /// Reads 60 numbers with a policy of that body.
  private func run(_ body: String) throws -> ScriptRun {
    try ScriptRun(
      numbers + "return numbers(60, { name = \"feed\", shouldBatchFetch = function(view)\n\(body)\nend })")
  }

  private func decisions(_ run: ScriptRun) -> [(view: PolicyView, verdict: Verdict)] {
    run.notes.compactMap { if case .decided(let view, let verdict) = $0 { (view, verdict) } else { nil } }
  }

  @Test func `a verdict may ask for several pages and give its reason`() throws {
    let run = try run("return { fetch = 3, reason = \"three\" }")

    #expect(run.items().count == 60)
    #expect(decisions(run).allSatisfy { $0.verdict == Verdict(fetch: 3, reason: "three") })
    #expect(run.logged.isEmpty)
  }

  @Test func `true in a verdict is one page`() throws {
    #expect(decisions(try run("return { fetch = true }")).allSatisfy { $0.verdict.fetch == 1 })
  }

  @Test func `a verdict may wait, cancel and name a direction`() throws {
    let run = try run(
      """
      if view.now < 3 then return { wait = 3 } end
      return { fetch = 1, direction = "append", wait = 0.5 }
      """)

    #expect(run.items().count == 60)
    #expect(decisions(run).first?.verdict.wait == .seconds(3))
    #expect(decisions(run).last?.verdict.direction == .append)

    let cancelling = try self.run(
      "if view.inFlight > 0 and view.now == 1 then return { cancel = true, wait = 5 } end return true")
    #expect(cancelling.items().count == 60)
    #expect(cancelling.notes.contains { if case .cancelled = $0 { true } else { false } })
  }

  @Test(arguments: [
    ("error(\"bad\")", "the policy failed: feed.lua:3: bad"),
    ("return view.foo", "the policy failed: feed.lua:3: the view has no field 'foo'"),
    ("while true do end", "the policy failed: feed.lua:2: the policy used up its instruction budget"),
    ("return 3", "feed.lua:2: the policy answered a number, which is neither a boolean nor a verdict"),
    ("return \"yes\"", "feed.lua:2: the policy answered a string, which is neither a boolean nor a verdict"),
    (
      "return { feth = 1 }",
      "feed.lua:2: the policy's verdict: feth: expected fetch, direction, wait, cancel and reason only (did you mean 'fetch'?), got 1"
    ),
    (
      "return { colour = 1 }",
      "feed.lua:2: the policy's verdict: colour: expected fetch, direction, wait, cancel and reason only, got 1"
    ),
    (
      "return { fetch = \"two\" }",
      "feed.lua:2: the policy's verdict: fetch: expected a number of pages, got two"
    ),
    ("return { fetch = -1 }", "feed.lua:2: the policy's verdict: fetch: expected a number of pages, got -1"),
    (
      "return { fetch = 1, direction = \"down\" }",
      "feed.lua:2: the policy's verdict: direction: expected \"append\", \"prepend\" or \"refresh\", got down"
    ),
    ("return { fetch = 1, wait = -1 }", "feed.lua:2: the policy's verdict: wait: expected seconds, got -1"),
    (
      "return { fetch = 1, cancel = 1 }",
      "feed.lua:2: the policy's verdict: cancel: expected true or false, got 1"
    ),
    ("return { fetch = 1, reason = 1 }", "feed.lua:2: the policy's verdict: reason: expected a text, got 1"),
    ("return { 1 }", "feed.lua:2: the policy's verdict: expected named keys, got 1"),
  ])
  func `a policy that fails is replaced by the built-in rule, with a note`(_ body: String, _ reason: String)
    throws
  {
    let run = try run(body)

    #expect(run.items().count == 60)
    #expect(run.failure == nil)
    #expect(run.logged == ["warn: source 'feed': \(reason), so the built-in rule decided"])
    #expect(decisions(run).first?.verdict == Verdict(true, reason: "\(reason), so the built-in rule decided"))
    #expect(decisions(run).allSatisfy { $0.verdict.isYes == $0.view.hint })
  }

  @Test func `nothing is no`() throws {
    #expect(try run("if view.hint then return true end").items().count == 60)
  }

  @Test func `absurd numbers are bounded`() throws {
    let run = try run("return { fetch = math.maxinteger, wait = view.itemCount >= 60 and math.huge or 0 }")

    #expect(run.items().count == 60)
  }

  @Test func `a policy that eats memory is stopped by its instructions`() throws {
    let run = try run("local t = {} for n = 1, 1e9 do t[n] = n end")

    #expect(run.items().count == 60)
    #expect(run.logged.count == 1)
  }

  @Test func `a verdict that asks for pages and takes them back at once is no verdict`() throws {
    let run = try run("return { fetch = 1, cancel = true, wait = 0.1 }")

    #expect(run.items().count == 60)
    #expect(
      run.logged == [
        "warn: source 'feed': feed.lua:2: the policy's verdict: cancel: expected without fetch, as its fetches "
          + "would be cancelled at once, so the built-in rule decided"
      ])
  }
}
