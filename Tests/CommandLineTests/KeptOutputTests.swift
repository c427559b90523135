import Foundation
import Testing

/// What is in an output when a run does not come to its end: the old contents or the new ones, never half of them.
@Suite(.waiting) struct KeptOutputTests {
  /// Ten pages of a hundred items that say which run they are of. `at` is the page at which the run fails, or hangs.
  private static let script = """
    local p = lookahead.parameters { run = { default = "one" }, ending = { default = "well" }, at = { default = 4 } }
    local feed = lookahead.source { name = "feed", keys = "page", pageSize = 100 }
    function feed.fetch(context)
      local items = {}
      if context.key > 10 then return { items = items } end
      if context.key >= p.at and p.ending == "fail" then error("closed for lunch") end
      while context.key >= p.at and p.ending == "greed" do items[#items + 1] = ("x"):rep(1e6) .. #items end
      while context.key >= p.at and p.ending == "hang" do
        if context.key == p.at then print("hangs") end
        lookahead.sleep(0.05)
      end
      for place = 1, 100 do items[place] = { id = context.key * 100 + place, run = p.run } end
      return { items = items }
    end
    return feed
    """

  static let outputs = ["a.ndjson", "a.csv", "a.json", "a.db", "out/"]

  /// The items as a person finds them there: the bytes of a text, the rows of a database.
  private func contents(_ output: String, in scratch: Scratch) throws -> String {
    switch output {
    case "a.db": try scratch.shell("sqlite3 a.db '.dump feed'").output
    case "out/": try scratch.text("out/feed.ndjson")
    default: try scratch.text(output)
    }
  }

  /// A run that hangs in the middle, and gets the signal there.
  private func stopped(_ output: String, by signal: Int32, in scratch: Scratch) throws -> CommandResult {
    var command = Command.lookahead(["run", "feed.lua", "-o", output, "-e", "run=two", "-e", "ending=hang"])
    command.isToBeInterrupted = { Self.hangs($0, output, in: scratch) }
    command.signals = [signal]
    return try command.within(scratch).run()
  }

  /// Whether a run has written three pages and waits. What is in an open transaction nobody sees; it has a while.
  private static func hangs(_ result: CommandResult, _ output: String, in scratch: Scratch) -> Bool {
    guard result.errors.components(separatedBy: "hangs").count > 5 else { return false }
    if output == "a.db" { return true }
    let name = (output == "out/" ? "out/feed.ndjson" : output) + ".partial"
    return (try? scratch.text(name))?.components(separatedBy: "two").count == 301
  }

  @Test(arguments: outputs.filter { $0 != "a.db" }, ["failure", "interrupt", "kill", "budget"])
  func `a second run that ends in the middle leaves the first output as it was`(
    output: String, ending: String
  ) throws {
    let scratch = try Scratch(script: Self.script)
    #expect(try scratch.lookahead("run", "feed.lua", "-o", output).exitCode == 0)
    let before = try contents(output, in: scratch)
    let names = try scratch.names

    let result =
      switch ending {
      case "interrupt": try stopped(output, by: SIGINT, in: scratch)
      case "kill": try stopped(output, by: SIGKILL, in: scratch)
      case "budget":
        try scratch.lookahead(
          "run", "feed.lua", "-o", output, "-e", "run=two", "-e", "ending=greed", "--max-memory", "50MB")
      default: try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "run=two", "-e", "ending=fail")
      }

    #expect(before.contains("one") && !before.contains("two"))
    #expect(try contents(output, in: scratch) == before)
    #expect(result.exitCode == ["failure": 65, "interrupt": 130, "kill": SIGKILL, "budget": 2][ending])
    if ending == "failure" || ending == "interrupt" {
      let said = "\(output) is as it was; what this run wrote is in"
      #expect(result.error.contains(said), "\(result.error)")
    }

