import Scripting
import Testing

@Suite struct PrefetchItemTests {
  /// One line: `source(count, given)`, numbers with details that take a second each and are counted in `calls`.
  private let source =
    numbers + """
      local calls = 0 \
      local function source(count, given) \
        given = given or {} \
        given.prefetchItem = given.prefetchItem or function(id) \
          calls = calls + 1 \
          lookahead.sleep(1) \
          return "detail of " .. id \
        end \
        return numbers(count, given) \
      end\n
      """

  private func lines(_ script: String) throws -> [String] { try printed(by: source + script) }

  @Test func `the details of what lies ahead are there when a loop comes to it`() throws {
    let lines = try lines(
      """
      local items = source(40, { maxInFlight = 1, policy = "everything" })
      local details, last = items.prefetcher, nil
      for item in items:items() do
        last = details:get(item.id)
        lookahead.sleep(0.5)
      end
      print(last, calls, details.stats.hits, details.stats.wasted)
      """)

    #expect(lines == ["detail of 40\t40\t39\t0"])
  }

  @Test func `a loop that does nothing but read details has four of them at a time`() throws {
    let lines = try lines(
      """
      local items = source(40, { policy = "everything" })
      for item in items:items() do items.prefetcher:get(item.id) end
      print(lookahead.now(), calls)
      """)

    #expect(lines == ["11.0\t40"])
  }

  @Test func `loops over pages prefetch as well`() throws {
    let lines = try lines(
      """
      local items = source(40, { policy = "everything" })
      for page in items:pages() do
        for _, item in ipairs(page) do items.prefetcher:get(item.id) end
      end
      print(lookahead.now(), calls)
      """)

    #expect(lines == ["11.0\t40"])
  }

  @Test func `nothing beyond the preload range is fetched`() throws {
    let lines = try lines(
      """
      local items = source(1000, { maxInFlight = 1, policy = "everything" })
      for item in items:items() do
        lookahead.sleep(200)
        print(calls, items.prefetcher:peek(36), items.prefetcher:peek(37))
        break
      end
      """)

    #expect(lines == ["36\tdetail of 36\tnil"])
  }

  @Test func `what a loop has passed is not fetched any more`() throws {
    let lines = try lines(
      """
      local items = source(200, { maxInFlight = 1, prefetchItem = function()
        calls = calls + 1
        lookahead.sleep(100)
        return true
      end })
      for _ in items:items() do end
      local stats = items.prefetcher.stats
      print(calls > 0 and calls <= 5 * 20, stats.cancelled > 0, stats.count, stats.inFlight, stats.queued)
      """)

    #expect(lines == ["true\ttrue\t0\t0\t0"])
  }

  @Test func `leaving a loop takes back what was prefetched, not what is waited for`() throws {
    let lines = try lines(
      """
      local items = source(100)
      local reader
      for item in items:items() do
        reader = lookahead.spawn(function() return items.prefetcher:get(9) end)
        lookahead.sleep(0.5)
        break
      end
      print(items.prefetcher.stats.inFlight, items.prefetcher.stats.queued)
      print(reader:wait(), lookahead.now())
      """)

    #expect(lines == ["1\t0", "detail of 9\t2.5"])
  }

  @Test func `a run ends when its loops do, whatever is being prefetched`() throws {
    let run = try ScriptRun(source + "for _ in source(10):items() do end")

    #expect(run.isFinished)
    #expect(run.failure == nil)
    #expect(run.seconds < 3)
  }

  @Test func `partitions have prefetchers of their own, and tell their handlers who they are`() throws {
    let lines = try lines(
      """
      local items = source(10, { prefetchItem = function(id, context)
        return context.parameters.name .. id
      end })
      local one, two = items:with { name = "one " }, items:with { name = "two " }
      print(one.prefetcher:get(1), two.prefetcher:get(1), one.prefetcher == one.prefetcher)
      print(one.prefetcher == two.prefetcher, one.prefetcher.stats.count)
      """)

    #expect(lines == ["one 1\ttwo 1\ttrue", "false\t1"])
  }

  @Test func `the handler may be declared like the fetch handler`() throws {
    let lines = try printed(
      by: """
        local items = lookahead.source { name = "things" }
        function items.fetch() return { items = { { id = "a" } } } end
        function items.prefetchItem(id, context) return id .. context.attempt end
        for item in items:items() do print(items.prefetcher:get(item.id)) end
        """)

    #expect(lines == ["a1"])
  }

  @Test func `a failed detail is tried again when the loop comes to it`() throws {
    let lines = try lines(
      """
      local items = source(3, { prefetchItem = function(id, context)
        if context.attempt == 1 then error("not yet") end
        return context.attempt
      end })
      for item in items:items() do
        lookahead.sleep(1)
        print(items.prefetcher:get(item.id))
      end
      """)

    #expect(lines == ["2", "2", "2"])
  }

  @Test func `a returned source whose transform wants details delivers them`() throws {
    let run = try ScriptRun(
      source + """
        local items = source(12)
        items.transform = function(item)
          return { id = item.id, detail = items.prefetcher:get(item.id) }
        end
        return items
        """)

    #expect(run.failure == nil)
    #expect(run.items().count == 12)
    #expect(run.items().last == #"{"detail":"detail of 12","id":12}"#)
  }

  @Test func `a returned source that nobody looks at fetches no details`() throws {
    let run = try ScriptRun(source + "local items = source(30, { prefetchItem = print }) return items")

    #expect(run.items().count == 30)
    #expect(run.printed == [])
  }

  @Test func `a check fetches no details`() throws {
    let script = """
      lookahead.prefetcher { fetch = print }:prefetch { 1 }
      local items = lookahead.source { name = "things", fetch = print, prefetchItem = print }
      items.prefetcher:prefetch { 1 }
      for item in items:items() do items.prefetcher:get(item.id) end
      """

    let run = try ScriptRun(script) { $0.isCheck = true }

    #expect(run.isFinished)
    #expect(run.outcome == [])
  }

  @Test func `equal seeds give equal traces`() throws {
    let script =
      source + """
        local items = source(60)
        for item in items:items() do
          if item.id % 7 == 0 then items.prefetcher:invalidate() end
          if item.id % 3 == 0 then items.prefetcher:get(item.id) end
        end
        """

    let traces = try (0..<3).map { _ in try ScriptRun(script).trace }

    #expect(traces[0].count > 100)
    #expect(traces[1] == traces[0])
    #expect(traces[2] == traces[0])
  }

  @Test func `many details leave nothing behind but what is held`() throws {
    let held = try lines(
      """
      local details = lookahead.prefetcher { capacity = 10, fetch = function(id)
        lookahead.sleep(0.1)
        return { id = id, text = ("x"):rep(100) .. id }
      end }
      for id = 1, 20000 do
        details:prefetch { id, id + 1, id + 2 }
        if id % 2 == 0 then details:get(id) else details:cancelPrefetch { id + 1 } end
        if id % 500 == 0 then collectgarbage() print(collectgarbage("count")) end
      end
      """
    ).compactMap { Double($0) }

    #expect(held.count == 40)
    #expect(held.suffix(5).min()! < held.prefix(5).max()! + 500)
  }
}
