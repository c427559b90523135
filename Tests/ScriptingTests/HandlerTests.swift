import Items
import Paging
import Scripting
import Testing

@Suite struct HandlerTests {
  @Test(arguments: cases("handlers") as [ScriptCase])
  func `a handler that breaks its promise is told which`(_ example: ScriptCase) throws {
    let run = try ScriptRun("return lookahead.source { fetch = function(context) \(example.script) end }")

    #expect(run.failure == example.message)
    #expect(run.isFinished)
  }

  @Test(arguments: ["nextKey = 2^53", "nextKey = -1e300", "previousKey = 12345678901234567890.0"])
  func `a key that stands for its neighbours too is refused`(key: String) throws {
    let run = try ScriptRun(
      "return lookahead.source { fetch = function() return { items = { { id = 1 } }, \(key) } end }")

    #expect(run.failure?.contains("Key: ") == true, "\(run.failure ?? "")")
    #expect(run.failure?.contains("is more than a number keeps exactly") == true, "\(run.failure ?? "")")
  }

  @Test(arguments: [
    ("1764320507.123456850", false), ("12345678901234567890", false), ("1764320507.1234567", true),
    ("1.50", true),
    ("1e3", true), ("7", true),
  ])
  func `a bookmark of which digits would be lost is refused`(value: String, isKept: Bool) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { bookmark = "at", fetch = function()
        return { items = lookahead.json.decode('[{"id":1,"at": \(value) ,"b":2}]') }
      end }
      """)

    #expect(run.items().count == (isKept ? 1 : 0))
    #expect(run.failure?.contains("bookmark 'at': ") == (isKept ? nil : true), "\(run.failure ?? "")")
  }

  @Test func `a handler ends by returning a page`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        return { items = { { id = context.key or 0 } }, nextKey = (context.key or 0) < 2 and (context.key or 0) + 1 or nil }
      end }
      """)

    #expect(run.items() == [#"{"id":0}"#, #"{"id":1}"#, #"{"id":2}"#])
    #expect(run.statistics.pages == 3)
  }

  /// Page 2 only removes; past the end some sources say again what is gone.
  @Test(arguments: ["page", "offset"], [(1, false), (1, true), (4, false), (4, true)])
  func `a counted page that only removes is not the end, and one that says the same again is`(
    keys: String, way: (width: Int, repeats: Bool)
  ) throws {
    let run = try ScriptRun(
      """
      local pages = { { { id = 1 }, { id = 2 } }, {}, { { id = 5 }, { id = 6 } } }
      local removed = { nil, { 2, 9 }, \(way.repeats ? "{ 3 }" : "nil") }
      return lookahead.source { keys = "\(keys)", pageSize = 2, maxInFlight = \(way.width), fetch = function(context)
        local page = "\(keys)" == "page" and context.key or context.key // 2 + 1
        return { items = pages[page] or {}, removed = removed[math.min(page, 3)] }
      end }
      """)

    #expect(run.failure == nil)
    #expect(run.isFinished)
    #expect(run.items() == [1, 2, 5, 6].map { "{\"id\":\($0)}" })
    #expect(run.world.requests.isEmpty)
  }

  @Test func `an item set goes on behind a page that only removes`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { keys = "page", fetch = function(context)
        if context.key == 2 then return { items = {}, removed = { 1 } } end
        return { items = context.key < 4 and { { id = context.key } } or {} }
      end }
      local set = source:itemSet()
      for _ = 1, 5 do set:fetchNextPage() end
      print(set.count, set.lastFetchedPage)
      """)

    #expect(run.printed == ["2\t5"])
  }

  @Test func `an item set goes on behind its last page, once that has items`() throws {
    let run = try ScriptRun(
      """
      local count = 1
      local source = lookahead.source { keys = "page", pageSize = 1, fetch = function(context)
        return { items = context.key <= count and { { id = context.key } } or {} }
      end }
      local set = source:itemSet()
      for _ = 1, 4 do set:fetchNextPage() end
      local before = set.lastPageAlreadyFetched
      count = 4
      set:fetchPage(set.lastFetchedPage)
      print(before, set.lastPageAlreadyFetched)
      """)

    #expect(run.printed == ["true\tfalse"])
  }

  @Test func `a handler ends by completing, and the next key is the one it set`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        local key = context.key or 1
        context:append { { id = key } }
        context.nextKey = key + 1
        context.total = 3
        context:complete(key < 3)
      end }
      """)

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
  }

  @Test func `what is appended is shown at once`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        context:append { { id = 1 }, { id = 2 } }
        lookahead.sleep(5)
        context:append { { id = 3 } }
        context:complete(false)
      end }
      """)

    #expect(run.world.deliveries.map(\.at.seconds) == [0, 5])
    #expect(run.world.deliveries.map(\.delivery.items.count) == [2, 1])
  }

  @Test(arguments: [
    "return { items = { { id = pages } }, isLast = pages == 3 }",
    "context:append { { id = pages } } context:complete(pages < 3)",
  ])
  func `a cursor that has no key and says that more follow is one whose handler keeps the place`(
    ending: String
  ) throws {
    let run = try ScriptRun(
      """
      local pages = 0
      return lookahead.source { fetch = function(context)
        pages = pages + 1
        \(ending)
      end }
      """)

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
    #expect(run.failure == nil)
  }

  @Test(arguments: [
    "return { items = { { id = 1 } }, isLast = false }",
    "context:append { { id = 1 } } context:complete(true)",
  ])
  func `a cursor that has no key and says that more follow is no end`(ending: String) throws {
    let run = try ScriptRun("return lookahead.source { fetch = function(context) \(ending) end }")

    #expect(run.items().count == 1)
    #expect(run.failure?.contains("brought nothing new 8 times in a row") == true, "\(run.failure ?? "")")
  }

  @Test(arguments: ["lookahead.null", "false", "\"\""])
  func `what says no key ends the pages`(_ key: String) throws {
    let run = try ScriptRun(
      "return lookahead.source { fetch = function() return { items = { { id = 1 } }, nextKey = \(key) } end }"
    )

    #expect(run.items().count == 1)
    #expect(run.failure == nil)
  }

  @Test func `a key may be any value of JSON`() throws {
    let lines = try printed(
      by: """
        local source = lookahead.source { fetch = function(context)
          local key = context.key or { page = 0, after = "" }
          print(key.page, key.after)
          return { items = { { id = key.page } }, nextKey = key.page < 2 and { page = key.page + 1, after = "x" } or nil }
        end }
        for _ in source:items() do end
        """)

    #expect(lines == ["0\t", "1\tx", "2\tx"])
  }

  @Test func `a key that repeats ends the run and names the source`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { name = "issues", fetch = function(context)
        return { items = { { id = context.key or 0 } }, nextKey = "a" }
      end }
      """)

    #expect(run.items() == [#"{"id":0}"#, #"{"id":"a"}"#])
    #expect(
      run.failure == "source 'issues': the next key is a, which was already used: the pages form a loop")
    #expect(run.code == "repeatedKey")
  }

  @Test func `a source that brings nothing new is stopped`() throws {
    let run = try ScriptRun(
      "return lookahead.source { name = \"issues\", fetch = function(c) c:append { { id = 1 } } c:complete(true) end }"
    )

    #expect(run.items().count == 1)
    #expect(
      run.failure
        == "source 'issues' brought nothing new 8 times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)")
  }

  @Test func `the error of a handler keeps its code and fields`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { fetch = function() error { code = "mine", message = "no", count = 3 } end }
      local ok, err = pcall(function() for _ in source:items() do end end)
      print(ok, err.code, err.message, err.count, err)
      """)

    #expect(run.printed == ["false\tmine\tno\t3\tno"])
  }

  @Test func `an error after a good page is not that of an earlier attempt`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { backoff = { jitter = "none" }, fetch = function(context)
        if context.attempt == 1 and not context.key then context:fail("at first") return end
        return { items = { { id = context.key or 0 } }, nextKey = "a" }
      end }
      """)

    #expect(run.failure?.contains("the pages form a loop") == true)
  }
}
