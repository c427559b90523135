import Scripting
import Testing

/// Tasks that do whatever they like with one prefetcher, and are cancelled at any time.
@Suite struct PrefetcherFuzzTests {
  private static let script = """
    local fetching, reads = {}, 0
    local details = lookahead.prefetcher { capacity = math.random(8), maxInFlight = math.random(3),
      staleAfter = math.random(0, 3), fetch = function(id, context)
        assert(not fetching[id], "two fetches of one id")
        fetching[id] = true
        local guard <close> = setmetatable({}, { __close = function() fetching[id] = nil end })
        if math.random(3) > 1 then lookahead.sleep(math.random()) end
        if math.random(6) == 1 then error { code = "mine", message = "no", id = id } end
        return { id = id }
      end }

    local function some()
      local ids = {}
      for position = 1, math.random(0, 6) do ids[position] = math.random(12) end
      return ids
    end

    local tasks = {}
    local actions = {
      function() details:prefetch(some()) end,
      function() details:cancelPrefetch(some()) end,
      function() details:invalidate(math.random(2) == 1 and some() or nil) end,
      function() tasks[math.random(#tasks)]:cancel() end,
      function() lookahead.sleep(math.random()) end,
    }
    local function read()
      local id = math.random(12)
      reads = reads + 1
      local ok, got = pcall(details.get, details, id)
      if not (ok or got.code == "mine") then error(got, 0) end
      assert(got.id == id, "the details of another item")
    end
    for number = 1, 20 do
      tasks[number] = lookahead.spawn(function()
        for step = 1, 30 do (actions[math.random(8)] or read)() end
      end)
    end
    for _, task in ipairs(tasks) do
      local ok, err = pcall(task.wait, task)
      if not (ok or err.code == "cancelled") then error(err, 0) end
    end
    lookahead.sleep(60)
    local stats = details.stats
    print(stats.inFlight, stats.queued, next(fetching), stats.hits + stats.joins + stats.misses == reads)
    """

  @Test(arguments: 1...80)
  func `every reader gets his own details, and nothing is left over`(_ seed: UInt64) throws {
    let run = try ScriptRun(Self.script) { $0.seed = seed }

    #expect(run.outcome == ["0\t0\tnil\ttrue"], "seed \(seed)")
    #expect(run.isFinished, "seed \(seed)")
  }
}
