import Testing

/// Pages of an item set that are asked for at once.
@Suite(.waiting) struct ItemSetPageTests {
  @Test func `each page is fetched, one after the other`() throws {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { keys = "page", pageSize = 3, fetch = function(context)
          lookahead.sleep(0.01)
          local items = {}
          for n = 1, 3 do items[n] = { id = (context.key - 1) * 3 + n } end
          return { items = items, total = 9 }
        end }
        local set = source:itemSet()
        local pages = lookahead.map({ 3, 1, 2 }, 3, function(page) return set:fetchPage(page) or {} end)
        for _, page in ipairs(pages) do print(#page) end
        for _, item in ipairs(set.items) do lookahead.emit(item) end
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 9, "\(result.output)")
    #expect(result.errors.hasPrefix("3\n3\n3\n"), "\(result.errors)")
  }

  @Test func `a total that falls between pages is told`() throws {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { name = "s", keys = "page", pageSize = 5, fetch = function(context)
          local gone, items = context.key > 2 and 1 or 0, {}
          for n = (context.key - 1) * 5 + 1 + gone, math.min(context.key * 5 + gone, 30) do items[#items + 1] = { id = n } end
          return { items = items, total = 30 - gone }
        end }
        local set = source:itemSet()
        while not set.lastPageAlreadyFetched do set:fetchNextPage() end
        for _, item in ipairs(set.items) do lookahead.emit(item) end
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 0 && result.errors.contains("its total fell by 1"), "\(result.errors)")
  }

  @Test func `where the task that asked first has ended, another one that waits is told of the page`() throws
  {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { keys = "page", pageSize = 2, fetch = function(context)
          lookahead.sleep(0.02)
          return { items = { { id = context.key * 2 - 1 }, { id = context.key * 2 } }, isLast = context.key == 2 }
        end }
        local set = source:itemSet()
        function set.onPageLoaded(new) for _, item in ipairs(new) do lookahead.emit(item) end end
        local first = lookahead.spawn(function() set:fetchNextPage() end)
        local second = lookahead.spawn(function() set:fetchNextPage() end)
        lookahead.sleep(0.005)
        first:cancel()
        second:wait()
        while not set.lastPageAlreadyFetched do set:fetchNextPage() end
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.output.split(separator: "\n").count == 4, "\(result.output) \(result.errors)")
  }

  @Test func `a page that nobody waits for any more is given up`() throws {
    let scratch = try Scratch(
      script: """
        local version, loaded = 1, 0
        local source = lookahead.source { keys = "page", pageSize = 2, merge = "replace", fetch = function(context)
          lookahead.sleep(0.01)
          local items = {}
          for n = 1, 2 do items[n] = { id = context.key * 2 - 2 + n, version = version } end
          return { items = items, isLast = context.key == 2 }
        end }
        local set = source:itemSet()
        function set.onPageLoaded() loaded = loaded + 1 end
        set:fetchNextPage()
        version = 2
        local first = lookahead.spawn(function() set:fetchPage(1) end)
        local other = lookahead.spawn(function() set:fetchPage(2) end)
        lookahead.sleep(0.002)
        first:cancel()
        other:wait()
        print(loaded, set.isFetching, set[1].version, set[3].version)
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.errors.hasPrefix("2\tfalse\t1\t2\n"), "\(result.errors)")
  }
}
