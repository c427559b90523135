import TestSupport
import Testing

/// Rows of a table that wait for the end of their reading, or of their step.
@Suite(.waiting) struct SetAsideTests {
  /// 3,000 items as a source of two nights, or as a step emits them. In the second night, and in the step, a member's type is another
  /// one behind the middle, or that of the id.
  private static let script = """
    local p = lookahead.parameters { night = { default = 1, partition = false }, what = "v", way = "mirror" }
    local function item(n)
      local isOther = p.night == 2 and n > 2000
      return { id = isOther and p.what == "id" and "x" .. n or n, v = isOther and p.what == "v" and "text" or n, night = p.night }
    end
    if p.way == "step" then
      lookahead.step("all", function() for n = 1, 3000 do lookahead.emit(item(n), "items") end end)
      return
    end
    local items = lookahead.source { name = "items", id = "id", keys = "page", pageSize = 1000 }
    function items.fetch(context)
      local page = {}
      for place = 1, 1000 do page[place] = item((context.key - 1) * 1000 + place) end
      return { items = page, isLast = context.key == 3 }
    end
    return items
    """

  @Test(arguments: ["mirror", "step"], ["v", "id"])
  func `rows that were set aside may need another type of a column anywhere among them`(
    way: String, what: String
  ) throws {
    let scratch = try Scratch(script: Self.script)
    for night in 1...3 {
      let result = try scratch.lookahead(
        "run", "feed.lua", "-o", "a.db", "-e", "night=\(min(night, 2))", "-e", "what=\(what)", "-e",
        "way=\(way)",
        way == "mirror" ? "--write" : "--fresh", way == "mirror" ? "mirror" : "-q")

      #expect(result.exitCode == 0, "\(result.errors)")
    }

    let count = way == "step" && what == "id" ? 4000 : 3000
    #expect(
      try scratch.rows("select count(*), sum(night = 2), sum(typeof(\(what)) = 'text') from items")
        == "\(count)|3000|1000")
  }

  @Test func `what waits for a reading that fails is not counted as written`() throws {
    let scratch = try Scratch(script: Self.script)
    let arguments = ["run", "feed.lua", "-o", "a.db", "--write", "mirror", "-e"]
    #expect(try Command.lookahead(arguments + ["night=1"]).within(scratch).run().exitCode == 0)
    let trigger =
      "create trigger t before insert on items when new.v = 'text' begin select raise(abort, 'no texts'); end"
    _ = try scratch.shell("sqlite3 a.db \"\(trigger)\"")

    let result = try Command.lookahead(arguments + ["night=2", "--summary", "-"]).within(scratch).run()

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.errors.contains("0 of 3,000 items written"), "\(result.errors)")
    #expect(result.output.contains(#""items":0,"itemsRead":3000"#), "\(result.output)")
    #expect(result.output.contains(#""streams":{"items":0}"#), "\(result.output)")
    #expect(try scratch.rows("select count(*), sum(night) from items") == "3000|3000")
  }

  /// 36 MB of texts, of which 27 are there when the second reading is cut.
  @Test(.enabled(if: TestDrivers.areInstalled))
  func `long rows that wait in DuckDB have room in a run that goes on`() throws {
    let scratch = try Scratch(
      script: """
        local items = lookahead.source { name = "items", keys = "page", pageSize = 20 }
        function items.fetch(context)
          local page = {}
          for place = 1, 20 do
            page[place] = { id = context.key * 20 + place, text = string.rep("x", 30000) }
          end
          return { items = page, isLast = context.key == 60 }
        end
        return items
        """)
    for options in [[], ["--max-pages", "45"], []] {
      var command = Command.lookahead(["run", "feed.lua", "-o", "a.duckdb", "--write", "mirror"] + options)
        .within(scratch)
      command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
      let result = try command.run()

      #expect(result.exitCode == 0, "\(result.errors)")
    }

    #expect(try scratch.names == ["a.duckdb", "feed.lua"])
  }

  @Test(arguments: ["a.db", "a.duckdb"])
  func `the summary counts rows that were removed, and no id that was not there`(output: String) throws {
    guard output == "a.db" || TestDrivers.areInstalled else { return }
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { ids = { default = "1,2,3", partition = false } }
        local items = lookahead.source { name = "items", isRemoved = function(item) return item.gone end }
        function items.fetch()
          local page = {}
          for id in p.ids:gmatch("-?%d+") do
            local n = tonumber(id)
            page[#page + 1] = { id = math.abs(n), gone = n < 0 or nil }
          end
          return { items = page, isLast = true }
        end
        return items
        """)
    func removed(_ ids: String, _ options: String...) throws -> String {
      var command = Command.lookahead(
        ["run", "feed.lua", "-o", output, "-e", "ids=\(ids)", "--summary", "-"] + options
      ).within(scratch)
      command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
      let result = try command.run()
      #expect(result.exitCode == 0, "\(result.errors)")
      return String(result.output.firstMatch(of: /"removed":\d+/)?.0 ?? "")
    }

    #expect(try removed("1,2,3,4") == #""removed":0"#)
    #expect(try removed("1,2", "--write", "mirror") == #""removed":2"#)
    #expect(try removed("1,-2,-77") == #""removed":1"#)
  }

  @Test func `an item that replaces an earlier one is no duplicate that was dropped`() throws {
    for (merge, count) in [("replace", 1), ("keep", 2)] {
      let scratch = try Scratch(
        script: """
          local items = lookahead.source { name = "items", merge = "\(merge)" }
          function items.fetch()
            return { items = { { id = 1, v = 1 }, { id = 1, v = 2 }, { id = 2 }, { id = 2 } }, isLast = true }
          end
          return items
          """)

      let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--summary", "-")

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.contains("\"duplicatesDropped\":\(count)"), "\(merge): \(result.output)")
    }
  }
}
