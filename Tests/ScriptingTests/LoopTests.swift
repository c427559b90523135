import Paging
import Scripting
import Testing

@Suite struct LoopTests {
  @Test func `items come one by one, pages as lists`() throws {
    let lines = try printed(
      by: numbers + """
        local sum, count = 0, 0
        for item in numbers(25):items() do sum, count = sum + item.id, count + 1 end
        print(sum, count)
        for page in numbers(25):pages() do print(#page, page[1].id) end
        """)

    #expect(lines == ["325\t25", "10\t1", "10\t11", "5\t21"])
  }

  @Test func `pages are fetched ahead of the loop, as the policy says`() throws {
    func fetched(_ setting: String) throws -> String {
      let script =
        numbers + """
          local keys = {}
          local source = numbers(1000, { maxInFlight = 1, \(setting) fetch = function(context)
            keys[#keys + 1] = context.key
            local items = {}
            for id = context.key + 1, context.key + context.size do items[#items + 1] = { id = id } end
            return { items = items }
          end })
          for item in source:items() do if item.id == 5 then lookahead.sleep(1) break end end
          print(table.concat(keys, " "))
          """
      return try printed(by: script).joined()
    }

    #expect(try fetched("policy = \"onDemand\",") == "0")
    #expect(try fetched("prefetchDistance = 8,") == "0 10")
    #expect(try fetched("prefetchDistance = 25,") == "0 10 20 30")
    #expect(try fetched("leadingScreens = 1,") == "0 10 20")
    #expect(try fetched("leadingScreens = 3,") == "0 10 20 30 40")
    #expect(try fetched("initialPageSize = 40, leadingScreens = 1,") == "0")
  }

  @Test func `a loop waits only where the next page is not there yet`() throws {
    let run = try ScriptRun(
      numbers
        + "for item in numbers(40, { maxInFlight = 1, prefetchDistance = 9 }):items() do lookahead.sleep(0.2) end"
    )

    #expect(run.statistics.stalls == 0)
    #expect(abs(run.seconds - (1 + 40 * 0.2)) < 1e-6)
  }

  @Test func `leaving a loop closes its feed and cancels what is in flight`() throws {
    let run = try ScriptRun(
      numbers + """
        for item in numbers(1000):items() do break end
        print(lookahead.now())
        lookahead.sleep(10)
        """)

    #expect(run.printed == ["1.0"])
    #expect(run.statistics.inFlight == 0)
    #expect(run.trace.contains { $0.hasPrefix("  cancel ") })
    #expect(run.statistics.pages == 1)
  }

  @Test func `an error in a loop closes its feed too`() throws {
    let run = try ScriptRun(numbers + "for item in numbers(1000):items() do error(\"oh\") end")

    #expect(run.failure == "feed.lua:2: oh")
    #expect(run.statistics.inFlight == 0)
    #expect(run.isFinished)
  }

  @Test func `an iterator that is left open does not keep the run from ending`() throws {
    let run = try ScriptRun(numbers + "local following = numbers(1000):items() print(following().id)")

    #expect(run.printed == ["1"])
    #expect(run.isFinished)
    #expect(run.failure == nil)
  }

  @Test func `loops may be nested, each source with its own parameters`() throws {
    let run = try ScriptRun(
      """
      local repos = lookahead.source { name = "repos", fetch = function()
        lookahead.sleep(1)
        return { items = { { id = "a" }, { id = "b" } } }
      end }
      local issues = lookahead.source { name = "issues", parameters = { state = "open" } }
      function issues.fetch(context)
        lookahead.sleep(1)
        local parameters = context.parameters
        return { items = { { id = parameters.repo .. 1, state = parameters.state }, { id = parameters.repo .. 2 } } }
      end
      for repo in repos:items() do
        for issue in issues:with { repo = repo.id }:items() do lookahead.emit(issue) end
      end
      for issue in issues:with({ repo = "c" }):with({ state = "closed" }):items() do lookahead.emit(issue) end
      """)

    #expect(
      run.items() == [
        #"{"id":"a1","state":"open"}"#, #"{"id":"a2"}"#, #"{"id":"b1","state":"open"}"#, #"{"id":"b2"}"#,
        #"{"id":"c1","state":"closed"}"#, #"{"id":"c2"}"#,
      ])
    #expect(run.seconds == 4)
  }

  @Test func `rows are tables of the script's own`() throws {
    let lines = try printed(
      by: """
        local source = lookahead.source { fetch = function()
          return { items = { { id = 1, tags = { "a", "b" }, none = lookahead.null, big = 9007199254740993 } } }
        end }
        for item in source:items() do
          item.extra = true
          print(item.id, #item.tags, item.none == lookahead.null, item.big, item.extra, item.missing)
        end
        """)

    #expect(lines == ["1\t2\ttrue\t9007199254740993\ttrue\tnil"])
  }

  @Test func `two tasks cannot wait in one loop`() throws {
    let script =
      numbers + """
        local following = numbers(100):items()
        local function work() for item in following do end end
        lookahead.all { work, work }
        """

    #expect(
      try failure(of: script)
        == "feed.lua:3: source:items: another task waits in this loop: give each task a loop of its own")
  }
}
