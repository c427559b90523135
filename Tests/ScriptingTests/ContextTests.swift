import Paging
import Scripting
import Testing

@Suite struct ContextTests {
  @Test func `a context says what is wanted`() throws {
    let lines = try printed(
      by: """
        local source = lookahead.source { pageSize = 5, initialPageSize = 7, parameters = { a = 1 }, fetch = function(context)
          print(context.key, context.size, context.direction, context.attempt, context.generation, context.parameters.a,
            context.query, context.nextKey, context.total, context:isCancelled())
          return { items = { { id = context.key or "first" } }, nextKey = not context.key and "second" or nil }
        end }
        for _ in source:items() do end
        """)

    #expect(
      lines == [
        "nil\t7\trefresh\t1\t1\t1\tnil\tnil\tnil\tfalse", "second\t5\tappend\t1\t1\t1\tnil\tnil\tnil\tfalse",
      ])
  }

  @Test(arguments: ["", "nextKey = context.nextKey", "total = 4", "nextKey = context.nextKey, total = 4.0"])
  func `what a page does not say its context says`(page: String) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        local key = context.key or 1
        context.nextKey = key < 3 and key + 1 or nil
        context.total = 4
        return { items = { { id = key } }, \(page) }
      end }
      """)

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
    #expect(run.failure == nil)
    #expect(run.workflow.coverage.missing == 1)
  }

  @Test func `a key of JSON may stand in the page and in the context`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        local id = context.key and context.key.after + 1 or 1
        context.nextKey = id < 3 and { after = id, of = "a" } or lookahead.null
        return { items = { { id = id } }, nextKey = id < 3 and { of = "a", after = id } or "" }
      end }
      """)

    #expect(run.items().count == 3)
    #expect(run.failure == nil)
  }

  @Test func `the total of a context is that of an item set, too`() throws {
    let script = """
      local set = lookahead.source { keys = "page", pageSize = 2, fetch = function(context)
        context.total = 5
        return { items = { { id = 2 * context.key }, { id = 2 * context.key + 1 } } }
      end }:itemSet()
      set:fetchNextPage()
      print(set.totalPages)
      """

    #expect(try printed(by: script) == ["3"])
  }

  @Test func `parameters are an empty table where there are none`() throws {
    let script = """
      return lookahead.source { fetch = function(context)
        print(next(context.parameters))
        return { items = {} }
      end }
      """

    #expect(try printed(by: script) == ["nil"])
  }

  @Test func `pages and offsets are counted from their first key`() throws {
    let script = """
      for _, given in ipairs { { "page" }, { "offset" }, { "page", 5 }, { "offset", 100 } } do
        local keys = {}
        local source = lookahead.source { keys = given[1], firstKey = given[2], pageSize = 2, maxInFlight = 1,
          fetch = function(context)
            keys[#keys + 1] = context.key
            return { items = { { id = 2 * #keys }, { id = 2 * #keys + 1 } }, isLast = #keys == 3 }
          end }
        for _ in source:items() do end
        print(table.concat(keys, " "))
      end
      """

    #expect(try printed(by: script) == ["1 2 3", "0 2 4", "5 6 7", "100 102 104"])
  }

  @Test func `a failed fetch is tried again with the next attempt's number`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        print(lookahead.now(), context.attempt)
        if context.attempt < 3 then return context:fail("too early", { retryAfter = 7 }) end
        return { items = { { id = 1 } } }
      end }
      """)

    #expect(run.printed == ["0.0\t1", "7.0\t2", "14.0\t3"])
    #expect(run.items().count == 1)
    #expect(run.failure == nil)
    #expect(run.statistics.retries == 2)
  }

  @Test func `retries wait longer each time and come to an end`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { name = "issues", retries = 3, backoff = { base = 1, cap = 3, jitter = "none" },
        fetch = function(context)
          print(lookahead.now(), context.attempt)
          context:fail("not now")
        end }
      """)

    #expect(run.printed == ["0.0\t1", "1.0\t2", "3.0\t3", "6.0\t4"])
    #expect(run.failure == "source 'issues': not now")
    #expect(run.code == "failed")
  }

  @Test func `a failure may refuse to be retried`() throws {
    let run = try ScriptRun(
      "return lookahead.source { fetch = function(context) context:fail(\"never\", { retry = false }) end }")

    #expect(run.seconds == 0)
    #expect(run.failure == "source 'feed': never")
  }

  @Test func `a fetch that nobody wants any more is cancelled`() throws {
    let run = try ScriptRun(
      numbers + """
        local closed = {}
        local source = numbers(100, { fetch = function(context)
          local guard <close> = setmetatable({}, { __close = function()
            closed[#closed + 1] = context.key .. " " .. tostring(context:isCancelled())
          end })
          lookahead.sleep(context.key == 0 and 1 or 100)
          return { items = { { id = context.key } } }
        end })
        for item in source:items() do break end
        print(lookahead.now(), table.concat(closed, ", "))
        """)

    #expect(run.printed == ["1.0\t0 false, 1 true"])
    #expect(run.seconds == 1)
  }

  @Test(arguments: [("false", true), ("'id'", false)])
  func `items without ids are not appended again by another attempt`(id: String, fails: Bool) throws {
    let run = try ScriptRun(
      """
      local s = lookahead.source { name = "s", id = \(id) }
      function s.fetch(context)
        context:append { { id = 1 }, { id = 2 } }
        if context.attempt == 1 then return context:fail("try again", { retryAfter = 0.05 }) end
        context:complete(false)
      end
      return s
      """)

    #expect(run.items().count == 2)
    let message = run.failure ?? ""
    #expect(message.contains("they would come twice") == fails, "\(message)")
  }

  @Test(arguments: [("false", 8, true), ("false", 7, false), ("'id'", 8, false)])
  func `a page that comes again and again without ids is told of`(id: String, times: Int, isTold: Bool) throws
  {
    let run = try ScriptRun(
      """
      local s = lookahead.source { name = "s", keys = "page", pageSize = 2, id = \(id) }
      function s.fetch(context)
        local n = context.key
        if context.key >= 3 and context.key < 3 + \(times) then n = 3 end
        return { items = { { id = n * 2 }, { id = n * 2 + 1 } }, isLast = context.key == 20 }
      end
      return s
      """)

    #expect(run.failure == nil)
    #expect(run.logged.contains { $0.contains("pages have the same items") } == isTold, "\(run.logged)")
  }

  @Test(arguments: [5, 1, 6], [false, true])
  func `pages before the first one come behind the last one, the nearest first`(first: Int, isLoop: Bool)
    throws
  {
    let run = try ScriptRun(
      """
      local s = lookahead.source { name = "s", firstKey = "\(first)" }
      local asked = {}
      function s.fetch(context)
        asked[#asked + 1] = context.key .. " " .. context.direction
        local place = tonumber(context.key)
        return { items = { { id = place } }, nextKey = place < 6 and tostring(place + 1) or nil,
          previousKey = place > 1 and tostring(place - 1) or nil }
      end
      local out = {}
      for item in s:items() do out[#out + 1] = item.id end
      print(table.concat(out, " "))
      print(asked[2])
      return \(isLoop ? "nil" : "s")
      """)

    let ids = Array(first...6) + (1..<first).reversed()
    #expect(run.printed.first == ids.map(String.init).joined(separator: " "))
    #expect(run.printed.last == (first == 6 ? "5 prepend" : "\(first + 1) append"))
    if !isLoop { #expect(run.items() == ids.map { #"{"id":\#($0)}"# }) }
  }
}
