import Testing

/// Bookmarks that are times as their sources write them: each with the zone of its clock, or with as many digits as it needs.
@Suite(.waiting) struct BookmarkTimeTests {
  /// A server that compares times, and answers in its order, or the other way round.
  private func scratch(_ times: [String], isReversed: Bool = false) throws -> Scratch {
    let items = times.enumerated().map { "{ id = \($0.offset + 1), at = \"\($0.element)\" }" }
    return try Scratch(
      script: """
        local s = lookahead.source { name = "t", id = "id", bookmark = "at" }
        local all = { \(items.joined(separator: ", ")) }
        function s.fetch(context)
          local since, items = context.bookmark and lookahead.time.parse(context.bookmark), {}
          for number = 1, #all do
            local item = all[\(isReversed ? "#all + 1 - number" : "number")]
            if not since or lookahead.time.parse(item.at) >= since then items[#items + 1] = item end
          end
          return { items = lookahead.json.array(items) }
        end
        return s
        """)
  }

  private func run(_ scratch: Scratch, _ options: String...) throws -> String {
    let result = try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + options).within(scratch).run()
    #expect(result.exitCode == 0, "\(result.errors)")
    return try scratch.rows("select group_concat(id, '|') from t")
  }

  private func bookmark(_ scratch: Scratch) throws -> String {
    try scratch.rows("select bookmark from _lookahead_readings")
  }

  /// The hour in which clocks are set back.
  private static let autumn = [
    "2026-10-25T01:50:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:10:00+01:00",
    "2026-10-25T03:00:00+01:00",
  ]

  @Test(arguments: [false, true])
  func `none is left out between one zone and another`(isReversed: Bool) throws {
    let scratch = try scratch(Self.autumn, isReversed: isReversed)

    #expect(try run(scratch, "--until", "2026-10-25T02:20:00+01:00") == "1|2|3")
    #expect(try bookmark(scratch) == "\"\(Self.autumn[2])\"")
    #expect(try run(scratch) == "1|2|3|4")
    #expect(try bookmark(scratch) == "\"\(Self.autumn[3])\"")
  }

  @Test(arguments: [false, true])
  func `decimal numbers that are texts are compared as numbers`(isReversed: Bool) throws {
    let numbers =
      (1...150).map { $0 % 7 == 0 ? "\($0).00" : "\($0)" } + ["-3.25", "-10", "0", "12345678901234567890.5"]
    let scratch = try scratch(numbers, isReversed: isReversed)
    try scratch.write(
      "feed.lua", try scratch.text("feed.lua").replacing("lookahead.time.parse", with: "tonumber"))

    #expect(try run(scratch, "--until", "\"100\"").split(separator: "|").count == 103)
    #expect(try bookmark(scratch) == "\"100\"")
    #expect(try run(scratch).split(separator: "|").count == 154)
    #expect(try bookmark(scratch) == "\"12345678901234567890.5\"")
  }

  @Test(arguments: [false, true])
  func `a point in one of two numbers is seen in either`(isReversed: Bool) throws {
    let scratch = try scratch(["7.5", "12.5", "1000"], isReversed: isReversed)
    try scratch.write(
      "feed.lua", try scratch.text("feed.lua").replacing("lookahead.time.parse", with: "tonumber"))

    #expect(try run(scratch, "--until", "\"12.5\"") == "1|2")
    #expect(try run(scratch) == "1|2|3")
    #expect(try bookmark(scratch) == "\"1000\"")
  }

  /// What comes between the two: a stretch of the past, or a night without a bookmark.
  @Test(arguments: [
    ["a", "a --since 103", "b"], ["a", "b --since 8", "b"], ["a", "b --until 3", "b"], ["a", "", "b"],
    ["x,a", "x,b"],
    ["a", "b", "a"],
  ])
  func `a bookmark of another field is none, whatever lies between`(nights: [String]) throws {
    let scratch = try Scratch(script: "")
    for (number, night) in nights.enumerated() {
      let words = night.split(separator: " ").map(String.init)
      let field = words.first ?? ""
      let bookmark = field.isEmpty ? "" : ", bookmark = \"\(field)\""
      let column = field.hasSuffix("b") ? "b" : "a"
      try scratch.write(
        "feed.lua",
        """
        local s = lookahead.source { name = "t", id = "n"\(bookmark) }
        function s.fetch(context)
          local list = {}
          for i = 1, \(5 + number) do
            local row = { n = i, a = 100 + i, b = i, ["x,a"] = 100 + i, ["x,b"] = i }
            if not context.bookmark or row["\(column)"] >= context.bookmark then list[#list + 1] = row end
          end
          return { items = lookahead.json.array(list) }
        end
        return s
        """)
      let result = try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + words.dropFirst()).within(
        scratch
      ).run()
      #expect(result.exitCode == 0, "\(night): \(result.errors)")
    }
    #expect(try scratch.rows("select count(*) from t") == "\(4 + nights.count)")
  }

  @Test func `years beyond the usual are times, too`() throws {
    let scratch = try scratch(["2026-01-01T00:00:00", "+012345-01-01T00:00:00", "-0043-03-15T00:00:00"])

    #expect(try run(scratch, "--until", "2026-06-01") == "1|3")
    #expect(try run(scratch) == "1|2|3")
    #expect(try bookmark(scratch) == "\"+012345-01-01T00:00:00\"")
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `a bookmark of another field is none`(output: String) throws {
    let scratch = try Scratch(script: "")
    func run(_ field: String, _ count: Int, _ more: String...) throws -> CommandResult {
      let items = (1...count).map { "{ id = 5000 + \($0), rev = \($0) }" }
      try scratch.write(
        "feed.lua",
        """
        local all = { \(items.joined(separator: ", ")) }
        local s = lookahead.source { name = "t", id = "id", bookmark = "\(field)", pageSize = 2 }
        function s.fetch(context)
          local since, start, items = context.bookmark or 0, context.key or 0, {}
          for place = start + 1, math.min(start + 2, #all) do
            if all[place].\(field) >= since then items[#items + 1] = all[place] end
          end
          return { items = lookahead.json.array(items), nextKey = start + 2 < #all and start + 2 or nil }
        end
        return s
        """)
      return try Command.lookahead(["run", "feed.lua", "-o", output] + more).within(scratch).run()
    }
    let first = try run("id", 4)
    #expect(first.exitCode == 0, "\(first.errors)")

    let second = try run("rev", 6)
    let isText = output.hasSuffix("ndjson")
    #expect(second.exitCode == (isText ? 73 : 0), "\(second.errors)")
    #expect(isText || second.errors.contains("its bookmark is another than before"), "\(second.errors)")
    let third = try run("rev", 8, isText ? "--fresh" : "-q")
    #expect(third.exitCode == 0, "\(third.errors)")
    let rows = isText ? "wc -l < a.ndjson" : "sqlite3 a.db 'select count(*) from t'"
    #expect(try scratch.shell(rows).output == "8\n")

    // One that is open does not go on with it.
    #expect(try run("id", 8, "--fresh", "--max-pages", "2").exitCode == 0)
    let other = try run("rev", 8)
    #expect(other.exitCode == 65, "\(other.errors)")
    #expect(other.errors.contains("bookmark rev"), "\(other.errors)")
  }

  @Test func `one beyond the limit is left out, wherever its clock stands`() throws {
    let scratch = try scratch([
      "2026-03-01T20:00:00-05:00", "2026-03-01T23:00:00Z", "2026-03-02 00:59:59+0100",
    ])

    #expect(try run(scratch, "--until", "2026-03-02T00:00:00Z") == "2|3")
  }

  @Test(arguments: [false, true])
  func `texts of one length may be of several zones`(isReversed: Bool) throws {
    let times = ["2026-10-25T02:30:00+01:00", "2026-10-25T02:10:00.1234Z", "2026-10-25 04:30:00+01:00"]
    let scratch = try scratch(times, isReversed: isReversed)

    #expect(try run(scratch, "--until", times[1]) == "1|2")
    #expect(try bookmark(scratch) == "\"\(times[1])\"")
    #expect(try run(scratch) == "1|2|3")
  }

  @Test(arguments: [
    ("T", "Z", "2026-01-01 10:30:00Z"), (" ", "Z", "2026-01-01T10:30:00Z"),
    ("T", "+00:00", "2026-01-01 10:30:00+00:00"),
    (" ", "", "2026-01-01T10:30:00"), ("T", "Z", "2026-01-01T10:30:00"), ("T", "+01:00", "2026-01-01 09:30"),
    ("T", "", "2026-01-01T11:30:00+01:00"),
  ])
  func `one way of writing times is compared with another`(separator: String, zone: String, limit: String)
    throws
  {
    let scratch = try scratch(["10:00:00", "11:00:00"].map { "2026-01-01\(separator)\($0)\(zone)" })

    #expect(try run(scratch, "--until", limit) == "1")
  }

  @Test func `a source may write times in several ways, and is read on`() throws {
    let scratch = try scratch(["2026-01-01T09:00:00Z", "2026-01-01 10:00:00Z", "2026-01-01 11:00:00Z"])
    for _ in 1...3 { _ = try Command.lookahead(["run", "feed.lua", "-o", "a.ndjson"]).within(scratch).run() }

    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 3)
  }

  @Test(arguments: [false, true])
  func `a fraction of a second is later than none`(isReversed: Bool) throws {
    let times = ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.25Z", "2026-03-01T10:00:00.250000001Z"]
    let scratch = try scratch(times, isReversed: isReversed)

    #expect(try run(scratch) == "1|2|3")
    #expect(try bookmark(scratch) == "\"\(times[2])\"")
  }

  @Test(arguments: [
    (["2026-03-01 9", "2026-03-01 10"], 1), (["b", "a", "B"], 1),
    (["2026-13-01T00:00:00Z", "2026-12-01T00:00:00+09:00"], 1),
    (["2026-03-01T10:00:00", "2026-03-01T09:00:00"], 1),
  ])
  func `other texts are compared byte by byte`(texts: [String], greatest: Int) throws {
    let scratch = try scratch(texts)

    _ = try run(scratch)

    #expect(try bookmark(scratch) == "\"\(texts[greatest - 1])\"")
  }
}
