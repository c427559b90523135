import Foundation
import Testing

/// What stands on standard error: entries that nobody can forge, and with --log-format json nothing but objects.
@Suite(.waiting) struct LogTests {
  /// Each line as an object; nil where it is none.
  private func objects(_ errors: String) -> [[String: Any]?] {
    errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  private static let talkative = """
    print("printed\\nerror: forged")
    lookahead.log.warn("logged\\nerror: forged", { a = 1 })
    lookahead.emit { id = 1 }
    """

  @Test(arguments: [
    ("run feed.lua -o out.ndjson", talkative, 0),
    ("run feed.lua -o out.ndjson --listen 127.0.0.1:0", talkative, 0),
    ("run feed.lua -o out.ndjson", "error('no\\nfurther')", 65),
    ("run feed.lua -o out.ndjson", "local = 1", 65),
    ("run feed.lua -o /dev/full --format ndjson", talkative, 73),
    ("run feed.lua -o nowhere/out.ndjson", talkative, 73),
    ("run none.lua", talkative, 66), ("run feed.lua --nonsense", talkative, 64),
    ("run feed.lua --rate x", talkative, 64),
    ("run feed.lua --listen 300.0.0.1:1", talkative, 64), ("run feed.lua -o feed.lua", talkative, 64),
    ("run feed.lua --secret key=@nowhere", talkative, 66),
    ("run feed.lua -q -o out.ndjson", "error('no')", 65),
    ("run feed.lua --log-times -o out.ndjson", talkative, 0),
    ("run feed.lua -o out.ndjson --progress always", talkative, 0),
    ("get http://127.0.0.1:1/ --retries 0", "", 75), ("partitions feed.lua", "print('x')", 65),
  ])
  func `every line is an object with its time, level and message`(line: String, script: String, exitCode: Int)
    throws
  {
    let scratch = try Scratch(script: script)

    let result = try scratch.shell("lookahead \(line) --log-format json")
    let objects = objects(result.errors)

    #expect(result.exitCode == Int32(exitCode), "\(result.errors)")
    #expect(exitCode == 0 || objects.contains { $0?["level"] as? String == "error" }, "\(result.errors)")
    for object in objects {
      let object = try #require(object, "\(result.errors)")
      #expect((object["time"] as? String)?.hasSuffix("Z") == true)
      #expect(object["level"] is String && object["message"] is String)
      #expect((object["message"] as? String)?.hasPrefix("error: ") == false)
    }
  }

  @Test func `prints, the page's address and the summary have their words`() throws {
    let scratch = try Scratch(script: Self.talkative)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "out.ndjson", "--log-format", "json", "--listen", "127.0.0.1:0")
    let objects = objects(result.errors).compactMap { $0 }

    #expect(objects.map { $0["level"] as? String } == ["info", "print", "warn", "info"])
    #expect((objects.first?["url"] as? String)?.hasPrefix("http://127.0.0.1:") == true)
    #expect(objects[1]["message"] as? String == "printed\nerror: forged")
    #expect(objects.last?["items"] as? Int == 1)
  }

  @Test func `a secret is in no object, whatever it has in it`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { key = { secret = true, required = true } }
        print("a " .. p.key)
        error("no " .. p.key)
        """)
    var command = Command.lookahead(["run", "feed.lua", "--secret", "key=env:KEY", "--log-format", "json"])
    command.environment = ["KEY": "qu\"ote\\and\nline"]

    let result = try command.within(scratch).run()

    #expect(result.exitCode == 65)
    #expect(!result.errors.contains("ote") && !result.errors.contains("and\\nline"), "\(result.errors)")
  }

  @Test func `no message begins a line of its own, save what a script prints`() throws {
    let scratch = try Scratch(
      script: """
        lookahead.log.info("one\\nerror: two\\r\\n\\n\\twarn: three\\u{2028}info: four", { text = "a\\nerror: b" })
        lookahead.log.warn("x\\nerror: y")
        error("first\\nwarn: second\\n300 items, 15 pages")
        """)

    let plain = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson")
    let timed = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson", "--log-times")

    for result in [plain, timed] {
      let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("\t") }
      #expect(lines.count == 3, "\(result.errors)")
    }
    #expect(plain.errors.contains("info: one\n  error: two"))
    #expect(plain.errors.contains("\n  warn: second\n  300 items, 15 pages"))
  }

  @Test func `a summary says what was kept, not what was read`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let full = try scratch.lookahead(
      "run", "feed.lua", "-o", "/dev/full", "--format", "ndjson", "--no-state", "--summary", "sum.json",
      "--report",
      "run.html")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data(scratch.text("sum.json").utf8)) as? [String: Any])

    #expect(full.exitCode == 73)
    #expect(
      full.errors.contains("0 of 1,000 items written") || full.errors.contains(" of "), "\(full.errors)")
    #expect(summary["items"] as? Int == 0)
    #expect(summary["complete"] as? Bool == false)
    #expect(try scratch.text("run.html").contains(#""totals":{"items":0,"#))
  }

  @Test(arguments: ["a.ndjson", "a.csv", "a.db"])
  func `a summary counts no item that a full disk has not taken`(output: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let stopped = try scratch.shell(
      "ulimit -f 80; lookahead run feed.lua -e count=20000 -o \(output) --summary sum.json --progress never")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data(scratch.text("sum.json").utf8)) as? [String: Any])
    let count =
      output == "a.db"
      ? "sqlite3 a.db 'select count(*) from numbers' 2> /dev/null || echo 0"
      : "cat a.* .a.* 2> /dev/null | grep -ac item"
    let kept = try scratch.shell(count)
    let next = try scratch.lookahead("run", "feed.lua", "-e", "count=20000", "-o", output)

    #expect(stopped.exitCode == 73)
    #expect((summary["items"] as? Int ?? -1) < 20_000)
    #expect(summary["itemsRead"] as? Int ?? 0 > summary["items"] as? Int ?? 0)
    // Behind what is remembered there may be lines of pages that are written again.
    let lines = try #require(Int(kept.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    let items = try #require(summary["items"] as? Int)
    #expect(lines >= items, "\(lines) of \(items): \(stopped.errors)")
    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(try scratch.shell(count).output == "20000\n")
  }
}
