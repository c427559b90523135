import Foundation
import Testing

@Suite(.waiting) struct ReplayTests {
  @Test(arguments: GalleryCase.served)
  func `a replay of the gallery decides and writes the same, byte by byte`(gallery: GalleryCase) throws {
    let parameters = gallery.arguments.filter { !$0.hasPrefix("--allow") }
    let permissions = gallery.arguments.filter { $0.hasPrefix("--allow") }

    let run = try Replayed(
      [gallery.run] + parameters, live: permissions, in: Scratch(), folder: Repository.root.path)

    #expect(run.live.exitCode == 0 && run.replay.exitCode == 0, "\(run.live.errors)\(run.replay.errors)")
    #expect(run.difference == nil)
    #expect(run.replay.output == run.live.output)
    #expect(run.replay.lines.count == gallery.count)
  }

  static let faults = FaultCase.runs.filter { run in
    run.script == (run.fault.keys?.first ?? "page_number")
  }

  @Test(arguments: faults)
  func `a replay of a run with faults has the same retries, the same end and the same words`(run: FaultRun)
    throws
  {
    let base = Server.faults.base(run: "replay-\(run.name)", "items=1000/\(run.fault.settings)")
    let arguments = ["scripts/sources/\(run.script).lua", "--param", "base=\(base)", "--allow-net=127.0.0.1"]

    let replayed = try Replayed(
      arguments + (run.fault.options ?? []), in: Scratch(), folder: Repository.root.path)

    #expect(replayed.live.exitCode == run.fault.exit ?? 0)
    #expect(replayed.replay.exitCode == replayed.live.exitCode)
    #expect(replayed.difference == nil)
    #expect(replayed.replay.output == replayed.live.output)
    #expect(replayed.replay.error == replayed.live.error)
  }

  @Test func `a replay needs no network, no files, no database, no environment and no parameters`() throws {
    let base = Server.faults.base(run: "alone", "items=500")
    let scratch = try Scratch(script: Self.everything)
    try scratch.write("names.txt", "one\ntwo\nthree\n")
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("scripts/data/zones.db"),
      to: URL(fileURLWithPath: "\(scratch.path)/new.db"))
    let live = try scratch.lookahead(
      "run", "feed.lua", "--record", "r.jsonl", "--param", "base=\(base)", "--allow-net", "--allow-env",
      "--allow-read", "--allow-write")
    for name in ["names.txt", "new.db", "copy.txt"] {
      try FileManager.default.removeItem(atPath: "\(scratch.path)/\(name)")
    }

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(live.exitCode == 0 && replay.exitCode == 0, "\(live.errors)\(replay.errors)")
    #expect(live.lines.count == 7)
    #expect(replay.output == live.output)
    #expect(!scratch.has("copy.txt") && !scratch.has("new.db"))
    #expect(try Server.faults.counts(run: "alone").requests == 1)
  }

  @Test func `a recording may be taken to another folder`() throws {
    let script = "lookahead.emit({ id = 1, text = lookahead.fs.read(\"names.txt\") })"
    let scratch = try Scratch(script: script)
    try scratch.write("names.txt", "one")
    let live = try scratch.lookahead("run", "feed.lua", "--record", "r.jsonl")
    let other = try Scratch(script: script)
    try other.write("r.jsonl", try scratch.text("r.jsonl"))

    let replay = try other.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(replay.exitCode == 0, "\(replay.errors)")
    #expect(replay.output == live.output && live.lines.count == 1)
  }

  @Test func `an hour takes no time, and the summary tells of the hour`() throws {
    let scratch = try Scratch(script: "lookahead.sleep(0.05)\nlookahead.emit({ id = 1 })")
    _ = try scratch.lookahead("run", "feed.lua", "--record", "r.jsonl")
    let hour = try scratch.text("r.jsonl").replacing(
      /"after":[0-9.]+,"sleep"/, with: "\"after\":3600,\"sleep\"")
    try scratch.write("hour.jsonl", hour)

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "hour.jsonl", "--summary", "s.json")

    #expect(replay.exitCode == 0, "\(replay.errors)")
    #expect((object(try scratch.text("s.json"))["seconds"] as? Double ?? 0) >= 3600)
  }

  @Test func `random numbers and the clock of the script are the recorded ones`() throws {
    let script = """
      lookahead.sleep(0.01)
      lookahead.emit({ id = 1, r = math.random(1 << 40), t = lookahead.now() })
      """

    let run = try Replayed(["feed.lua"], in: Scratch(script: script))

    #expect(run.live.lines.count == 1)
    #expect(run.replay.output == run.live.output)
  }

  @Test func `the output goes where this run says`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let live = try scratch.lookahead("run", "feed.lua", "--record", "r.jsonl")

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl", "-o", "items.ndjson")

    #expect(replay.exitCode == 0 && replay.output == "")
    #expect(try scratch.text("items.ndjson") == live.output)
  }

  @Test func `what an interrupt ended is interrupted again at the same place`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    var command = Command.lookahead(
      ["run", "feed.lua", "--param", "count=1000000", "--param", "wait=0.02", "--record", "r.jsonl"])
    command.isToBeInterrupted = { $0.lines.count >= 300 }
    let live = try command.within(scratch).run()

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(live.exitCode == 130 && replay.exitCode == 130)
    #expect(replay.output == live.output)
    #expect(replay.error == "error: interrupted; what was written is kept")
  }

  private static let everything = """
    local p = lookahead.parameters { base = { required = true, help = "where the server is" } }
    lookahead.emit({ id = 1, home = lookahead.env.get("HOME") })
    lookahead.emit({ id = 2, text = lookahead.fs.read("names.txt") })
    lookahead.emit({ id = 3, there = lookahead.fs.exists("nothing.txt") })
    lookahead.fs.write("copy.txt", "copy")
    for line in lookahead.fs.lines("names.txt") do
      if line == "three" then lookahead.emit({ id = 4, line = line }) end
    end
    local database = lookahead.sqlite.open("new.db", { readOnly = false })
    database:execute("create table a (b, c)")
    database:execute("insert into a values (?, ?)", { 1.5, "x" })
    lookahead.emit({ id = 5, rows = database:query("select * from a") })
    local page = lookahead.http.get(p.base .. "/items", { query = { per_page = 2 } }):json()
    for _, item in ipairs(page.items) do lookahead.emit(item) end
    """

  @Test func `a text that other runs go on with is not written anew`() throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", bookmark = "id" }
        function s.fetch(context)
          local items = {}
          for id = (context.bookmark or 0) + 1, lookahead.fs.exists("more") and 5 or 3 do items[#items + 1] = { id = id } end
          return { items = items }
        end
        return s
        """)
    let run = "lookahead run feed.lua -A -q -o o.ndjson"

    let result = try scratch.shell(
      "\(run); touch more; \(run) --record r.jsonl; \(run) --replay r.jsonl 2> errors; echo $?; wc -l < o.ndjson; "
        + "lookahead run feed.lua -q -o p.ndjson --replay r.jsonl; wc -l < p.ndjson")

    #expect(result.lines == ["73", "5", "2"], "\(result.output) \(result.errors)")
    #expect(try scratch.text("errors").contains("give the replay another -o"))
  }
}
