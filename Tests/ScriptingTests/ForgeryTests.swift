import Scripting
import Testing

/// Scripts that give the host something else than what it looked at.
@Suite struct ForgeryTests {
  private static let source = "fetch = function() return { items = { { id = 1 } } } end"

  @Test(arguments: [
    "rawset(policy, 'parts', { 0x5f5f5f5f5f5f })", "rawset(policy, 'parts', 12345678)",
    "rawset(policy, 'kind', 'combined') rawset(policy, 'name', 'notWhile')",
    "rawset(policy, 'name', 'atMost')",
    "rawset(policy, 1, print)", "rawset(policy, 'shouldBatchFetch', 5) rawset(policy, 'kind', 'script')",
  ])
  func `a policy is what was declared, whatever is written into what a script holds`(_ forgery: String) throws
  {
    let lines = try printed(
      by: """
        local policy = lookahead.policy.anyOf("ramp", "everything")
        \(forgery)
        local source = lookahead.source { name = "s", policy = policy, \(Self.source) }
        for item in source:items() do print(item.id) break end
        """)

    #expect(lines == ["1"])
  }

  @Test func `a policy cannot be written`() throws {
    #expect(
      try failure(of: "lookahead.policy.ramp().parts = {}")
        == "feed.lua:1: a declared policy cannot be changed: declare another one")
  }

  @Test func `options are read once, as they are`() throws {
    let lines = try printed(
      by: """
        local asked = 0
        local forged = setmetatable({ name = "real", \(Self.source) }, {
          __pairs = function(own)
            asked = asked + 1
            return next, asked == 1 and own or { policy = 12345, fetch = 5 }, nil
          end,
          __index = function(_, key) asked = asked + 1 return key == "policy" and 12345 or nil end,
          __len = function() asked = asked + 1 return math.maxinteger end,
        })
        local source = lookahead.source(forged)
        rawset(forged, "fetch", 5)
        rawset(forged, "policy", 12345)
        for item in source:items() do print(source.name, item.id) break end
        print(asked)
        """)

    #expect(lines == ["real\t1", "0"])
  }

  @Test func `what is nested in options is read once as well`() throws {
    let run = try ScriptRun(
      """
      local backoff, limit = { base = 1, cap = 2 }, { requests = 10 }
      local source = lookahead.source { backoff = backoff, rateLimit = limit, \(Self.source) }
      backoff.base, limit.requests = "x", {}
      for item in source:items() do print(item.id) break end
      """)

    #expect(run.failure == nil)
    #expect(run.printed == ["1"])
  }

  @Test func `a list is as long as it is`() throws {
    let lines = try printed(
      by: """
        local function long(list) return setmetatable(list, { __len = function() return math.maxinteger end }) end
        local source = lookahead.source {
          name = "s", transform = function(item) return long { item } end,
          fetch = function() return { items = long { { id = 1 }, { id = 2 } } } end,
        }
        for item in source:items() do print(item.id) if item.id == 2 then break end end
        print(#lookahead.all(long { function() return 1 end }))
        print(lookahead.json.encode(long { 1, 2 }))
        print(pcall(lookahead.http.get, "http://x", { query = long { a = long { 1 } } }))
        """)

    #expect(lines.prefix(4) == ["1", "2", "1", "[1,2]"])
  }

  @Test func `policies are nested thirty-two deep at most`() throws {
    let script = """
      local policy = lookahead.policy.ramp()
      for _ = 1, COUNT do policy = lookahead.policy.anyOf(policy) end
      print(policy)
      """

    #expect(try printed(by: script.replacing("COUNT", with: "31")) == ["policy: anyOf"])
    #expect(
      try failure(of: script.replacing("COUNT", with: "200000"))
        == "feed.lua:2: anyOf: policies are nested deeper than 32")
  }

  @Test func `a combination of nothing is refused`() throws {
    #expect(
      try failure(of: "lookahead.policy.anyOf(nil, 'ramp')")
        == "feed.lua:1: anyOf: expected a policy, got nothing")
    #expect(
      try failure(of: "lookahead.policy.notWhile('ramp')")
        == "feed.lua:1: notWhile: expected a policy, got nothing")
    #expect(
      try failure(of: "lookahead.policy.allOf()")
        == "feed.lua:1: allOf: expected at least one policy, got none")
  }

  @Test func `a policy whose answer changes while it is read is told`() throws {
    let run = try ScriptRun(
      """
      local function evil()
        local t = {}
        for i = 1, 40 do
          t["k" .. i] = setmetatable({}, { __tostring = function()
            for k in next, t do t[k] = nil end
            for j = 1, 200 do t["n" .. i .. j] = j end
            return "x"
          end })
        end
        return t
      end
      local source = lookahead.source { name = "s", policy = evil, \(Self.source) }
      for item in source:items() do print(item.id) break end
      """)

    #expect(run.failure == nil)
    #expect(run.printed == ["1"])
  }

  @Test func `a task is resumed by what it waits for and by nothing else`() throws {
    let lines = try printed(
      by: """
        local inner
        local task = lookahead.spawn(function()
          inner = coroutine.running()
          lookahead.sleep(1)
          return "right"
        end)
        lookahead.spawn(function()
          print(coroutine.resume(inner, true, "forged"))
          print(select(2, pcall(coroutine.close, inner)))
        end):wait()
        print(task:wait())
        """)

    #expect(
      lines == [
        "false\tcannot resume a task: it goes on when what it waits for is there",
        "cannot close a task: cancel it",
        "right",
      ])
  }

  @Test func `a policy does not get hold of the state it decides in`() throws {
    let run = try ScriptRun(
      """
      local main
      local source = lookahead.source { name = "s", \(Self.source) }
      function source.shouldBatchFetch(view)
        main = coroutine.running()
        if view.fetches > 0 then return true end
        coroutine.wrap(function()
          print(pcall(coroutine.close, main))
          print(coroutine.resume(main, 1))
        end)()
        return true
      end
      for item in source:items() do
        assert(main == nil)
        break
      end
      """)

    #expect(run.failure == nil)
    #expect(run.printed.first?.hasPrefix("false\tcannot close a") == true)
    #expect(run.printed.last?.hasPrefix("false\tcannot resume") == true)
  }
}
