import Testing

@Suite struct TransformTests {
  @Test func `an item is kept, dropped, changed or becomes several`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { fetch = function()
        return { items = { { id = 1 }, { id = 2 }, { id = 3 }, { id = 4 } } }
      end }
      function source.transform(item)
        if item.id == 1 then return nil end
        if item.id == 2 then return { item, { id = 20 } } end
        if item.id == 3 then return {} end
        item.isChanged = true
        return item
      end
      return source
      """)

    #expect(run.items() == [#"{"id":2}"#, #"{"id":20}"#, #"{"id":4,"isChanged":true}"#])
  }

  @Test func `a page that the transform empties is no end`() throws {
    let run = try ScriptRun(
      numbers + "return numbers(40, { transform = function(item) if item.id > 30 then return item end end })")

    #expect(run.items().count == 10)
    #expect(run.failure == nil)
  }

  @Test func `it sees what is appended too`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item) return { id = item.id * 10 } end,
        fetch = function(context) context:append { { id = 1 } } context:complete(false) end,
      }
      """)

    #expect(run.items() == [#"{"id":10}"#])
  }

  @Test func `its error names the line of the script`() throws {
    let script = """
      return lookahead.source {
        transform = function(item)
          return item.name.first
        end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """

    #expect(try failure(of: script) == "feed.lua:3: attempt to index a nil value (field 'name')")
  }

  @Test(arguments: ["id = \"id\"", "id = false", "id = function(item) return item.id end"])
  func `a list with names is no list of items, and an error that names both`(id: String) throws {
    let script = """
      return lookahead.source {
        \(id),
        transform = function(item) item[1] = "int" return item end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """

    let message = try #require(try failure(of: script))
    #expect(message.contains("item 1: a list can't have the key \"id\" beside its 1 elements"), "\(message)")
  }

  @Test(arguments: [
    ("keep", [#"{"id":1}"#, #"{"id":2}"#]), ("replace", [#"{"id":1}"#, #"{"id":2}"#, #"{"id":1,"v":2}"#]),
  ])
  func `an id that is already held is kept or replaced`(_ merge: String, _ items: [String]) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { merge = "\(merge)", fetch = function(context)
        if not context.key then return { items = { { id = 1 } }, nextKey = 2 } end
        return { items = { { id = 2 }, { id = 1, v = 2 } } }
      end }
      """)

    #expect(run.items() == items)
  }

  @Test(arguments: ["{ item, nil, { id = 2 } }", "{ [1] = item, [3] = { id = 2 } }"])
  func `a list with a gap is a mistake, and not one that ends there`(list: String) throws {
    let script = """
      return lookahead.source {
        transform = function(item) return \(list) end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """

    let message = try #require(try failure(of: script))
    #expect(message.contains("missing or named"), "\(message)")
  }

  @Test(arguments: [
    ("null", true), ("0", true), ("''", true), ("false", true), ("nil", true), ("true", false), ("1", false),
    ("'2026-01-02'", false),
  ])
  func `null, zero and an empty text do not say that an item is gone`(value: String, isKept: Bool) throws {
    let run = try ScriptRun(
      """
      local null = lookahead.null
      return lookahead.source {
        isRemoved = function(item) return \(value) end,
        fetch = function() return { items = { { id = 1 } } } end,
      }
      """)

    #expect(run.failure == nil)
    #expect(run.items() == (isKept ? [#"{"id":1}"#] : []))
  }

  @Test func `isLast is true, false or nothing`() throws {
    let script =
      #"return lookahead.source { fetch = function() return { items = { { id = 1 } }, isLast = 1 } end }"#

    let message = try #require(try failure(of: script))
    #expect(message.contains("isLast: expected true or false, got 1"), "\(message)")
  }

  /// However many requests are out: pages of a handler that does not wait, and of one that does.
  @Test(arguments: ["cursor", "page", "offset"], ["", "lookahead.sleep(0.01)"])
  func `items are transformed in the order of the list where one page is asked for at a time`(
    keys: String, wait: String
  ) throws {
    let run = try ScriptRun(
      """
      local total = 0
      local rows = lookahead.source { name = "rows", keys = "\(keys)", pageSize = 20, maxInFlight = 1,
        bookmark = function(item) return item.id end,
        transform = function(row) total = total + 1 row.total = total return row end }
      function rows.fetch(context)
        \(wait)
        local key, size = context.key or 0, context.size
        local first = "\(keys)" == "page" and (key - 1) * size or key
        local page = {}
        for id = first + 1, math.min(first + size, 300) do page[#page + 1] = ('{"id":%d}'):format(id) end
        local items = lookahead.json.decode("[" .. table.concat(page, ",") .. "]")
        return { items = items, total = "\(keys)" ~= "cursor" and 300 or nil,
          nextKey = "\(keys)" == "cursor" and first + size < 300 and first + size or nil }
      end
      return rows
      """)

    #expect(run.failure == nil)
    #expect(run.items() == (1...300).map { "{\"id\":\($0),\"total\":\($0)}" })
  }
}
