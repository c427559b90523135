import Foundation
import Testing

/// Pages in flight where nobody says how many, with real servers.
@Suite(.waiting) struct WidthTests {
  private func run(_ name: String, _ faults: String, _ options: [String] = []) throws -> CommandResult {
    let base = Server.faults.base(run: name, faults)
    let scratch = try Scratch(script: Scripts.pages)
    let arguments = ["run", "feed.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1"]
    return try Command.lookahead(arguments + options).within(scratch).run()
  }

  /// The number of items, and what the server may have counted: one request beside those of the pages asks past the told total,
  /// since the last page is full. How wide a host with few workers is asked hangs on what else this machine does: AutomaticWidthTests
  /// hold that, in virtual time.
  @Test(arguments: [
    ("limit", "items=20000/latency_ms=5/most_at_once=6", 6 + 32, 250),
    ("rate", "items=6000/rate_limit=20", 32, 120), ("worker", "items=20000/latency_ms=4/workers=1", 32, 202),
    ("reset", "items=20000/latency_ms=5/reset=40", 32, 215),
    ("busy", "items=20000/latency_ms=5/every_503=50/retry_after=0", 32, 215),
    ("free", "items=20000/latency_ms=20", 32, 202),
  ])
  func `whatever a server bears, the items are the same, and requests are bounded`(
    name: String, faults: String, atOnce: Int, requests: Int
  ) throws {
    let result = try run("width-\(name)", faults)

    #expect(result.exitCode == 0, "\(result.errors)")
    let numbers = try #require(Items(lines: result.output)).numbers
    #expect(numbers == Array(1...numbers.count) && numbers.count % 1000 == 0 && numbers.count > 5000)
    let counts = try Server.faults.counts(run: "width-\(name)")
    #expect(counts.max_in_flight <= atOnce, "\(counts)")
    #expect(counts.requests <= requests, "\(counts)")
  }

  @Test
  func `more are in flight than the usual four where the server bears it, and never more than a source says`()
    throws
  {
    _ = try run("width-more", "items=20000/latency_ms=20")
    #expect(try Server.faults.counts(run: "width-more").max_in_flight > 16)

    let base = Server.faults.base(run: "width-said", "items=5000/latency_ms=20")
    let said = Scripts.pages.replacing("pageSize = 100", with: "pageSize = 100, maxInFlight = 2")
    let scratch = try Scratch(script: said)
    _ = try scratch.lookahead("run", "feed.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1")
    #expect(try Server.faults.counts(run: "width-said").max_in_flight == 2)
  }

  @Test(arguments: [1, 3, 10])
  func `a short list whose length nobody tells costs a few requests`(pages: Int) throws {
    let result = try run("width-short-\(pages)", "items=\(pages * 100)/latency_ms=20/no_total=1")

    #expect(result.lines.count == pages * 100)
    #expect(try Server.faults.counts(run: "width-short-\(pages)").requests <= 2 * pages + 4)
  }

  @Test func `a recording made before the number was found out replays the same`() throws {
    let base = Server.faults.base(run: "width-old", "items=3000/latency_ms=5/no_total=1")
    let scratch = try Scratch(script: Scripts.pages)
    let arguments = ["run", "feed.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1"]
    let live = try Command.lookahead(arguments + ["-j", "4", "--record", "old.jsonl"]).within(scratch).run()
    let text = try scratch.text("old.jsonl")
    let old = text.replacing(",\"concurrency\":\"4\",\"usualConcurrency\":\"auto\"", with: "")
    #expect(old != text)
    try scratch.write("old.jsonl", old)

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "old.jsonl")

    #expect(live.exitCode == 0 && replay.exitCode == 0, "\(replay.errors)")
    #expect(replay.output == live.output)
    #expect(replay.summary?.prefix { $0 != "r" } == live.summary?.prefix { $0 != "r" })
  }

  @Test(arguments: [[], ["-j", "1"], ["-j", "auto"], ["-j", "16"]])
  func `a replay has as many in flight as its recording, without being told`(options: [String]) throws {
    let name = "width-replay\(options.joined())"
    let base = Server.faults.base(run: name, "items=3000/latency_ms=5/jitter_ms=5/no_total=1")
    let scratch = try Scratch(script: Scripts.pages)

    let replayed = try Replayed(
      ["feed.lua", "--param", "base=\(base)"], live: ["--allow-net=127.0.0.1"] + options, in: scratch)

    #expect(replayed.live.exitCode == 0 && replayed.replay.exitCode == 0, "\(replayed.replay.errors)")
    #expect(replayed.difference == nil)
    #expect(replayed.replay.output == replayed.live.output)
  }
}
