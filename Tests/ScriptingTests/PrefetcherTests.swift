import Testing

@Suite struct PrefetcherTests {
  private func lines(_ script: String) throws -> [String] { try printed(by: countedDetails + script) }

  @Test func `get waits for the handler, and has the value at once after that`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail }
      print(details:get("a").id, lookahead.now())
      print(details:get("a").number, lookahead.now(), calls)
      print(details:peek("a").number, details:peek("b"))
      """)

    #expect(lines == ["a\t1.0", "1\t1.0\t1", "1\tnil"])
  }

  @Test func `a prefetched value is there when it is asked for`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail }
      details:prefetch { 1, 2, 3 }
      lookahead.sleep(2)
      for id = 1, 3 do assert(details:get(id).id == id) end
      print(lookahead.now(), calls, details.stats.hits)
      """)

    #expect(lines == ["2.0\t3\t3"])
  }

  @Test func `any value of Lua may be the details, the very same for all`() throws {
    let lines = try lines(
      """
      local kinds = { text = "x", number = 1.5, no = false, f = print, null = lookahead.null }
      local details = lookahead.prefetcher { fetch = function(id) return kinds[id] end }
      for id, kind in pairs(kinds) do assert(details:get(id) == kind and details:peek(id) == kind) end
      local tables = lookahead.prefetcher { fetch = function() return {} end }
      print(tables:get(1) == tables:get(1), tables:get(1) == tables:get(2))
      """)

    #expect(lines == ["true\tfalse"])
  }

  @Test func `readers join one fetch`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail }
      details:prefetch { "a" }
      local function read() return details:get("a") end
      local got = lookahead.all { read, read, read }
      print(got[1] == got[2] and got[2] == got[3], calls, details.stats.joins, lookahead.now())
      """)

    #expect(lines == ["true\t1\t3\t1.0"])
  }

  @Test func `a reader overtakes prefetches`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail, maxInFlight = 1 }
      details:prefetch { 1, 2, 3, 4 }
      details:get(4)
      lookahead.sleep(0)
      print(table.concat(order, " "), details.stats.inFlight, details.stats.queued)
      """)

    #expect(lines == ["1 4 2\t1\t1"])
  }

  @Test func `a cancelled prefetch ends its handler, and takes nothing from a reader`() throws {
    let lines = try lines(
      """
      local ended = {}
      local details = lookahead.prefetcher { fetch = function(id)
        local guard <close> = setmetatable({}, { __close = function() ended[#ended + 1] = id end })
        lookahead.sleep(2)
        return id
      end }
      details:prefetch { "a", "b" }
      local reader = lookahead.spawn(function() return details:get("b") end)
      lookahead.sleep(1)
      details:cancelPrefetch { "a", "b" }
      print(table.concat(ended, " "), details.stats.cancelled)
      print(reader:wait(), lookahead.now(), details:peek("a"))
      """)

    #expect(lines == ["a\t1", "b\t2.0\tnil"])
  }

  @Test func `a cancelled reader gives back its token`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail }
      local first = lookahead.spawn(function() return details:get("a") end)
      local second = lookahead.spawn(function() return details:get("a") end)
      lookahead.sleep(0.5)
      first:cancel()
      print(details.stats.inFlight, details.stats.cancelled)
      second:cancel()
      print(details.stats.inFlight, details.stats.cancelled)
      print(details:get("a").number, lookahead.now())
      """)

    #expect(lines == ["1\t0", "0\t1", "2\t1.5"])
  }

  @Test func `a failure reaches every waiter as the script raised it`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = function(id, context)
        lookahead.sleep(1)
        if context.attempt < 3 then error { code = "mine", message = "no " .. id, attempt = context.attempt } end
        return "at last"
      end }
      local function read()
        local ok, err = pcall(details.get, details, "a")
        return ok, err.code, tostring(err), err.attempt
      end
      local one, two = lookahead.spawn(read), lookahead.spawn(read)
      print(one:wait())
      print(two:wait())
      print(read())
      print(details:get("a"), details.stats.failed, lookahead.now())
      """)

    #expect(
      lines == ["false\tmine\tno a\t1", "false\tmine\tno a\t1", "false\tmine\tno a\t2", "at last\t2\t3.0"])
  }

  @Test func `a failed prefetch disturbs nobody`() throws {
    let run = try ScriptRun(
      """
      local details = lookahead.prefetcher { fetch = function(id) error("broken") end }
      details:prefetch { 1 }
      lookahead.sleep(1)
      print(details.stats.failed, pcall(details.get, details, 1))
      """)

    #expect(run.outcome == ["1\tfalse\tfeed.lua:1: broken"])
  }

  @Test func `what is stale is fetched again`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail, staleAfter = 10 }
      details:get("a")
      lookahead.sleep(9)
      print(details:get("a").number)
      lookahead.sleep(1)
      print(details:peek("a").number, details:get("a").number)
      """)

    #expect(lines == ["1", "1\t2"])
  }

  @Test func `no more is held than fits`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail, capacity = 2 }
      for id = 1, 3 do details:get(id) end
      print(details:peek(1), details:peek(2).id, details:peek(3).id, details.stats.evicted, details.stats.count)
      """)

    #expect(lines == ["nil\t2\t3\t1\t2"])
  }

  @Test func `invalidated details are fetched again, in flight too`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = detail }
      details:get("a")
      details:get("b")
      details:invalidate { "a" }
      print(details:peek("a"), details:peek("b").number)
      local reader = lookahead.spawn(function() return details:get("a").number end)
      lookahead.sleep(0.5)
      details:invalidate()
      print(reader:wait(), lookahead.now(), details:peek("b"))
      """)

    #expect(lines == ["nil\t2", "4\t3.5\tnil"])
  }

  @Test func `the context says whether anybody waits`() throws {
    let lines = try lines(
      """
      local details = lookahead.prefetcher { fetch = function(id, context)
        local before = context.isPrefetch
        lookahead.sleep(1)
        print(id, before, context.isPrefetch, context.attempt, context:isCancelled())
        return id
      end }
      details:prefetch { 1, 2 }
      lookahead.sleep(0.5)
      details:get(2)
      details:get(3)
      """)

    #expect(lines == ["1\ttrue\ttrue\t1\tfalse", "2\ttrue\tfalse\t1\tfalse", "3\tfalse\tfalse\t1\tfalse"])
  }
}
