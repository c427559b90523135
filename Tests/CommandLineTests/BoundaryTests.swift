import Testing

/// Items with the bookmark that a reading left come again in the next one, as sources are asked for what is not less than it: what
/// nobody has changed is not delivered twice.
@Suite struct BoundaryTests {
  /// Items 1 to 5 with the days of `days`, from the bookmark on; those in `edited` have another name, those in `gone` are removed.
  private static let script = """
    local p = lookahead.parameters { days = { default = "1,2,3,4,4", partition = false },
      edited = { default = "", partition = false }, gone = { default = "", partition = false } }
    local s = lookahead.source { name = "s", bookmark = "at", isRemoved = function(item) return item.gone end }
    function s.fetch(context)
      local items, n = {}, 0
      for day in p.days:gmatch("%d+") do
        n = n + 1
        local at = "2026-01-0" .. day
        if not context.bookmark or at >= context.bookmark then
          local name = p.edited:find(n, 1, true) and "new" or nil
          items[#items + 1] = { id = n, at = at, name = name, gone = p.gone:find(n, 1, true) and true or nil }
        end
      end
      return { items = items }
    end
    return s
    """

  private static func lines(_ scratch: Scratch, _ output: String) throws -> Int? {
    let read =
      output.hasSuffix(".db") ? "sqlite3 \(output) 'SELECT count(*) FROM s'" : "cat \(output) | wc -l"
    return Int(try scratch.shell(read).output.filter { $0.isNumber })
  }

  @Test(arguments: [("a.ndjson", []), ("a.csv", []), ("a.db", ["--write", "append"]), ("b.db", [])])
  func `a reading that finds nothing new adds nothing`(output: String, options: [String]) throws {
    let header = output == "a.csv" ? 1 : 0
    let scratch = try Scratch(script: Self.script)

    for _ in 1...3 {
      try run(scratch, output, options)
      #expect(try Self.lines(scratch, output) == 5 + header)
    }
    for _ in 1...2 {
      try run(scratch, output, options + ["-e", "days=1,2,3,4,4,4,5"])
      #expect(try Self.lines(scratch, output) == 7 + header)
    }
  }

  private func run(_ scratch: Scratch, _ output: String, _ options: [String]) throws {
    let run = try Command.lookahead(["run", "feed.lua", "-o", output] + options).within(scratch).run()
    #expect(run.exitCode == 0, "\(run.errors)")
  }

  @Test func `what was edited within the bookmark comes again, once`() throws {
    let scratch = try Scratch(script: Self.script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    for _ in 1...2 {
      _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "edited=5")
      let lines = try scratch.shell("cat a.ndjson").output.split(separator: "\n")
      #expect(lines.count == 6)
      #expect(lines.last == #"{"at":"2026-01-04","id":5,"name":"new"}"#)
    }
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `who goes back has all of it again`(output: String) throws {
    let scratch = try Scratch(script: Self.script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", output)

    let since = try scratch.lookahead("run", "feed.lua", "-o", output, "--since", "2026-01-04")
    let set = try scratch.lookahead(
      "state", output, "--source", "s", "--set-bookmark", #""2026-01-04""#)
    let after = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(since.summary?.hasPrefix("2 items") == true, "\(since.errors)")
    #expect(set.exitCode == 0, "\(set.errors)")
    #expect(after.summary?.hasPrefix("2 items") == true, "\(after.errors)")
  }

  @Test func `what was removed may come again as it was`() throws {
    let scratch = try Scratch(script: Self.script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "gone=5")
    #expect(try Self.lines(scratch, "a.db") == 4)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    #expect(try Self.lines(scratch, "a.db") == 5)
  }

  @Test func `an equal item more, of those without ids, is one more`() throws {
    let script = """
      local p = lookahead.parameters { count = { default = 2, partition = false } }
      local s = lookahead.source { name = "s", id = false, bookmark = "at" }
      function s.fetch(context)
        local items = {}
        for n = 1, p.count do items[n] = { at = "2026-01-04", line = "started" } end
        return { items = items }
      end
      return s
      """
    let scratch = try Scratch(script: script)

    for count in [2, 2, 3, 3, 5] {
      _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "count=\(count)")
      #expect(try Self.lines(scratch, "a.ndjson") == count)
    }
  }
}
