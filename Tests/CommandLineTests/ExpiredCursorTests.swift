import TestSupport
import Testing

/// A source that no longer takes the cursors of a reading that was stopped: nobody knows how far that had come.
@Suite(.waiting) struct ExpiredCursorTests {
  /// Twenty items, or those of another day, in pages of five; cursors are those of a day.
  private static let source = """
    local day = lookahead.fs.read("day.txt"):gsub("%s", "")
    local items = lookahead.source { name = "items", id = IDS, write = "WRITE" }
    function items.fetch(context)
      local of, start = (context.key or day .. ".0"):match("(%a+)%.(%d+)")
      if of ~= day then error({ code = "http", status = 410, message = "the cursor has expired" }) end
      local list = {}
      for number = start + 1, math.min(start + 5, 20) do
        if day == "monday" or number ~= 3 then list[#list + 1] = { n = number, day = day } end
      end
      return { items = list, nextKey = start + 5 < 20 and ("%s.%d"):format(day, start + 5) or nil }
    end
    return items
    """

  @Test(
    arguments: ["a.db", "a.ndjson", "a.csv", "folder/"],
    ["\"n\" merge", "\"n\" mirror", "\"n\" append", "false mirror", "false append", "false merge"])
  func `is read anew as a whole, and what was read before is taken out`(output: String, way: String) throws {
    let words = way.split(separator: " ")
    let script = Self.source.replacing("IDS", with: words[0]).replacing("WRITE", with: words[1])
    let scratch = try Scratch(script: script)
    func run(_ more: String...) throws -> CommandResult {
      try Command.lookahead(["run", "feed.lua", "--allow-read", "-o", output] + more).within(scratch).run()
    }
    try scratch.write("day.txt", "monday")
    let first = try run("--max-pages", "2")
    #expect(first.exitCode == 0, "\(first.errors)")
    try scratch.write("day.txt", "tuesday")

    let second = try run()

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("no longer takes the key"), "\(second.errors)")
    #expect(second.errors.contains("19 items"), "\(second.errors)")
    #expect(try days(output, in: scratch) == "19 tuesday")
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `what was read stays where the source has nothing at its start either`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local items = lookahead.source { name = "items", id = "n" }
        function items.fetch(context)
          if lookahead.fs.read("day.txt"):find("down") then error({ code = "http", status = 410, message = "gone" }) end
          local key = context.key or 0
          return { items = { { n = key, day = "monday" } }, nextKey = key < 4 and key + 1 or nil }
        end
        return items
        """)
    func run(_ more: String...) throws -> CommandResult {
      try Command.lookahead(["run", "feed.lua", "--allow-read", "-o", output] + more).within(scratch).run()
    }
    try scratch.write("day.txt", "up")
    #expect(try run("--max-pages", "3").exitCode == 0)
    try scratch.write("day.txt", "down")
    #expect(try run().exitCode == 1)
    #expect(try days(output, in: scratch) == "3 monday")
    try scratch.write("day.txt", "up")

    let last = try run()

    #expect(last.errors.contains("going on at page 4"), "\(last.errors)")
    #expect(try days(output, in: scratch) == "5 monday")
  }

  private func days(_ output: String, in scratch: Scratch) throws -> String {
    let rows =
      output.hasSuffix(".db")
      ? "sqlite3 a.db 'select day from items'" : "cat \(output)\(output.hasSuffix("/") ? "items.ndjson" : "")"
    let counted = try scratch.shell("\(rows) | grep -oE 'monday|tuesday' | sort | uniq -c | sed 's/^ *//'")
    return counted.lines.joined(separator: " ")
  }

  @Test func `a server that is down is a failure that may pass, whichever of several pages failed last`()
    throws
  {
    let scratch = try Scratch(
      script: """
        local items = lookahead.source { name = "items", keys = "offset", pageSize = 5 }
        function items.fetch(context)
          lookahead.sleep(0.002 * (1 + context.key % 4))
          if context.key >= 15 then
            error({ code = "http", status = 500, isTransient = true, message = "GET /?k=" .. context.key .. " answered 500" })
          end
          local list = {}
          for number = 1, 5 do list[number] = { t = context.key + number } end
          return { items = list, total = 400 }
        end
        return items
        """)

    for width in ["1", "2", "4", "8", "auto"] {
      let result = try scratch.lookahead("run", "feed.lua", "-o", "\(width).ndjson", "-j", width)

      #expect(result.exitCode == 75, "-j \(width): \(result.errors)")
    }
  }
}
