import TestSupport
import Testing

/// Items that are edited while a source is read that brings what is new since a bookmark.
@Suite(.waiting) struct NewerVersionTests {
  /// Twenty items in the order of their changes; 3 and 7 are edited meanwhile, 7 twice in one page, and 5 comes again as it was.
  private static func source(_ keys: String, _ key: String) -> String {
    """
    local list = {}
    for n = 1, 20 do list[n] = { id = n, t = n, v = "old" } end
    for _, item in ipairs { { id = 5, t = 5, v = "old" }, { id = 3, t = 30, v = "new" }, { id = 7, t = 31, v = "newer" },
      { id = 21, t = 32, v = "old" }, { id = 7, t = 33, v = "newest" } } do list[#list + 1] = item end
    local s = lookahead.source { name = "s", bookmark = "t", pageSize = 5, \(keys) }
    local isCounted = s.keys == "page"
    function s.fetch(context)
      local first = isCounted and (context.key - 1) * 5 + 1 or tonumber(context.key) or context.key and #context.key or 1
      -- The last page lands first.
      if isCounted then lookahead.sleep((8 - context.key) * 0.01) end
      local items = {}
      for n = first, math.min(first + 4, #list) do items[#items + 1] = list[n] end
      if isCounted then return { items = items } end
      return { items = items, nextKey = first + 5 <= #list and \(key) or nil }
    end
    return s
    """
  }

  @Test(arguments: [
    (#"keys = "cursor""#, #"("x"):rep(first + 5)"#, false),
    (#"keys = "cursor""#, "tostring(first + 5)", true),
    (#"keys = "page", maxInFlight = 8"#, "nil", true),
  ])
  func `an output has the newest version`(keys: String, key: String, counts: Bool) throws {
    let scratch = try Scratch(script: Self.source(keys, key))
    func run(_ options: String...) throws -> CommandResult {
      let result = try Command.lookahead(["run", "feed.lua"] + options).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("23 items, ") && result.errors.contains("2 duplicates dropped"))
      #expect(result.errors.contains("may have moved to pages") == counts)
      return result
    }

    let later = [
      #"{"id":3,"t":30,"v":"new"}"#, #"{"id":7,"t":33,"v":"newest"}"#,
    ]
    func isLater(_ text: String) -> Bool {
      let lines = text.split(separator: "\n").map(String.init)
      return lines.count == 23 && lines.filter(later.contains) == later
    }
    #expect(isLater(try run().output))
    _ = try run("-o", "a.ndjson")
    #expect(isLater(try scratch.text("a.ndjson")))
    _ = try run("-o", "a.db")
    let rows = "select group_concat(id || ':' || t || ':' || v, ' ') from s where id in (3, 5, 7, 21)"
    #expect(try scratch.rows(rows) == "3:30:new 5:5:old 7:33:newest 21:32:old")
    #expect(try scratch.rows("select count(*) from s") == "21")
    #expect(try Command.lookahead(["state", "a.db"]).within(scratch).run().output.contains(" 33\n"))
    let changes = try run("--changes").output.split(separator: "\n")
    #expect(changes.filter { $0.contains(#""op":"update""#) }.count == 2)
  }

  @Test func `what a run asks for beside the bookmark takes it not past what nobody has read`() throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", bookmark = "t", keys = "page", pageSize = 100 }
        function s.fetch(context)
          local items = {}
          for t = context.bookmark or 1, 50 do items[#items + 1] = { id = t, t = t } end
          return { items = context.key == 1 and items or {} }
        end
        return s
        """)
    func bookmark(_ options: String...) throws -> String {
      let result = try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + options).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      return try scratch.rows("select bookmark from _lookahead_readings")
    }

    #expect(try bookmark("--until", "10") == "10")
    #expect(try bookmark("--since", "40") == "10")
    #expect(try bookmark("--since", "5", "--until", "8") == "10")
    #expect(try bookmark("--since", "40.0") == "10")
    #expect(try bookmark("--since", "10") == "50")
    #expect(try scratch.rows("select count(*) from s") == "50")
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `a stretch that is read before anything else leaves no bookmark`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", bookmark = "t" }
        function s.fetch(context)
          print("from", context.bookmark)
          local items = {}
          for t = context.bookmark or 1, 50 do items[#items + 1] = { id = t, t = t } end
          return { items = items }
        end
        return s
        """)
    func run(_ options: String...) throws -> String {
      let result = try Command.lookahead(["run", "feed.lua", "-o", output] + options).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
      return String(result.errors.split(separator: "\n").first { $0.hasPrefix("from") } ?? "")
    }

    #expect(try run("--since", "40") == "from\t40")
    #expect(try run("--since", "30") == "from\t30")
    if output != "a.db" {
      // Nothing of what is there can be taken out, nor may it come twice.
      let refused = try scratch.lookahead("run", "feed.lua", "-o", output)
      #expect(
        refused.exitCode == 73 && refused.errors.contains("--fresh writes it anew"), "\(refused.errors)")
    }
    #expect(try (output == "a.db" ? run() : run("--fresh")) == "from\tnil")
    #expect(try run() == "from\t50")
    let lines = output == "a.db" ? try scratch.rows("select id from s") : try scratch.text(output)
    #expect(Set(lines.split(separator: "\n")).count == 50)
  }

  /// The last word on an item counts, wherever it stands.
  @Test(arguments: ["isRemoved", "removed"], [2, 3, 6])
  func `an item that is removed and brought again is there, and one that is brought and removed is not`(
    way: String, pageSize: Int
  ) throws {
    let scratch = try Scratch(
      script: """
        local feed = { { id = 5, at = 1, v = "first" }, { id = 6, at = 2 }, { id = 5, at = 3, deleted = true },
          { id = 7, at = 4 }, { id = 5, at = 5, v = "anew" }, { id = 7, at = 6, deleted = true } }
        local rows = lookahead.source { name = "rows", keys = "page", pageSize = \(pageSize), bookmark = "at",
          isRemoved = \(way == "isRemoved" ? "function(item) return item.deleted end" : "nil") }
        function rows.fetch(context)
          local items, removed = {}, {}
          for place = (context.key - 1) * \(pageSize) + 1, math.min(context.key * \(pageSize), #feed) do
            local item = feed[place]
            local isTold = item.deleted and not rows.isRemoved
            table.insert(isTold and removed or items, isTold and item.id or item)
          end
          return { items = items, removed = removed, isLast = context.key * \(pageSize) >= #feed }
        end
        return rows
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0, "\(result.errors)")
    let rows = try scratch.rows(
      "select group_concat(id || coalesce(':' || v, ''), ' ') from (select * from rows order by id)")
    // A page's own list says nothing of when: what the page brings is there.
    #expect(rows == (way == "removed" && pageSize > 2 ? "5:anew 6 7" : "5:anew 6"), "\(rows)")
  }
}
