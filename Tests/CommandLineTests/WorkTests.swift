import Foundation
import Testing

/// `lookahead work`: partitions on standard input, events on standard output.
@Suite(.waiting) struct WorkTests {
  private static let outputs = [["-o", "all/", "--parts"], ["-o", "all.db"]]

  private func worker(_ scratch: Scratch, _ output: [String], _ others: String...) throws -> Workshop {
    try Workshop(scratch, words: ["feed.lua"] + output + others)
  }

  /// The rows that were written, sorted, as JSON.
  private func rows(_ output: [String], _ scratch: Scratch) throws -> [String] {
    if output.contains("--parts") { return try PartedScript.rows(of: "all/", in: scratch) }
    return try scratch.shell(
      "sqlite3 all.db \"SELECT json_object('account', account, 'id', id) FROM rows\""
    ).lines.sorted()
  }

  @Test(arguments: outputs) func `what is listed is worked on`(output: [String]) throws {
    let scratch = try Scratch(script: PartedScript.text)
    let worked = try scratch.shell(
      "lookahead partitions feed.lua | lookahead work feed.lua \(output.joined(separator: " "))")
    let events = worked.lines

    #expect(worked.exitCode == 0, "\(worked.errors)")
    #expect(events.first?.contains(#""event":"ready","version":1"#) == true)
    #expect(events.count { $0.contains(#""event":"started""#) } == 12)
    #expect(events.count { $0.contains(#""event":"done""#) } == 12)
    #expect(events.last?.contains(#""partitions":{"done":12,"failed":0}"#) == true, "\(events.last ?? "")")
    #expect(try rows(output, scratch) == PartedScript.rows())
  }

  @Test(arguments: outputs) func `what was done before is not read again`(output: [String]) throws {
    let scratch = try Scratch(script: PartedScript.text)
    let line = "lookahead partitions feed.lua | lookahead work feed.lua \(output.joined(separator: " "))"
    _ = try scratch.shell(line)
    let again = try scratch.shell(line)

    #expect(again.exitCode == 0)
    #expect(again.lines.count { $0.contains(#""isNew":false"#) } == 12)
    #expect(!again.errors.contains("page 1 of"), "\(again.errors)")
    #expect(try rows(output, scratch) == PartedScript.rows())
  }