    let third = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "run=three")
    let after = try contents(output, in: scratch)
    #expect(third.exitCode == 0, "\(third.errors)")
    #expect(after.contains("three") && !after.contains("one") && !after.contains("two"))
    #expect(try scratch.names == names)
  }

  @Test(arguments: ["failure", "interrupt", "kill"])
  func `a second run into a database that ends in the middle has updated what came, and lost nothing`(
    ending: String
  ) throws {
    let scratch = try Scratch(script: Self.script)
    #expect(try scratch.lookahead("run", "feed.lua", "-o", "a.db").exitCode == 0)
    let rows = "sqlite3 a.db 'select count(*), count(distinct id) from feed'"

    switch ending {
    case "interrupt": _ = try stopped("a.db", by: SIGINT, in: scratch)
    case "kill": _ = try stopped("a.db", by: SIGKILL, in: scratch)
    default: _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "run=two", "-e", "ending=fail")
    }

    let text = try contents("a.db", in: scratch)
    #expect(text.contains("one") && text.contains("two"))
    #expect(try scratch.shell(rows).output == "1000|1000\n")
  }

  @Test(arguments: outputs, ["failure", "interrupt"])
  func `a first run that ends in the middle leaves what it has, complete`(output: String, ending: String)
    throws
  {
    let scratch = try Scratch(script: Self.script)

    let result =
      ending == "interrupt"
      ? try stopped(output, by: SIGINT, in: scratch)
      : try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "run=two", "-e", "ending=fail")

    let text = try contents(output, in: scratch)
    #expect(result.exitCode == (ending == "interrupt" ? 130 : 65))
    #expect(text.components(separatedBy: "two").count == 301)
    if output == "a.json" { #expect((json(text) as? [Any])?.count == 300) }
    #expect(try !scratch.names.contains { $0.hasSuffix(".partial") })
  }

  @Test(arguments: outputs)
  func `a first run that is killed leaves no text that looks whole`(output: String) throws {
    let scratch = try Scratch(script: Self.script)

    let result = try stopped(output, by: SIGKILL, in: scratch)

    #expect(result.exitCode == SIGKILL)
    if output == "a.db" {
      #expect(try scratch.shell("sqlite3 a.db 'select count(*) from feed'").output == "300\n")
    } else {
      let name = output == "out/" ? "out/feed.ndjson" : output
      #expect(!scratch.has(name))
      #expect(try scratch.text(name + ".partial").components(separatedBy: "two").count == 301)
    }
  }

  @Test(arguments: outputs)
  func `what a run was told to leave out is no failure`(output: String) throws {
    let scratch = try Scratch(script: Self.script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", output)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", output, "-e", "run=two", output == "a.json" ? "--limit=150" : "--max-pages=2")

    let text = try contents(output, in: scratch)
    #expect(result.exitCode == 0)
    #expect(text.components(separatedBy: "two").count == (output == "a.json" ? 151 : 201))
    // A database keeps the rows that did not come again.
    #expect(text.contains("one") == (output == "a.db"))
  }

  @Test(arguments: outputs)
  func `a second run on one output is refused, and the first goes on`(output: String) throws {
    let scratch = try Scratch(script: Self.script)
    _ = try scratch.lookahead("run", "feed.lua", "-o", output)
    var first = Command.lookahead(["run", "feed.lua", "-o", output, "-e", "run=two", "-e", "ending=hang"])
    nonisolated(unsafe) var second: CommandResult?
    first.isToBeInterrupted = { sofar in
      guard Self.hangs(sofar, output, in: scratch) else { return false }
      second = second ?? (try? scratch.lookahead("run", "feed.lua", "-o", "./\(output)", "-e", "run=three"))
      return true
    }

    let result = try first.within(scratch).run()

    #expect(result.exitCode == 130)
    #expect(second?.exitCode == 73)
    #expect(
      second?.error.hasPrefix("error: can't write ./\(output): another run is writing it (process ") == true)
    let text = try contents(output, in: scratch)
    #expect(text.components(separatedBy: "one").count == (output == "a.db" ? 701 : 1001))
    #expect(!text.contains("three"))
  }

  @Test(arguments: ["--trace", "--record", "--summary"])
  func `two runs don't share a report`(option: String) throws {
    let scratch = try Scratch(script: Self.script)
    var first = Command.lookahead([
      "run", "feed.lua", "-o", "a.ndjson", "-e", "ending=hang", option, "report",
    ])
    nonisolated(unsafe) var second: CommandResult?
    first.isToBeInterrupted = { sofar in
      guard sofar.errors.contains("hangs") else { return false }
      second = second ?? (try? scratch.lookahead("run", "feed.lua", "-o", "b.ndjson", option, "report"))
      return true
    }

    _ = try first.within(scratch).run()

    #expect(second?.exitCode == 73)
    #expect(
      second?.error.contains("can't write report: another run is writing it") == true,
      "\(second?.errors ?? "")")
    #expect(!scratch.has("b.ndjson") && !scratch.has("b.ndjson.partial"))
  }

  @Test func `what could not become whole is told of, also where there was nothing before`() throws {
    let scratch = try Scratch(script: Scripts.streams)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.json")

    #expect(result.exitCode == 73)
    #expect(result.error.hasSuffix("\n  what this run wrote is in a.json.partial"), "\(result.error)")
    #expect((json(try scratch.text("a.json.partial")) as? [Any])?.count == 3)
    #expect(try scratch.names == ["a.json.partial", "feed.lua"])
  }

  @Test func `a disk that fills up leaves the old output`() throws {
    for output in ["a.ndjson", "a.csv", "a.json", "a.db"] {
      let scratch = try Scratch(script: Self.script)
      _ = try scratch.lookahead("run", "feed.lua", "-o", output, "--limit", "100")
      let before = try contents(output, in: scratch)

      let result = try scratch.shell(
        "trap '' XFSZ; ulimit -f 10; lookahead run feed.lua -o \(output) -e run=\"$(printf '%0900d')\"")

      #expect(result.exitCode == 73, "\(output): \(result.errors)")
      #expect(try contents(output, in: scratch) == before)
    }
  }
}

extension Scratch {
  /// The names in it, sorted, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
