import Paging
import Scripting
import Testing

@Suite struct PolicyTests {
  /// Prints an expression of the view at each decision about a source of 100 numbers, four pages at a time.
  private func views(_ expression: String) throws -> [String] {
    try ScriptRun(
      numbers + """
        return numbers(100, { shouldBatchFetch = function(view)
          print(\(expression))
          return view.hint
        end })
        """
    ).printed
  }

  @Test func `positions of the view are counted from 1`() throws {
    #expect(try views("view.firstVisible, view.lastVisible").first == "1\t1")
    #expect(try views("view.firstVisible").contains("11"))
  }

  @Test func `the view holds what a decision may need`() throws {
    let first = try views(
      """
      view.now, view.itemCount, view.totalCount, view.remainingItems, view.remainingScreens, view.remainingTime,
      view.velocity, view.direction, view.isVisible, view.inFlight, view.isFetching, view.isExhausted, view.pageSize,
      view.pageYield, view.errorStreak, view.fetches, view.leadingScreens, view.hint, view.hintReason
      """
    ).first

    #expect(
      first
        == "0.0\t0\tnil\t0\t0.0\tinf\t0.0\tappend\ttrue\t0\tfalse\tfalse\t10\t10.0\t0\t0\t2.0\ttrue\tsmallContent"
    )
  }

  @Test func `latencies are in seconds`() throws {
    let lines = try views(
      "view.latency.last, view.latency.mean, view.latency.p50, view.latency.p95, view.latency.count")

    #expect(lines.first == "0.0\t0.0\t0.0\t0.0\t0")
    #expect(lines.last?.hasPrefix("1.0\t1.0\t1.0\t1.0\t") == true)
  }

  @Test func `all fields are listed, unknown ones named, none can be written`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { fetch = function() return { items = {} } end }
      function source.shouldBatchFetch(view)
        local names = {}
        for name in pairs(view) do names[#names + 1] = name end
        if view.fetches == 0 then
          print(table.concat(names, " "))
          print(select(2, pcall(function() return view.remaining end)))
          print(select(2, pcall(function() view.hint = true end)))
        end
        return true
      end
      return source
      """)

    #expect(
      run.printed == [
        "now firstVisible lastVisible itemCount totalCount remainingItems remainingScreens remainingTime velocity "
          + "direction isVisible inFlight isFetching isExhausted latency pageSize pageYield errorStreak fetches "
          + "leadingScreens hint hintReason",
        "feed.lua:7: the view has no field 'remaining'",
        "feed.lua:8: the view is the host's: read 'hint', do not write it",
      ])
  }

  @Test func `a declared policy is given its own parameters`() throws {
    let run = try ScriptRun(
      """
      local given = { distance = 5 }
      local policy = lookahead.policy {
        name = "near", help = "h", parameters = given,
        shouldBatchFetch = function(view, parameters)
          if view.fetches == 0 then print(parameters.distance, parameters ~= given) end
          return true
        end,
      }
      print(policy)
      return lookahead.source { policy = policy, fetch = function() return { items = {} } end }
      """)

    #expect(run.printed == ["policy: near", "5\ttrue"])
  }

  @Test func `a plain function is given an empty table`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        shouldBatchFetch = function(view, parameters) if view.fetches == 0 then print(next(parameters)) end return true end,
        fetch = function() return { items = {} } end,
      }
      """)

    #expect(run.printed == ["nil"])
  }

  @Test(arguments: [
    "\"leadingScreens(2)\"", "\"prefetchDistance(3)\"", "\"remainingTime(5)\"", "\"ramp\"", "\"majority\"",
    "\"everything\"",
    "\"onDemand\"", "lookahead.policy.leadingScreens()", "lookahead.policy.leadingScreens(3)",
    "lookahead.policy.prefetchDistance(10)", "lookahead.policy.remainingTime(2)", "lookahead.policy.ramp()",
    "lookahead.policy.majority()", "lookahead.policy.everything()", "lookahead.policy.onDemand()",
    "lookahead.policy.anyOf(\"ramp\", function(view) return view.hint end)",
    "lookahead.policy.allOf { \"everything\", \"leadingScreens(1)\" }",
    "lookahead.policy.notWhile(\"everything\", function(view) return view.inFlight > 1 end)",
    "lookahead.policy.hysteresis(\"leadingScreens(1)\", 3)",
    "lookahead.policy.hysteresis(3, \"leadingScreens(1)\")",
    "lookahead.policy.atMost(2, \"everything\")", "lookahead.policy.atMost(\"everything\", 2)",
    "lookahead.policy.anyOf(lookahead.policy.allOf(\"everything\"), lookahead.policy.atMost(1, \"ramp\"))",
  ])
  func `every policy reads a source to its end`(_ policy: String) throws {
    for keys in ["offset", "cursor"] {
      let script =
        numbers + """
          local source = numbers(95, { policy = \(policy), keys = "\(keys)", fetch = function(context)
            lookahead.sleep(1)
            local items, from = {}, context.key or 0
            for id = from + 1, math.min(95, from + context.size) do items[#items + 1] = { id = id } end
            return { items = items, nextKey = from + #items < 95 and from + #items or nil }
          end })
          if \(keys == "offset") then return source end
          for item in source:items() do lookahead.emit(item) lookahead.sleep(0.01) end
          """

      let run = try ScriptRun(script)

      #expect(run.items().count == 95)
      #expect(run.failure == nil)
    }
  }

  @Test func `at most so many fetches per second is kept`() throws {
    let run = try ScriptRun(
      numbers + "return numbers(95, { policy = lookahead.policy.atMost(0.5, \"everything\") })")

    #expect(run.seconds >= 18)
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.policy {}", message: "feed.lua:1: lookahead.policy: shouldBatchFetch is missing"),
    ScriptCase(
      script: "lookahead.policy { shouldbatchfetch = print }",
      message:
        "feed.lua:1: lookahead.policy: unknown key 'shouldbatchfetch' (did you mean 'shouldBatchFetch'?)"),
    ScriptCase(
      script: "lookahead.policy.leadingScreens(0)",
      message: "feed.lua:1: leadingScreens: argument 1: expected a number above 0, got 0"),
    ScriptCase(
      script: "lookahead.policy.prefetchDistance()",
      message: "feed.lua:1: prefetchDistance: argument 1: expected an integer of at least 0, got nothing"),
    ScriptCase(
      script: "lookahead.policy.anyOf()", message: "feed.lua:1: anyOf: expected at least one policy, got none"
    ),
    ScriptCase(
      script: "lookahead.policy.notWhile(\"ramp\")",
      message: "feed.lua:1: notWhile: expected a policy, got nothing"),
    ScriptCase(
      script: "lookahead.policy.hysteresis(\"ramp\")",
      message: "feed.lua:1: hysteresis: argument 2: expected a number above 0, got nothing"),
    ScriptCase(
      script: "lookahead.policy.leadingscreens(2)",
      message:
        "feed.lua:1: lookahead.policy: unknown policy 'leadingscreens' (did you mean 'leadingScreens'?)"),
  ])
  func `wrong policies are refused at their line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }
}