  @Test(arguments: outputs) func `a worker that is killed loses a page, and another goes on`(output: [String])
    throws
  {
    let scratch = try Scratch(script: PartedScript.text)
    let line = PartedScript.line(of: 7, in: try PartedScript.partitions(scratch))
    let first = try worker(scratch, output, "-e", "hold=7")
    first.order(line)
    #expect(first.read { $0.name == "started" })
    #expect(first.read(untilItSays: "page 4 of 7"))
    #expect(first.read { $0.name == "position" })
    let kept = first.events.last { $0.name == "position" }?.count("pages") ?? 0
    first.signal(SIGKILL)
    _ = first.finish()
    let second = try worker(scratch, output)
    second.order(line)
    #expect(second.read { $0.name == "done" }, "\(second.sayings)")
    let code = second.finish()

    #expect(code == 0, "\(second.sayings)")
    let said = first.sayings + second.sayings
    // Pages that come quickly are kept together. Of those that it told, only the last one is looked at again.
    #expect((1..<max(1, kept)).allSatisfy { PartedScript.fetches($0, of: 7, in: said) == 1 }, "\(kept) kept")
    #expect((1...6).allSatisfy { PartedScript.fetches($0, of: 7, in: said) <= 2 })
    #expect(
      kept > 0 && (1...6).reduce(0) { $0 + PartedScript.fetches($1, of: 7, in: said) } <= 11 - kept,
      "\(kept) kept")
    #expect(try rows(output, scratch) == PartedScript.rows().filter { $0.contains(#""account":7,"#) })
  }

  @Test(arguments: outputs) func `a zombie commits nothing`(output: [String]) throws {
    let scratch = try Scratch(script: PartedScript.text)
    let line = PartedScript.line(of: 7, in: try PartedScript.partitions(scratch))
    let zombie = try worker(scratch, output, "-e", "hold=7")
    zombie.order(line)
    #expect(zombie.read(untilItSays: "page 4 of 7"))
    #expect(zombie.read { $0.name == "position" })
    zombie.signal(SIGSTOP)
    // The file lets both go on: the one that took over first.
    try scratch.write("go", "")
    let heir = try worker(scratch, output, "-e", "hold=7")
    heir.order(line)
    #expect(heir.read { $0.name == "done" }, "\(heir.sayings)")
    let before = try scratch.shell(
      "cat all/parts/*.2.ndjson 2> /dev/null || sqlite3 all.db 'SELECT * FROM rows'")
    zombie.signal(SIGCONT)
    #expect(zombie.read { $0.name == "failed" }, "\(zombie.sayings)")
    let (heirCode, zombieCode) = (heir.finish(), zombie.finish())
    let after = try scratch.shell(
      "cat all/parts/*.2.ndjson 2> /dev/null || sqlite3 all.db 'SELECT * FROM rows'")

    #expect(zombie.events.first { $0.name == "failed" }?.code == "superseded")
    #expect(!zombie.events.contains { $0.name == "done" })
    #expect(heir.events.first { $0.name == "started" }?.count("epoch") == 2)
    #expect(heirCode == 0 && zombieCode == 1)
    #expect(after.output == before.output)
    #expect(try rows(output, scratch) == PartedScript.rows().filter { $0.contains(#""account":7,"#) })
  }

  @Test(arguments: outputs) func `several workers share an output`(output: [String]) throws {
    let scratch = try Scratch(script: PartedScript.text)
    let words = output.joined(separator: " ")
    let result = try scratch.shell(
      """
      for i in 1 2 3; do
        lookahead partitions feed.lua --shard $i/3 | lookahead work feed.lua \(words) > events.$i 2> errors.$i &
      done
      wait; cat errors.*; grep -h '"event":"end"' events.*
      """)

    #expect(result.lines.count { $0.contains(#""failed":0"#) } == 3, "\(result.output)")
    #expect(try rows(output, scratch) == PartedScript.rows())
  }

  @Test func `a partition that fails is named with what reads it again, and the others go on`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let failed = try scratch.shell(
      "lookahead partitions feed.lua | lookahead work feed.lua -o all/ --parts -e fault=9")
    let command = failed.errors.components(separatedBy: "just it again: ").last?.split(separator: "\n").first
    let again = try scratch.shell(String(command ?? "").replacingOccurrences(of: "fault=9", with: "fault=0"))

    #expect(failed.exitCode == 1)
    #expect(failed.errors.contains("account 9 is broken") && failed.errors.contains(#"{"account":9}"#))
    #expect(failed.lines.count { $0.contains(#""event":"done""#) } == 11)
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(
      again.lines.contains { $0.contains(#""items":10,"pages":1"#) || $0.contains(#""event":"started""#) })
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  @Test(arguments: [
    (#"{"foo":1}"#, #"an order "foo" is not known"#), ("nonsense", "expected a JSON object"),
    (#"{"grant":{"host":"a"}}"#, "a grant has a host"),
    (#"{"id":"a","source":"b"}"#, "a partition has an id"),
  ])
  func `an order that is none is refused by name`(line: String, reason: String) throws {
    var command = Command.lookahead(["work", "feed.lua", "-o", "all/", "--parts"])
    command.input = line + "\n"
    let result = try command.within(Scratch(script: PartedScript.text)).run()

    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(result.errors.contains("standard input, line 1: \(reason)"), "\(result.errors)")
  }

  @Test func `a partition of another script, or of none, is refused`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    var command = Command.lookahead(["work", "feed.lua", "-o", "all/", "--parts"])
    command.input = """
      {"id":"rows-0000000000000000","source":"rows","parameters":{"account":1}}
      {"id":"others-0000000000000000","source":"others","parameters":{}}

      """
    let result = try command.within(scratch).run()

    #expect(result.exitCode == 1)
    #expect(result.errors.contains("has another id here"), "\(result.errors)")
    #expect(result.errors.contains("source 'others' is not read in partitions"), "\(result.errors)")
    #expect(try scratch.shell("ls all/parts").output == "")
  }

  @Test func `the end of its input lets it finish what it has begun`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let worker = try worker(scratch, Self.outputs[0], "-e", "hold=7")
    worker.order(PartedScript.line(of: 7, in: try PartedScript.partitions(scratch)))
    #expect(worker.read(untilItSays: "page 4 of 7"))
    worker.endInput()
    try scratch.write("go", "")
    let code = worker.finish()

    #expect(code == 0)
    #expect(worker.events.contains { $0.name == "done" && $0.flag("isNew") })
    #expect(worker.events.last?.name == "end")
  }

  @Test func `it ends with its parent, even while it waits`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let result = try scratch.shell(
      """
      mkfifo orders
      (exec 3<> orders; \(Repository.binary) work feed.lua -o all/ --parts < orders > events & echo $! > worker
        until grep -q ready events; do sleep 0.01; done; kill -9 $BASHPID)
      for i in $(seq 500); do kill -0 $(cat worker) 2> /dev/null || { echo gone; break; }; sleep 0.02; done
      """)

    #expect(result.output.hasSuffix("gone\n"), "\(result.output) \(result.errors)")
  }

  @Test(arguments: outputs) func `an interrupt ends it at once, and what it has stays`(output: [String])
    throws
  {
    let scratch = try Scratch(script: PartedScript.text)
    let line = PartedScript.line(of: 7, in: try PartedScript.partitions(scratch))
    let first = try worker(scratch, output, "-e", "hold=7")
    first.order(line)
    #expect(first.read(untilItSays: "page 4 of 7"))
    #expect(first.read { $0.name == "position" })
    first.signal(SIGINT)
    let code = first.finish(endsInput: false)
    let second = try worker(scratch, output)
    second.order(line)
    let ended = second.finish()

    #expect(code == 130, "\(first.sayings)")
    #expect(ended == 0, "\(second.sayings)")
    #expect(second.events.first { $0.name == "started" }?.count("items") ?? 0 >= 10)
    let said = first.sayings + second.sayings
    #expect((1...6).reduce(0) { $0 + PartedScript.fetches($1, of: 7, in: said) } <= 8)
    #expect(try rows(output, scratch) == PartedScript.rows().filter { $0.contains(#""account":7,"#) })
  }

  @Test func `a full disk ends it with what to do, and the next goes on`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let full = try scratch.shell(
      "lookahead partitions feed.lua > lines; (ulimit -f 1; lookahead work feed.lua -o all/ --parts < lines)")
    let again = try scratch.shell("lookahead work feed.lua -o all/ --parts < lines")

    #expect(full.exitCode == 73, "\(full.errors)")
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try PartedScript.rows(of: "all/", in: scratch) == PartedScript.rows())
  }

  /// Two partitions, of one more row in each night.
  private static let nightly = """
    local p = lookahead.parameters { night = { default = 1, partition = false } }
    local rows = lookahead.source { name = "rows" }
    function rows.fetch(context)
      local list = {}
      for n = 1, p.night do list[n] = { id = context.parameters.k .. "-" .. n, night = p.night } end
      return { items = list }
    end
    return rows:partitions({ 1, 2 }, function(k) return { k = k } end)
    """

  /// What is called each night, and the night of which all rows are then.
  @Test(arguments: [
    [("work --run 1", 1), ("work --run 1", 1), ("work --run 2", 3), ("work", 3), ("work --run 1", 5)],
    [("work", 1), ("work", 1), ("work --run x", 3), ("run", 4), ("work --run x", 5)],
    [("run", 1), ("work", 2), ("run", 3), ("run", 4), ("work", 5)],
  ])
  func `workers of a run read nothing twice, and those of another run read everything anew`(
    nights: [(command: String, expected: Int)]
  ) throws {
    let scratch = try Scratch(script: WorkTests.nightly)
    for (night, (command, expected)) in zip(1..., nights) {
      let words = command.split(separator: " ", maxSplits: 1)
      let rest = "feed.lua -o all.db -e night=\(night) \(words.dropFirst().joined())"
      let result = try scratch.shell("lookahead partitions feed.lua | lookahead \(words[0]) \(rest)")

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("nothing was read") == (expected < night), "\(result.errors)")
      let rows = try scratch.shell("sqlite3 all.db 'SELECT night, count(*) FROM rows GROUP BY 1'")
      #expect(rows.lines == ["\(expected)|\(expected * 2)"], "\(nights), night \(night)")
    }
  }

  @Test func `a worker of the run before writes nothing more`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let lines = try PartedScript.partitions(scratch)
    let old = try worker(scratch, ["-o", "all.db"], "-e", "hold=7")
    old.order(PartedScript.line(of: 7, in: lines))
    #expect(old.read { $0.name == "started" })
    #expect(old.read(untilItSays: "page 4 of 7"))
    let new = try scratch.shell(
      "lookahead partitions feed.lua | lookahead work feed.lua -o all.db --run 2 -e hold=0")
    try scratch.write("go", "")
    let ended = old.finish()

    #expect(new.exitCode == 0, "\(new.errors)")
    #expect(ended != 0)
    #expect(try rows(["-o", "all.db"], scratch) == PartedScript.rows())
  }
}
