import Foundation
import Testing

/// Disks that are full or broken: a run that one of them stops says so, and the next one goes on.
@Suite(.waiting) struct DiskFaultTests {
  /// Ten pages of a hundred items.
  private static let pages = """
    local feed = lookahead.source { name = "feed", keys = "page", pageSize = 100 }
    function feed.fetch(context)
      local items = {}
      for place = 1, 100 do items[place] = { id = context.key * 100 + place, name = ("x"):rep(100) } end
      return { items = items, isLast = context.key == 10 }
    end
    return feed
    """

  @Test(arguments: ["a.ndjson", "a.csv", "a.json", "a.db"])
  func `a file that may not grow stops a run, which says so, and the next one goes on`(output: String) throws
  {
    let whole = try Scratch(script: Self.pages)
    let scratch = try Scratch(script: Self.pages)
    let contents = output == "a.db" ? "sqlite3 a.db 'select * from feed order by id'" : "cat \(output)"

    #expect(try whole.lookahead("run", "feed.lua", "-o", output).exitCode == 0)
    let stopped = try scratch.shell("ulimit -f 60; lookahead run feed.lua -o \(output)")
    let next = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(stopped.exitCode == 73)
    #expect(stopped.error.contains(output), "\(stopped.error)")
    #expect(
      stopped.error.hasSuffix("\n  When it can be written again, the same command goes on."),
      "\(stopped.error)")
    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(try scratch.shell(contents).output == whole.shell(contents).output)
  }

  @Test(arguments: [
    pages, "lookahead.step('a', function() for n = 1, 1000 do lookahead.emit { id = n } end end)",
  ])
  func `what a full disk did not take is not remembered as written`(script: String) throws {
    let scratch = try Scratch(script: script)

    let full = try scratch.lookahead(
      "run", "feed.lua", "-o", "/dev/full", "--format", "ndjson", "--state", "a.state")
    let next = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.ndjson", "--format", "ndjson", "--state", "a.state")

    #expect(full.exitCode == 73)
    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 1000)
  }

  /// Calls of a run at which the disk fails; counted from the end if negative.
  @Test(arguments: [
    // The log of the state can't be made: earlier readings stay.
    "--kinds append --sinks ndjson,csv,json --faults 1 --way 'full for a moment' --at 2",
    // Rows stay in the log of a database at the end, which is said.
    "--kinds cursor --sinks db --faults 1 --way broken --at -3",
    // SQLite takes a transaction back by itself: what is written behind that would count without it.
    "--kinds 'large items' --sinks db --faults 12 --way 'full for a moment' --seed 7",
    // A text is whole, and can't take its place.
    "--kinds 'only what is new,merge' --sinks folder,csv --faults 2 --way 'full for a moment' --call rename --at 1",
  ])
  func `a disk that fails at such a call takes nothing away`(fault: String) throws { try expectNoHarm(fault) }

  @Test(arguments: ["db", "csv", "folder"])
  func `a disk that fails anywhere takes nothing away`(sink: String) throws {
    try expectNoHarm("--faults 2 --sinks \(sink) --seed \(Int.random(in: 1...1_000_000))")
  }

  @Test func `a clock that is set at any time changes nothing`() throws {
    try expectNoHarm(
      "--faults 2 --kinds cursor,steps --sinks db,csv --seed \(Int.random(in: 1...1_000_000))", "clock")
  }

  private func expectNoHarm(_ options: String, _ what: String = "disk") throws {
    let line = "faults.py \(what) \(options)"
    let result = try Command.harness(line).run()

    #expect(result.exitCode == 0, "\(line)\n\(result.output)\n\(result.errors)")
  }
}
