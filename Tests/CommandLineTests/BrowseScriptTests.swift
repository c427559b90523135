import Foundation
import Simulation
import Testing

@Suite(.waiting) struct BrowseScriptTests {
  private func browse(_ keys: String, _ options: String..., script: String = Scripts.numbers) throws
    -> CommandResult
  {
    try Command.lookahead(["browse", "feed.lua", "--script", keys] + options).within(Scratch(script: script))
      .run()
  }

  @Test func `keys are typed and the last screen is printed`() throws {
    let result = try browse("settle Down*2 settle", "--size", "40x6")

    #expect(result.errors == "")
    #expect(
      result.output == """
           # id text
           1  1 item 1
           2  2 item 2
           3  3 item 3
           4  4 item 4
        numbers 3 of 1000 | 0 in flight | stall…

        """)
  }

  @Test(arguments: [410, 500])
  func `a refresh whose place is gone begins at the start, and one that fails leaves what is there`(
    status: Int
  ) throws {
    let script = """
      local s = lookahead.source { name = "rows", id = "id", pageSize = 7 }
      function s.fetch(context)
        local day, start = (context.key or context.generation .. ":0"):match("(%d+):(%d+)")
        if tonumber(day) ~= context.generation then error { code = "http", status = \(status), message = "gone" } end
        local items = {}
        for i = start + 1, start + 7 do items[#items + 1] = { id = i } end
        return { items = items, nextKey = start + 7 < 70 and day .. ":" .. math.tointeger(start + 7) or nil }
      end
      return s
      """

    let result = try browse(
      "settle PageDown*6@30ms settle r settle wait:50ms g settle", "--size", "90x6", script: script)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains("\n 1  1\n"), "\(result.output)")
    #expect(result.output.contains("not refreshed: ") == (status == 500), "\(result.output)")
  }

  @Test func `a policy given on the command line decides from the first page on`() throws {
    let script = Scripts.numbers.replacing("pageSize = 100", with: "pageSize = 10")
    func pages(_ options: String...) throws -> Int {
      let result = try Command.lookahead(
        ["browse", "feed.lua", "--script", "settle wait:500ms settle", "--summary", "-", "-e", "count=1000"]
          + options
      ).within(Scratch(script: script)).run()
      let summary = try #require(json(result.lines.last ?? "") as? [String: Any])
      return try #require(summary["pages"] as? Int)
    }

    let (own, needed, all) = (
      try pages(), try pages("--policy", "onDemand"), try pages("--policy", "everything")
    )

    #expect(needed < own)
    #expect(own < all)
  }

  @Test func `a place far away is jumped to, and what lies between is never fetched`() throws {
    let result = try browse(
      "settle G settle Up*2 settle", "--size", "60x6", "-e", "count=1000000", "-e", "wait=0.05", "--summary",
      "-")

    #expect(result.output.contains("\n 999998  999998 item 999998\n"))
    let summary = try #require(json(result.lines.last ?? "") as? [String: Any])
    #expect((summary["pages"] as? Int ?? 99) <= 4)
  }

  @Test func `a cursor leads to the end page by page`() throws {
    let script = """
      local source = lookahead.source { name = "cursor", pageSize = 10, maxItems = 50 }
      function source.fetch(context)
        local first = context.key or 0
        local items = {}
        for id = first + 1, first + 10 do items[#items + 1] = { id = id } end
        return { items = items, nextKey = first < 190 and first + 10 or nil }
      end
      return source
      """
    let result = try browse("settle G wait:500ms settle", "--size", "60x6", "--summary", "-", script: script)

    #expect(result.lines[4].hasSuffix(" 200"))
    let summary = try #require(json(result.lines.last ?? "") as? [String: Any])
    #expect((summary["mostItemsHeld"] as? Int ?? 99) <= 60)
    let back = try browse("settle G wait:500ms settle g wait:500ms settle", "--size", "60x6", script: script)
    #expect(back.lines[1].hasSuffix(" 1"))
  }

  @Test func `a million items are browsed with as many held as may be`() throws {
    let script = Scripts.numbers.replacingOccurrences(
      of: "pageSize = 100", with: "pageSize = 1000, maxItems = 4000")
    let result = try browse(
      "settle PageDown*2000 settle PageUp*500 settle", "--size", "60x50", "-e", "count=1000000", "--summary",
      "-", script: script)

    let summary = try #require(json(result.lines.last ?? "") as? [String: Any])
    #expect(result.output.contains("\n  72001 72001 item 72001\n"))
    #expect((summary["mostItemsHeld"] as? Int ?? 0) <= 6000)
    #expect(summary["keys"] as? Int == 2500)
    #expect((summary["frameMedianMs"] as? Double ?? 0) > 0)
  }

  @Test func `an error stands in its place until it is tried again`() throws {
    let script = """
      local tries = 0
      local source = lookahead.source { name = "failing", keys = "offset", pageSize = 3, retries = 0 }
      function source.fetch(context)
        tries = tries + 1
        if context.key > 0 and tries < 4 then error("the shelf is empty") end
        local items = {}
        for id = context.key + 1, context.key + 3 do items[#items + 1] = { id = id } end
        return { items = items, total = 6 }
      end
      return source
      """
    let failed = try browse("settle wait:300ms Down*3", "--size", "70x10", script: script)
    let again = try browse(
      "settle wait:300ms Down*3 Enter settle Enter wait:300ms settle R wait:300ms settle", "--size", "70x10",
      script: script)

    #expect(failed.lines[4].contains("! ") && failed.lines[4].contains("the shelf is empty"))
    #expect(again.lines[6].hasSuffix(" 6"))
  }

  @Test func `details of what is near are prefetched and shown in the open item`() throws {
    let script = Scripts.numbers.replacingOccurrences(
      of: "return numbers",
      with: """
        function numbers.prefetchItem(id, context)
          lookahead.sleep(0.01)
          return { square = id * id }
        end
        return numbers
        """)

    let result = try browse("settle Down*6 Enter wait:500ms settle", "--size", "60x10", script: script)

    #expect(
      result.lines.prefix(5).map { $0.trimmingCharacters(in: .whitespaces) } == [
        "item 7", "id: 7", "text: item 7", "- details:", "square: 49",
      ])
  }

  @Test func `a dot says which details are there`() throws {
    let script = Scripts.numbers.replacingOccurrences(
      of: "return numbers",
      with: """
        function numbers.prefetchItem(id, context)
          if id % 2 == 0 then lookahead.sleep(60) end
          return { square = id * id }
        end
        return numbers
        """)

    let result = try browse("settle wait:200ms settle", "--size", "60x7", script: script)
    let plain = try browse("settle wait:200ms settle", "--size", "60x7", script: Scripts.numbers)

    #expect(result.lines[1...4].map { $0.contains("•") } == [true, false, true, false], "\(result.output)")
    #expect(!plain.output.contains("•"))
  }

  @Test func `a policy may come from a file, which has a Lua state of its own`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write(
      "never.lua",
      "local asked = 0\nreturn lookahead.policy { shouldBatchFetch = function() asked = asked + 1 return false end }"
    )
    try scratch.write("bad.lua", "return 1 +")
    try scratch.write("source.lua", "return 7")
    func browse(_ policy: String, _ keys: String = "wait:300ms") throws -> CommandResult {
      try scratch.lookahead(
        "browse", "feed.lua", "--policy", policy, "--script", keys, "--size", "70x10", "--summary", "-")
    }

    let never = try browse("never.lua")
    let later = try browse("everything", "settle P never.lua Enter wait:100ms")
    let missing = try browse("missing.lua")
    let bad = try browse("bad.lua")
    let other = try browse("source.lua")

    #expect(never.output.contains("policy never.lua") && never.output.contains("\"pages\":0,"), "\(never)")
    #expect(later.output.contains("policy: never.lua"), "\(later)")
    #expect(
      missing.exitCode == 66 && missing.errors.contains("can't read the script missing.lua"), "\(missing)")
    #expect(bad.exitCode == 65 && bad.errors.contains("bad.lua:1"), "\(bad)")
    #expect(other.exitCode == 65 && other.errors.contains("got number"), "\(other)")
  }

  @Test func `what was seen is a workload of the lab`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let result = try Command.lookahead([
      "browse", "feed.lua", "-e", "wait=0.05", "--script",
      "settle PageDown*8@40ms settle PageUp*3@40ms settle",
      "--record", "me.jsonl",
    ]).within(scratch).run()

    let trace = try ViewportTrace(text: scratch.text("me.jsonl"))
    let latencies = try scratch.text("me.jsonl.latencies").split(separator: "\n").compactMap { Double($0) }

    #expect(result.exitCode == 0)
    #expect(trace.items == 1000 && trace.viewport == 22)
    #expect(trace.points.map(\.first).max() == 176 && trace.points.last?.first == 110)
    #expect(trace.path.items == 1000)
    #expect(latencies.count >= 2 && latencies.allSatisfy { $0 >= 0.05 })
    #expect(try scratch.text("me.jsonl.calls").contains("sleep"))
  }

  @Test func `the lab waits as long as the reader who was recorded`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    for (name, policy) in [("a", "leadingScreens(0.5)"), ("b", "onDemand")] {
      let result = try Command.lookahead([
        "browse", "feed.lua", "-e", "wait=0.4", "--policy", policy, "--record", name, "--script",
        "settle PageDown*4@500ms settle PageUp*2@100ms settle",
      ]).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    let compared = try scratch.lookahead("lab", "feed.lua", "--validate", "a", "--validate", "b")
    let unreal = try scratch.lookahead("lab", "feed.lua", "--validate", "a", "--policy", "everything")

    #expect(compared.exitCode == 0, "\(compared.errors)")
    let percent = try #require(compared.lines.last?.firstMatch(of: /by ([0-9.]+) %/)?.1)
    #expect(try #require(Double(percent)) < 5, "\(compared.output)")
    #expect(unreal.lines.last?.contains("by 0.0 %") == false, "\(unreal.output)")
  }

  @Test(arguments: [
    ("t_ms,first,last\n0,0,9\n", "expected a recording of lookahead browse --record"),
    (Self.recording(reading: #""waits":1,"waited":-1"#), "expected a reading"),
    (Self.recording(reading: #""waits":1,"waited":1e400"#), "expected a reading"),
    (Self.recording(reading: #""waits":1,"waited":1,"pageSize":1e300"#), "expected a reading"),
    (Self.recording(reading: #""waits":1,"waited":1,"pageSize":0"#), "pageSize: expected at least 1"),
    (Self.recording(reading: #""waits":1,"waited":1,"policy":"nope""#), "policy nope: unknown policy"),
  ])
  func `a damaged recording can't be validated`(contents: String, words: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("me.jsonl", contents)

    let result = try scratch.lookahead("lab", "feed.lua", "--validate", "me.jsonl")

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `a recording with the policy of its source needs the source's script`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("me.jsonl", Self.recording(reading: #""waits":1,"waited":0.1"#))

    let alone = try scratch.lookahead("lab", "--validate", "me.jsonl")
    let both = try scratch.lookahead("lab", "feed.lua", "--validate", "me.jsonl")

    #expect(alone.exitCode == 64 && alone.error.contains("expected the recorded script"), "\(alone.errors)")
    #expect(both.exitCode == 0, "\(both.errors)")
  }

  private static func recording(reading: String) -> String {
    #"{"format":"lookahead.viewport","version":1,"reading":{"keys":"offset","latencies":[[0,0.1]],\#(reading)}}"#
      + "\n" + #"{"t_ms":0,"first":0,"last":9}"# + "\n"
  }

  @Test(arguments: [
    ("return nil", "returns no source"), ("return lookahead.source {", "feed.lua:1:"),
  ])
  func `a script that leaves nothing to browse is told so`(script: String, words: String) throws {
    let result = try browse("settle", script: script)

    #expect(result.exitCode != 0)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `without a terminal it says how to do without`() throws {
    let result = try Command.lookahead(["browse", "feed.lua"]).within(Scratch(script: Scripts.numbers)).run()

    #expect(result.exitCode == 64)
    #expect(
      result.errors
        == "error: browse: standard input and output are no terminal (to browse without one: --script KEYS)\n"
    )
  }

  @Test(arguments: [
    ["--script", "Down*x"], ["--policy", "nonsense"], ["--size", "big", "--script", "q"], ["--live"],
  ])
  func `a wrong command line is refused`(options: [String]) throws {
    let result = try Command.lookahead(["browse", "feed.lua"] + options).run()

    #expect(result.exitCode == 64)
  }
}
