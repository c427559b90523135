import Testing

@Suite struct WaitingPlaceTests {
  @Test(arguments: [
    "table.sort({ 2, 1 }, function(a, b) lookahead.sleep(1) return a < b end)",
    "string.gsub(\"a\", \"a\", function() lookahead.sleep(1) end)",
    "tostring(setmetatable({}, { __tostring = function() lookahead.sleep(1) end }))",
    "assert(load(function() lookahead.sleep(1) end))",
    "table.sort({ 2, 1 }, coroutine.wrap(function(a, b) lookahead.sleep(1) end))",
  ])
  func `a wait where none is possible says so`(_ script: String) throws {
    let message = try #require(try failure(of: script))

    #expect(
      message.contains(
        "feed.lua:1: lookahead.sleep waits, which is not possible here: inside a policy, a table.sort comparison, "
          + "a string.gsub replacement or the like"))
  }

  @Test func `a policy may not wait, and its source is read all the same`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        shouldBatchFetch = function(view) lookahead.sleep(1) return true end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """)

    #expect(run.items().count == 1)
    #expect(
      run.logged == [
        "warn: source 'feed': the policy failed: feed.lua:2: lookahead.sleep waits, which is not possible here: "
          + "inside a policy, a table.sort comparison, a string.gsub replacement or the like, "
          + "so the built-in rule decided"
      ])
  }

  @Test func `a transform and a function for ids may wait`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        id = function(item) lookahead.sleep(1) return item.n end,
        transform = function(item) lookahead.sleep(1) return item end,
        fetch = function() return { items = { { n = 1 }, { n = 2 } } } end,
      }
      """)

    #expect(run.items().count == 2)
    #expect(run.seconds == 4)
  }

  @Test func `waits work in metamethods, iterators and closings`() throws {
    let lines = try printed(
      by: """
        local slow = setmetatable({}, {
          __index = function(_, key) lookahead.sleep(1) return key end,
          __call = function() lookahead.sleep(1) return "called" end,
          __close = function() lookahead.sleep(1) end,
          __pairs = function() return function(_, n) lookahead.sleep(1) if not n then return 1 end end end,
        })
        do
          local guard <close> = slow
          print(slow.a, slow(), lookahead.now())
          for n in pairs(slow) do print(n) end
        end
        print(lookahead.now())
        """)

    #expect(lines == ["a\tcalled\t2.0", "1", "5.0"])
  }
}
