import TestSupport
import Testing

/// Runs that were to go on, and find that nobody knows their place any more.
@Suite(.waiting) struct LostPlaceTests {
  private static let script = """
    local s = lookahead.source { name = "s", pageSize = 2, bookmark = lookahead.fs.exists("marks") and "id" or nil }
    function s.fetch(context)
      local key = context.key or 1
      if lookahead.fs.exists("lost") and (context.key or context.bookmark) then
        return error { code = "http", status = 451, message = "who are you" }
      end
      if key == 3 and not lookahead.fs.exists("go") then error("stop") end
      return { items = { { id = key * 2 - 1 }, { id = key * 2 } }, nextKey = key < 4 and key + 1 or nil }
    end
    return s
    """

  @Test(arguments: ["", "touch marks go;"])
  func `a run says how to begin anew where its source no longer knows its place`(before: String) throws {
    let result = try Scratch(script: Self.script).shell(
      "\(before) lookahead run feed.lua -A -q -o o.db 2> first; touch lost go; lookahead run feed.lua -A -o o.db 2> lost.txt; "
        + "cat first >&2; cat lost.txt; rm lost; lookahead run feed.lua -A -q -o o.db --fresh && sqlite3 o.db 'select count(*) from s'"
    )

    #expect(!result.errors.contains("--fresh"), "\(result.errors)")
    let place = before.isEmpty ? "from page 3 on" : "behind the bookmark of an earlier run"
    #expect(result.output.contains("nothing came \(place), where this run was to go on"), "\(result.output)")
    #expect(result.lines.last == "8", "\(result.output) \(result.errors)")
  }

  @Test(arguments: ["merge = 'replace',", ""], ["", "keys = 'page',"])
  func `a page that is only compared is not written once more`(merge: String, keys: String) throws {
    let script = """
      local s = lookahead.source { name = "s", pageSize = 2, maxInFlight = 1, \(merge) \(keys) }
      function s.fetch(context)
        local n = context.key or 1
        if n == 3 and not lookahead.fs.exists("go") then error("stop") end
        if n > 5 then return { items = {} } end
        return { items = { { id = 2 * n - 1 }, { id = 2 * n } }, nextKey = \(keys.isEmpty ? "n < 5 and n + 1 or nil" : "nil") }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.ndjson 2> first; touch go; lookahead run feed.lua -A -q -o o.ndjson; wc -l < o.ndjson"
    )

    #expect(result.output == "10\n", "\(result.output) \(result.errors)")
  }

  @Test func `a mirror whose total fell brings what came, and removes nothing`() throws {
    let script = """
      local new = lookahead.fs.exists("go") and 4 or 0
      local s = lookahead.source { name = "s", write = "mirror" }
      function s.fetch(context)
        local n = context.key or 1
        local items = { { id = new + 2 * n - 1 }, { id = new + 2 * n } }
        return { items = items, nextKey = n < 3 and n + 1 or nil, total = new > 0 and n == 1 and 7 or 6 }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.db; touch go; lookahead run feed.lua -A -o o.db; sqlite3 o.db 'select group_concat(id) from s'"
    )

