import Testing

/// Items with the bookmark that a reading left come again in the next one, as sources are asked for what is not less than it: what
/// nobody has changed is not delivered twice.
@Suite(.waiting) struct BoundaryTests {
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

  /// Pages of items, one of which may fail: `1@4A` is item 1 with the bookmark 4 and the text A, `-2` says that 2 is gone, and `!`
  /// fails. The last line of an item is its newest version.
  private static let paged = """
    local p = lookahead.parameters { pages = { required = true, partition = false } }
    local s = lookahead.source { name = "s", keys = KEYS, pageSize = 2, bookmark = "at", retries = 0, maxInFlight = 1 }
    function s.fetch(context)
      local n, pages = tonumber(context.key) or 1, {}
      for page in p.pages:gmatch("[^/]+") do pages[#pages + 1] = page end
      local page = pages[n] or ""
      if page:find("!", 1, true) then error("closed for lunch") end
      local items, removed = {}, {}
      for id, at, text in page:gmatch("(%d+)@(%d+)(%u*)") do
        items[#items + 1] = { id = tonumber(id), at = tonumber(at), text = text }
      end
      for id in page:gmatch("%-(%d+)") do removed[#removed + 1] = tonumber(id) end
      return { items = items, removed = removed, isLast = n >= #pages,
        nextKey = KEYS == "cursor" and n < #pages and tostring(n + 1) or nil }
    end
    return s
    """

  /// The newest text of each item of a text, and how many lines there are.
  private static func newest(_ lines: [String]) -> [Int: String] {
    var newest: [Int: String] = [:]
    for line in lines {
      let parts = line.split(separator: "\"").map(String.init)
      guard let place = parts.firstIndex(of: "id"),
        let text = parts.last(where: { $0.allSatisfy(\.isUppercase) })
      else {
        continue
      }
      newest[Int(parts[place + 1].filter(\.isNumber)) ?? 0] = text
    }
    return newest
  }

  /// What readings one after the other leave, each of such pages; the versions that are newest at the end, and how many lines
  /// may be there at most.
  struct Nights: Sendable, CustomTestStringConvertible {
    var readings: [String]
    var options: [[String]] = []
    var newest: [Int: String]
    var lines: Int
    var testDescription: String { readings.joined(separator: " | ") }
  }

  @Test(
    arguments: [
      Nights(readings: ["1@4A", "1@4B/!", "1@4B/2@4A", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 5),
      Nights(
        readings: ["1@4A", "1@4B9@4A", "1@4A9@4A"], options: [[], ["--limit", "1"], []],
        newest: [1: "A", 9: "A"],
        lines: 4),
      Nights(readings: ["1@4A/2@4A", "1@4A/2@4A/-9", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 2),
      Nights(
        readings: ["1@1A/2@2A/3@3A/4@4A/!", "1@1A/2@2A/3@3A/4@4A/5@5A"],
        newest: [1: "A", 2: "A", 3: "A", 4: "A", 5: "A"], lines: 5),
      Nights(
        readings: ["1@4A/2@4A", "1@3B", "1@4A/2@4A"], options: [[], ["--since", "2", "--until", "3"], []],
        newest: [1: "A", 2: "A"], lines: 5),
      Nights(readings: ["1@4A/2@4A", "1@4A/-2", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 3),
      Nights(
        readings: ["1@1A/2@4A/!", "1@1A/2@4A/3@4A", "2@4A/3@4A"], newest: [1: "A", 2: "A", 3: "A"], lines: 3),
      Nights(
        readings: ["1@1A/2@4A/!", "1@1A/2@4A/3@4A/!", "1@1A/2@4A/3@4A/4@4A", "2@4A/3@4A/4@4B"],
        newest: [1: "A", 2: "A", 3: "A", 4: "B"], lines: 5),
      Nights(
        readings: ["1@1A/2@4A/!", "1@1A/2@4A/3@5A", "2@4B/3@5A"], newest: [1: "A", 2: "B", 3: "A"], lines: 4),
      Nights(
        readings: ["1@4A/2@4A/!", "1@4A/2@4A/1@4B", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 5),
      Nights(readings: ["1@4A", "1@4B/1@4A/2@4A", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 4),
      Nights(readings: ["1@4A/2@4A/!", "1@4A/2@4A/2@4A/3@4A"], newest: [1: "A", 2: "A", 3: "A"], lines: 3),
      Nights(
        readings: ["1@4A/2@4A/!", "1@4A/2@4A/-2", "1@4A/2@4A"], newest: [1: "A", 2: "A"], lines: 4),
    ], ["\"cursor\"", "\"page\""])
  func `the last line of an item is its newest version, whatever was cut before`(
    _ nights: Nights, keys: String
  ) throws {
    for output in ["a.ndjson", "a.db"] {
      let scratch = try Scratch(script: Self.paged.replacing("KEYS", with: keys))
      for (night, pages) in nights.readings.enumerated() {
        _ = try Command.lookahead(
          ["run", "feed.lua", "-o", output, "-e", "pages=\(pages)"]
            + (nights.options.isEmpty ? [] : nights.options[night])
        ).within(scratch).run()
      }
      let read =
        output == "a.db"
        ? "sqlite3 a.db \"SELECT json_object('id', id, 'text', text) FROM s\"" : "cat a.ndjson"
      let lines = try scratch.shell(read).output.split(separator: "\n").map(String.init)

      #expect(Self.newest(lines) == nights.newest, "\(output): \(lines)")
      #expect(lines.count <= nights.lines, "\(output): \(lines)")
    }
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
