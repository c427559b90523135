import TestSupport
import Testing

/// Versions of items in readings of what is new, in every order and form in which they can come.
@Suite(.waiting) struct RenewalTests {
  /// Pages of a list, of which a run reads what is beyond the bookmark.
  private static func source(_ declaration: String, pages: String, _ handler: String = "") -> String {
    """
    local pages = \(pages)
    local s = lookahead.source { name = "s", \(declaration) }
    function s.fetch(context)
      local place = tonumber(context.key) or 1
      \(handler)
      return { items = pages[place], nextKey = pages[place + 1] and tostring(place + 1) or nil }
    end
    return s
    """
  }

  private func rows(_ script: String, runs: Int = 1) throws -> (rows: String, bookmark: String) {
    let scratch = try Scratch(script: script)
    for _ in 0..<runs {
      let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    return (
      try scratch.rows("select group_concat(id || ':' || v, ' ') from (select * from s order by id)"),
      try scratch.rows("select bookmark from _lookahead_readings")
    )
  }

  @Test func `of two versions in a page the newer one counts, whichever comes first`() throws {
    for page in [
      "{ { id = 1, t = 9, v = 'new' }, { id = 2, t = 5, v = 'x' }, { id = 1, t = 1, v = 'old' } }",
      "{ { id = 1, t = 1, v = 'old' }, { id = 2, t = 5, v = 'x' }, { id = 1, t = 9, v = 'new' } }",
    ] {
      let found = try rows(Self.source("bookmark = 't'", pages: "{ \(page) }"), runs: 2)
      #expect(found.rows == "1:new 2:x" && found.bookmark == "9")
    }
  }

  @Test func `an older version behind a newer one changes nothing, nor does what comes again as it was`()
    throws
  {
    let scratch = try Scratch(
      script: Self.source(
        "bookmark = 't'",
        pages:
          "{ { { id = 1, t = 9, v = 'new' } }, { { id = 1, t = 1, v = 'old' }, { id = 1, t = 9, v = 'new' } } }"
      ))

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(result.errors.contains("1 item, 2 pages, 2 duplicates dropped"), "\(result.errors)")
    #expect(try scratch.text("a.ndjson") == #"{"id":1,"t":9,"v":"new"}"# + "\n")
  }

  /// What lies before the bookmark is asked for too: the newest of this reading counts.
  @Test func `a handler may look back behind its bookmark`() throws {
    let found = try rows(
      Self.source(
        "bookmark = 't'",
        pages:
          "{ { { id = 1, t = 10, v = 'old' }, { id = 2, t = 15, v = 'x' } }, { { id = 1, t = 20, v = 'new' } } }"
      ),
      runs: 3)

    #expect(found.rows == "1:new 2:x" && found.bookmark == "20")
  }

  @Test(arguments: [
    "transform = function(item) return { id = item.id, v = item.v } end",
    "transform = function(item) item.t = 100 - item.t return item end",
    "transform = function(item) item.t = 't' .. item.t return item end",
    "transform = function(item) return { item } end",
  ])
  func `a transform may change the bookmark of an item, or drop it`(transform: String) throws {
    let found = try rows(
      Self.source(
        "bookmark = 't', \(transform)",
        pages:
          "{ { { id = 1, t = 1, v = 'old' }, { id = 2, t = 5, v = 'x' } }, { { id = 1, t = 9, v = 'new' }, { id = 2, t = 4, v = 'y' } } }"
      ))

    #expect(found.rows == "1:new 2:x" && found.bookmark == "9")
  }

  @Test func `a bookmark that a function or the handler makes goes on from run to run`() throws {
    let made = "function(item, bookmark) return math.max(bookmark or 0, item.t) end"
    let script = Self.source(
      "bookmark = \(made)", pages: "{ { { id = 1, t = 1, v = 'a' } } }",
      "pages = { { { id = 1, t = (context.bookmark or 0) + 10, v = 'a' } } }")
    #expect(try rows(script, runs: 3).bookmark == "30")

    let set = "context.newBookmark = (context.bookmark or 0) + 1000"
    let handled = Self.source(
      "bookmark = 't'", pages: "{ { { id = 1, t = 1, v = 'a' } }, { { id = 2, t = 2, v = 'b' } } }",
      "if place == 1 then \(set) end")
    #expect(try rows(handled, runs: 2).bookmark == "2000")
  }

  @Test func `a list of nothing but newer versions is read to its end, and one that repeats itself is not`()
    throws
  {
    let many = """
      (function()
        local pages = {}
        for page = 1, 30 do
          pages[page] = {}
          for id = 1, 5 do pages[page][id] = { id = id, t = page * 10 + id, v = page } end
        end
        return pages
      end)()
      """
    #expect(try rows(Self.source("bookmark = 't'", pages: many)).rows == "1:30 2:30 3:30 4:30 5:30")

    let scratch = try Scratch(
      script: """
        return lookahead.source { name = "s", bookmark = "t", fetch = function(context)
          local place = tonumber(context.key) or 1
          return { items = { { id = place % 3, t = 1 } }, nextKey = tostring(place + 1) }
        end }
        """)
    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    #expect(result.exitCode == 1 && result.errors.contains("brought nothing new"), "\(result.errors)")
  }

  @Test func `what is gone and appended again in one fetch is there`() throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", isRemoved = function(item) return item.gone end }
        function s.fetch(context)
          context:append { { id = 5, v = "first" }, { id = 6, v = "x" } }
          context:append { { id = 5, gone = true } }
          context:append { { id = 5, v = "anew" } }
          context:complete(false)
        end
        return s
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try scratch.rows("select group_concat(id || ':' || v, ' ') from (select * from s order by id)")
        == "5:anew 6:x")
  }

  @Test func `changes build the list that is there, and delete nothing that is not`() throws {
    let scratch = try Scratch(
      script: """
        local pages = { { items = { { id = 1 }, { id = 2 } }, removed = { 90, 91 } },
          { items = { { id = 3 } }, removed = { 1 } }, { items = { { id = 1 }, { id = 4 } }, removed = { 77 } } }
        return lookahead.source { name = "s", keys = "page", fetch = function(context)
          return { items = pages[context.key].items, removed = pages[context.key].removed, isLast = context.key == 3 }
        end }
        """)

    let result = try scratch.lookahead("run", "feed.lua", "--changes")

    #expect(result.exitCode == 0, "\(result.errors)")
    let operations = result.output.split(separator: "\n").map { line in
      line.matches(of: /"op":"(\w+)".*"at":(-?\d+),"id":(\d+)/).map { "\($0.1) \($0.3) at \($0.2)" }.joined()
    }
    #expect(
      operations == [
        "insert 1 at 0", "insert 2 at 1", "delete 1 at 0", "insert 3 at 1", "insert 1 at 2", "insert 4 at 3",
      ], "\(result.output)")
  }

  /// What is edited within the second of what came last is no more than that, and is newer all the same.
  @Test func `an edit with the bookmark that others had is taken, and what is the same is not`() throws {
    let pages = """
      { { { id = 8, t = 5, v = 'old' }, { id = 1, t = 6, v = 'x' } },
        { { id = 1, t = 6, v = 'x' }, { id = 8, t = 6, v = 'new' }, { id = 9, t = 20, v = 'x' } } }
      """
    let found = try rows(Self.source("bookmark = 't'", pages: pages), runs: 2)
    #expect(found.rows == "1:x 8:new 9:x" && found.bookmark == "20")

    let scratch = try Scratch(script: Self.source("bookmark = 't'", pages: pages))
    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")
    #expect(
      result.errors.contains("4 items, 2 pages, up to 1 may be missed, 1 duplicate dropped"),
      "\(result.errors)")
  }

  @Test(arguments: [
    "{ { id = 1, t = 5, v = 'old' }, { id = 1, t = 6, v = 'new' } }",
    "{ { id = 1, t = 6, v = 'new' }, { id = 1, t = 5, v = 'old' } }",
  ])
  func `of two versions in a page the newer one counts where later ones replace earlier ones`(page: String)
    throws
  {
    let found = try rows(Self.source("bookmark = 't', merge = 'replace'", pages: "{ \(page) }"))
    #expect(found.rows == "1:new" && found.bookmark == "6")
  }

  @Test(arguments: ["updatedat", "updated_at"])
  func `a bookmark that no item has is told of`(name: String) throws {
    let pages = "{ { { id = 1, updated_at = 5 } }, { { id = 2, other = 6 } } }"
    let scratch = try Scratch(script: Self.source("bookmark = '\(name)'", pages: pages))

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0)
    let said = "has the member 'updatedat', which is the bookmark (did you mean 'updated_at'?)"
    #expect(result.errors.contains(said) == (name == "updatedat"), "\(result.errors)")
  }
}