    #expect(result.output == "1,2,3,4,5,6,7,8,9,10\n", "\(result.output) \(result.errors)")
    #expect(result.errors.contains("its total fell by 1"), "\(result.errors)")
  }

  @Test func `a log of remembered things without its file is none`() throws {
    let result = try Scratch(script: Self.script).shell(
      "lookahead run feed.lua -A -q -o o.ndjson 2> first; cp o.ndjson.state-wal log; rm o.ndjson.state; "
        + "head -c 40000 /dev/urandom > o.ndjson.state-wal; "
        + "touch go; lookahead run feed.lua -A -q -o o.ndjson && wc -l < o.ndjson")

    #expect(result.output.contains("8"), "\(result.output) \(result.errors)")
  }

  @Test func `a mirror of a source with a bookmark says that it removes nothing`() throws {
    let result = try Scratch(script: Self.script).shell(
      "touch marks go; for i in 1 2; do lookahead run feed.lua -A -o o.db --write mirror; done")

    #expect(result.errors.contains("nothing was removed, though a mirror was asked for"), "\(result.errors)")
  }

  @Test(arguments: ["page", "p", "number", "limitpage"], [1, 2])
  func `links that count are compared, whatever their number is called`(name: String, pages: Int) throws {
    let script = """
      local s = lookahead.source { name = "s", pageSize = 5 }
      function s.fetch(context)
        local n = math.tointeger((context.key or "?\(name)=1"):match("%d+"))
        local gone, items = lookahead.fs.exists("gone") and 1 or 0, {}
        for id = n * 5 - 4 + gone, math.min(n * 5 + gone, 30) do items[#items + 1] = { id = id } end
        return { items = items, nextKey = n < 6 and "?\(name)=" .. n + 1 or nil }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.db --max-pages \(pages); touch gone; lookahead run feed.lua -A -q -o o.db; "
        + "sqlite3 o.db 'select count(*) from s'")

    #expect(result.output == "30\n", "\(result.output) \(result.errors)")
  }

  @Test(arguments: ["--fresh", "--fresh --write mirror"])
  func `a reading that begins at no bookmark brings all, and what it lacks is gone`(options: String) throws {
    let script = """
      local s = lookahead.source { name = "s", bookmark = function(_, before) return before end }
      function s.fetch(context)
        context.newBookmark = "token"
        if context.bookmark then return { items = {} } end
        return { items = lookahead.fs.exists("gone") and { { id = 1 } } or { { id = 1 }, { id = 2 } } }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.db; touch gone; lookahead run feed.lua -A -o o.db \(options); sqlite3 o.db 'select count(*) from s'"
    )

    let removes = options.contains("mirror")
    #expect(result.output == (removes ? "1\n" : "2\n"), "\(result.errors)")
    #expect(
      result.errors.contains(removes ? "1 row removed" : "1 row is no longer at the source"),
      "\(result.errors)")
  }

  @Test(arguments: [
    "http.get(\"http://127.0.0.1:9/?since=\" .. context.bookmark)",
    "http.post(\"http://127.0.0.1:9/\", { body = \"since \" .. tostring(context.bookmark) })",
  ])
  func `a bookmark that lost its digits on the way to a request is refused`(call: String) throws {
    let script = """
      local s = lookahead.source { name = "s", bookmark = "ts", retries = 0 }
      function s.fetch(context)
        if context.bookmark then lookahead.\(call) end
        return { items = { { id = 1, ts = 1764358000.12346 } } }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.ndjson; lookahead run feed.lua -A -q -o o.ndjson; echo $?")

    #expect(result.output == "65\n", "\(result.errors)")
    #expect(
      result.errors.contains("the bookmark 1764358000.12346 has become 1764358000.1235"), "\(result.errors)")
  }

  @Test(arguments: [("page.n < 6", 40), ("nil", 10)])
  func `pages that say that they are not the last may be empty, however many are`(more: String, count: Int)
    throws
  {
    let script = """
      local s = lookahead.source { name = "s", keys = "page", pageSize = 10 }
      function s.fetch(context)
        local page, items = { n = context.key }, {}
        for id = 1, (page.n < 2 or page.n > 3 and page.n < 7) and 10 or 0 do items[id] = { id = page.n * 10 + id } end
        local more, isLast = \(more), nil
        if more ~= nil then isLast = not more end
        return { items = items, isLast = isLast }
      end
      return s
      """
    let result = try Scratch(script: script).lookahead("run", "feed.lua", "--quiet")

    #expect(result.exitCode == 0 && result.lines.count == count, "\(result.lines.count) \(result.errors)")
  }

  @Test(arguments: ["o.ndjson", "o.db"])
  func `a source whose cursors work once is read from its start after a stop`(output: String) throws {
    let script = """
      local pages = 0
      local s = lookahead.source { name = "s", pageSize = 2, resumes = false, retries = 0 }
      function s.fetch(context)
        pages = pages + 1
        if pages == 3 and not lookahead.fs.exists("go") then error("stop") end
        local items = {}
        for n = 1, pages < 6 and 2 or 0 do items[n] = { id = pages * 2 + n } end
        return { items = items, nextKey = #items > 0 and "scroll" or nil }
      end
      return s
      """
    let count = output == "o.db" ? "sqlite3 o.db 'select count(*) from s'" : "wc -l < o.ndjson"
    let result = try Scratch(script: script).shell(
      "lookahead check feed.lua > checked; lookahead run feed.lua -A -q -o \(output) 2> first; touch go; lookahead run feed.lua -A -q -o \(output); "
        + "echo $?; \(count)")

    #expect(result.lines == ["0", "10"], "\(result.output) \(result.errors)")
  }

  @Test(arguments: [
    "items = { { id = 1, v = 4, deleted = true }, { id = 2, v = 5, deleted = true } }",
    "items = {}, removed = { 1, 2 }",
  ])
  func `what a mirror is told to be gone goes, also where it begins at no bookmark`(page: String) throws {
    let script = """
      local gone = lookahead.fs.exists("gone")
      local s = lookahead.source { name = "s", write = "mirror", bookmark = "v", isRemoved = function(item) return item.deleted end }
      function s.fetch(context)
        if gone then return { \(page) } end
        return { items = { { id = 1, v = 1 }, { id = 2, v = 2 } } }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.db; touch gone; lookahead run feed.lua -A -q -o o.db --fresh; sqlite3 o.db 'select count(*) from s'"
    )

    #expect(result.output == "0\n", "\(result.errors)")
  }

  @Test func `a link of offsets that is called a limit counts on, as its beginning says`() throws {
    let script = """
      local s = lookahead.source { name = "s", pageSize = 5 }
      function s.fetch(context)
        local from = math.tointeger((context.key or "?limitstart=0"):match("%d+"))
        local gone, items = lookahead.fs.exists("gone") and 1 or 0, {}
        for id = from + 1 + gone, math.min(from + 5 + gone, 30) do items[#items + 1] = { id = id } end
        return { items = items, nextKey = from < 25 and "?limitstart=" .. from + 5 or nil }
      end
      return s
      """
    let result = try Scratch(script: script).shell(
      "lookahead run feed.lua -A -q -o o.db --max-pages 1; touch gone; lookahead run feed.lua -A -q -o o.db; sqlite3 o.db 'select count(*) from s'"
    )

    #expect(result.output == "30\n", "\(result.errors)")
  }
}
