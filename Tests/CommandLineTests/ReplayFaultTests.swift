import Foundation
import Testing

@Suite(.waiting) struct ReplayFaultTests {
  /// A recording of a thousand numbers, ten pages, two requests in a row each.
  private func recorded(_ script: String = Scripts.numbers) throws -> Scratch {
    let scratch = try Scratch(script: script)
    _ = try scratch.lookahead("run", "feed.lua", "--record", "r.jsonl", "--param", "wait=0.001")
    return scratch
  }

  @Test func `a file that is not there is named`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--replay", "no.jsonl")

    #expect(result.exitCode == 66)
    #expect(result.error == "error: --replay no.jsonl: can't read no.jsonl: no such file or directory")
  }

  @Test func `a file that is no recording says what one is`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--replay", "feed.lua")

    #expect(result.exitCode == 66)
    #expect(
      result.error
        == "error: --replay feed.lua: this is no recording (expected a file that lookahead run --record has written)"
    )
  }

  @Test func `a broken line is named with what was expected and what came`() throws {
    let scratch = try recorded()
    let text = try scratch.text("r.jsonl")
    try scratch.write(
      "broken.jsonl", text.replacing("\"asked\":", with: "\"asked\":\"late\",\"was\":", maxReplacements: 1))
    try scratch.write("old.jsonl", text.replacing("\"version\":1", with: "\"version\":99"))

    let broken = try scratch.lookahead("run", "feed.lua", "--replay", "broken.jsonl")
    let old = try scratch.lookahead("run", "feed.lua", "--replay", "old.jsonl")

    #expect(broken.exitCode == 66 && old.exitCode == 66)
    #expect(
      broken.error
        == "error: --replay broken.jsonl:3: expected a number of seconds as 'asked' of the line, got a text")
    #expect(
      old.error
        == "error: --replay old.jsonl: a recording of version 99 (expected 1); record the script again")
  }

  @Test func `a recording cut anywhere replays up to there`() throws {
    let scratch = try recorded()
    let whole = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl").output
    let bytes = Data(try scratch.text("r.jsonl").utf8)
    let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    var counts: [Int] = []

    for part in 1...6 {
      try scratch.write("cut.jsonl", bytes.prefix(header + (bytes.count - header) * part / 7))
      let replay = try scratch.lookahead("run", "feed.lua", "--replay", "cut.jsonl")

      #expect(replay.exitCode == 1)
      #expect(replay.errors.contains("warn: --replay cut.jsonl: the recording was cut after"))
      #expect(replay.error.contains("the recording was cut after"), "\(replay.errors)")
      #expect(whole.hasPrefix(replay.output))
      counts.append(replay.lines.count)
    }

    #expect(counts == counts.sorted() && counts.last ?? 0 > 0, "\(counts)")
  }

  @Test func `a run that was killed replays up to there`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    var command = Command.lookahead(
      ["run", "feed.lua", "--param", "count=1000000", "--param", "wait=0.02", "--record", "r.jsonl"])
    command.isToBeInterrupted = { $0.lines.count >= 500 }
    command.signals = [SIGKILL]
    let live = try command.within(scratch).run()

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(live.exitCode == SIGKILL)
    #expect(replay.exitCode == 1)
    #expect(replay.lines.count >= 400)
    #expect(Array(replay.lines.prefix(400)) == Array(live.lines.prefix(400)))
  }

  @Test func `a script that asks for more is told what the recording lacks`() throws {
    let base = Server.faults.base(run: "more", "items=300")
    let scratch = try Scratch(script: Scripts.pages)
    _ = try scratch.lookahead(
      "run", "feed.lua", "--record", "r.jsonl", "--param", "base=\(base)", "--allow-net")
    try scratch.write("feed.lua", Scripts.pages.replacing("pageSize = 100", with: "pageSize = 50"))

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(replay.exitCode == 1)
    #expect(replay.errors.contains("warn: --replay r.jsonl: the script has changed since it was recorded"))
    #expect(
      replay.error.normalised
        == "error: feed.lua:4: the recording has no answer to GET URL: the recorded run never asked; record the script again as it is"
    )
  }

  @Test func `a script sees the code of what was not recorded`() throws {
    let scratch = try recorded(
      "lookahead.emit({ id = 1 })\nlookahead.parameters { wait = { default = 0.0 } }")
    try scratch.write(
      "feed.lua",
      "local text, err = lookahead.try(lookahead.fs.read, \"feed.lua\")\nlookahead.emit({ code = err.code })")

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl", "--quiet")

    #expect(replay.output == "{\"code\":\"notRecorded\"}\n")
  }

  @Test func `another policy gets its answers in another order`() throws {
    let base = Server.faults.base(run: "policy", "items=1000/latency_ms=3/jitter_ms=10")
    let scratch = try Scratch(script: Scripts.pages)
    let live = try scratch.lookahead(
      "run", "feed.lua", "--record", "r.jsonl", "--param", "base=\(base)", "--allow-net", "-j", "8")

    let replays = try ["1", "3", "8"].map { width in
      try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl", "-j", width)
    }

    #expect(live.lines.count == 1000)
    #expect(replays.map(\.exitCode) == [0, 0, 0], "\(replays.map(\.errors))")
    #expect(replays.allSatisfy { $0.output == live.output })
  }

  @Test func `a recording of another script is told`() throws {
    let scratch = try recorded()
    try scratch.write("other.lua", Scripts.numbers)

    let replay = try scratch.lookahead("run", "other.lua", "--replay", "r.jsonl")

    #expect(replay.exitCode == 0)
    #expect(
      replay.errors.contains("warn: --replay r.jsonl: this is a recording of feed.lua and not of other.lua"))
  }

  @Test func `to record a replay is refused`() throws {
    let result = try recorded().lookahead("run", "feed.lua", "--replay", "r.jsonl", "--record", "s.jsonl")

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--record and --replay: expected one of them"))
  }

  @Test func `a recording that can't be written is told at once`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--record", "no/r.jsonl")

    #expect(result.exitCode == 73)
    #expect(result.error == "error: --record: can't write no/r.jsonl: no such file or directory")
  }
}
