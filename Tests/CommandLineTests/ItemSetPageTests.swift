import Testing

/// Pages of an item set that are asked for at once.
@Suite struct ItemSetPageTests {
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
}
