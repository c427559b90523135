import Foundation
import Testing

@Suite(.waiting) struct ReportTests {
  @Test func `the summary is the last line`() throws {
    let base = Server.faults.base(run: "summary", "items=1000/dup=50/every_503=5/retry_after=-1")

    let result = try Scratch(script: Scripts.pages).lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "--allow-net")

    let summary = try #require(result.summary)
    #expect(summary.hasPrefix("980 items, 11 pages, 13 requests, 2 retries, 20 duplicates dropped, "))
  }

  @Test(arguments: ["-", "summary.json"])
  func `the totals come as JSON`(path: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.csv", "--summary", path)

    let totals = object(path == "-" ? result.output : try scratch.text(path))
    #expect(totals["items"] as? Int == 1000)
    #expect(totals["pages"] as? Int == 11)
    #expect(totals["exitCode"] as? Int == 0)
    #expect(totals["streams"] as? [String: Int] == ["numbers": 1000])
    #expect(totals["bytesWritten"] as? Int == Data(try scratch.text("a.csv").utf8).count)
  }

  @Test func `a trace is lines of JSON that name every decision with its reason`() throws {
    let base = Server.faults.base(run: "trace", "items=1000/every_429=4/retry_after=-1")
    let scratch = try Scratch(script: Scripts.pages)

    let result = try scratch.lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "--allow-net", "--trace", "t.ndjson", "-q")

    let lines = try scratch.text("t.ndjson").split(separator: "\n").map { object(String($0)) }
    let names = lines.map { $0["event"] as? String ?? "none" }
    let decisions = lines.filter { $0["event"] as? String == "decided" }
    #expect(result.exitCode == 0)
    #expect(names.first == "run")
    #expect(names.filter { $0 == "landed" }.count == 11)
    #expect(names.filter { $0 == "delivered" }.count == 11)
    #expect(names.contains("httpRetrying") && names.contains("exhausted"))
    #expect(!names.contains("none"))
    #expect(decisions.allSatisfy { ($0["reason"] as? String)?.isEmpty == false && $0["inFlight"] is Int })
    #expect(
      decisions.contains { $0["fetch"] as? Int == 0 } && decisions.contains { $0["fetch"] as? Int ?? 0 > 0 })
  }

  @Test func `a trace for a viewer is one list`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    _ = try scratch.lookahead("run", "feed.lua", "--trace", "t.json")

    let events = try #require(json(try scratch.text("t.json")) as? [[String: Any]])
    #expect(events.filter { $0["ph"] as? String == "X" }.count == 11)
    #expect(events.contains { $0["ph"] as? String == "i" })
    #expect(events.allSatisfy { $0["ts"] is Double && $0["name"] is String })
  }

  @Test func `a trace that can't be written ends with 73`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead(
      "run", "feed.lua", "--trace", "missing/t.ndjson")

    #expect(result.exitCode == 73)
    #expect(result.errors == "error: --trace: can't write missing/t.ndjson: no such file or directory\n")
  }

  @Test func `quiet says nothing but errors`() throws {
    let script =
      "print(\"p\")\nlookahead.log.warn(\"w\")\nlookahead.log.error(\"e\")\nlookahead.emit { id = 1 }"

    let result = try Scratch(script: script).lookahead("run", "feed.lua", "--quiet")

    #expect(result.output == "{\"id\":1}\n")
    #expect(result.errors == "p\nerror: e\n")
  }

  @Test func `the log has levels`() throws {
    let script =
      "for _, level in ipairs { \"debug\", \"info\", \"warn\", \"error\" } do lookahead.log[level](\"m\", { n = 1 }) end"
    let scratch = try Scratch(script: script)

    let lines = try ["debug", "info", "warn", "error", "off"].map { level in
      try scratch.lookahead("run", "feed.lua", "--log-level", level).errors.split(separator: "\n").count {
        $0.contains("m n=1")
      }
    }

    #expect(lines == [4, 3, 2, 1, 0])
  }

  @Test func `the log comes as JSON`() throws {
    let script = "lookahead.log.info(\"say \\\"hi\\\"\\n\", { n = 1, half = 0.5, name = \"a b\", on = true })"

    let result = try Scratch(script: script).lookahead("run", "feed.lua", "--log-format", "json")

    let line = object(String(result.errors.split(separator: "\n")[0]))
    #expect(line["level"] as? String == "info")
    #expect(line["message"] as? String == "say \"hi\"\n")
    #expect([line["n"] as? Int, line["on"] as? Int] == [1, 1])
    #expect(line["half"] as? Double == 0.5)
    #expect(line["name"] as? String == "a b")
    let time = try #require(line["time"] as? String)
    #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test func `each line has its time where that is asked for, which a replay repeats`() throws {
    let scratch = try Scratch(
      script: """
        print("printed\\nsecond")
        lookahead.log.warn("logged")
        lookahead.sleep(1.5)
        lookahead.emit({ id = 1 })
        lookahead.log.info("later")
        """)
    let line = ["run", "feed.lua", "--log-times", "-o", "out.ndjson", "--no-state"]

    let live = try Command.lookahead(line + ["--record", "r.jsonl"]).within(scratch).run()
    let first = try Command.lookahead(line + ["--replay", "r.jsonl"]).within(scratch).run()
    let second = try Command.lookahead(line + ["--replay", "r.jsonl"]).within(scratch).run()

    func times(_ text: String) -> [String] {
      text.matches(of: /(?m)^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (printed|warn|info|1 item)/).map {
        "\($0.1)"
      }
    }
    #expect(times(live.errors).count == 4, "\(live.errors)")
    #expect(times(live.errors) == times(live.errors).sorted())
    #expect(times(first.errors).count == 4 && times(first.errors) == times(second.errors), "\(first.errors)")
    // A recording knows the second in which the run began.
    let (began, told) = (times(live.errors)[0].prefix(17), times(first.errors)[0].prefix(17))
    #expect(began == told || live.errors.contains(":59."))
  }

  @Test func `a dry run shows requests, sends none and leaves the output alone`() throws {
    let base = Server.faults.base(run: "dry")
    let scratch = try Scratch(script: Scripts.pages)
    try scratch.write("a.ndjson", "old\n")

    let result = try scratch.lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "--dry-run", "-o", "a.ndjson")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output == "GET \(base)/items?page=1&per_page=100\n")
    #expect(result.errors == "")
    #expect(try scratch.text("a.ndjson") == "old\n")
    #expect(try Server.faults.counts(run: "dry").requests == 0)
  }

  @Test func `a preview is a table`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let three = try scratch.lookahead("run", "feed.lua", "--preview=3")
    let standard = try scratch.lookahead("run", "feed.lua", "--preview")

    #expect(three.output == "id  text\n--  ------\n1   item 1\n2   item 2\n3   item 3\n")
    #expect(standard.lines.count == 22)
    #expect(standard.summary?.hasPrefix("20 items, ") == true)
  }

  @Test func `a summary that can't be written is said before the script runs`() throws {
    let result = try Scratch(script: "print(\"run\")").lookahead(
      "run", "feed.lua", "--summary", "no/summary.json")

    #expect(result.exitCode == 73)
    #expect(result.error == "error: can't write no/summary.json: no such file or directory")
    #expect(!result.errors.contains("run\n"))
  }

  @Test(arguments: [
    ("", true), ("return source", false), ("for _ in source:items() do end", false),
    ("return { source }", false),
    ("lookahead.emit { id = 1 }", false),
  ])
  func `a script that forgets to return its source is told so`(end: String, isTold: Bool) throws {
    let scratch = try Scratch(
      script: """
        local source = lookahead.source { name = "mine" }
        function source.fetch() return { items = {} } end
        \(end)
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    let quiet = try scratch.lookahead("run", "feed.lua", "-q")
    let check = try scratch.lookahead("check", "feed.lua")

    let said =
      "feed.lua declares the source 'mine' and returns none, so nothing was read: end it with `return`"
    #expect(result.exitCode == (isTold ? 65 : 0))
    #expect(result.errors.contains("error: \(said)") == isTold, "\(result.errors)")
    #expect(quiet.errors == (isTold ? "error: \(said)\n" : ""))
    #expect(quiet.exitCode == result.exitCode)
    #expect(check.exitCode == result.exitCode, "\(check.output)")
    #expect(
      check.errors.contains("it declares the source 'mine' and returns none") == isTold, "\(check.output)")
  }
}
