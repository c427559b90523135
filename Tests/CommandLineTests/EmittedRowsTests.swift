import Foundation
import TestSupport
import Testing

/// Items that a script emits without ids, in a table: its rows are only counted, so nothing else may take their places.
@Suite(
  .waiting, .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
struct EmittedRowsTests {
  private static let tables = ["out.db", "out.duckdb"]

  private func run(_ scratch: Scratch, _ arguments: String...) throws -> CommandResult {
    try run(scratch, arguments)
  }

  private func run(_ scratch: Scratch, _ arguments: [String]) throws -> CommandResult {
    var command = Command.lookahead(["run"] + arguments).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    return try command.run()
  }

  /// Members `w` of all rows of a table, in order of their numbers.
  private func words(_ scratch: Scratch, in output: String, table: String = "feed") throws -> [String] {
    let open =
      output == "out.db" ? "lookahead.sqlite.open('out.db')" : "lookahead.database.open('\(output)')"
    let table = output == "out.parquet" ? "data" : table
    try scratch.write(
      "rows.lua", "for row in \(open):rows('select w from \(table)') do lookahead.emit(row.w) end")
    let rows = try run(scratch, "rows.lua", "--allow-read")
    return rows.lines.map { $0.replacing("\"", with: "") }
  }

  @Test(arguments: tables, [[], ["--fresh"]])
  func `a second run writes the table anew, as a text is`(output: String, options: [String]) throws {
    let ways = [
      #"for i = 1, n do lookahead.emit { w = "w" .. i } end"#,
      #"for i = 1, n do lookahead.step("s" .. i, function() lookahead.emit { w = "w" .. i } end) end"#,
    ]
    for way in ways {
      let scratch = try Scratch(
        script: """
          local n = lookahead.parameters { n = { default = 3, partition = false } }.n
          \(way)
          """)
      for n in [3, 2, 4, 0, 1] {
        let result = try run(scratch, ["feed.lua", "-o", output, "-e", "n=\(n)"] + options)

        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try words(scratch, in: output) == (0..<n).map { "w\($0 + 1)" }, "\(way)")
      }
    }
  }

  @Test(arguments: [
    "EMIT return PAGE", "c:append { { id = n } } c:complete(false) EMIT",
    "lookahead.spawn(function() EMIT end) return PAGE",
    "lookahead.all({ function() lookahead.spawn(function() EMIT end) end }) return PAGE",
  ])
  func `a run that goes on says that handlers of pages before do not emit again`(handler: String) throws {
    let handler = handler.replacing("EMIT", with: #"lookahead.emit({ w = "w" .. n }, "side")"#)
      .replacing("PAGE", with: "{ items = { { id = n } } }")
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { stops = { default = false, partition = false } }
        local rows = lookahead.source { name = "rows" }
        function rows.fetch(c)
          local n = c.parameters.n
          if n == 2 and p.stops then error("no more") end
          \(handler)
        end
        return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
        """)
    let arguments = ["feed.lua", "-o", "out.ndjson", "--tag"]

    let first = try run(scratch, arguments + ["-e", "stops=true"])
    let second = try run(scratch, arguments)
    let anew = try run(scratch, arguments + ["--fresh"])

    #expect(first.exitCode != 0)
    #expect(!first.errors.contains("a handler emits in a run that goes on"), "\(first.errors)")
    #expect(second.exitCode == 0)
    #expect(second.errors.contains("a handler emits in a run that goes on"), "\(second.errors)")
    #expect(!anew.errors.contains("a handler emits in a run that goes on"), "\(anew.errors)")
  }

  @Test(arguments: ["out.ndjson", "out.csv", "out/"], [SIGTERM, SIGKILL])
  func `so it does in a text where no page had come before it was stopped`(output: String, signal: Int32)
    throws
  {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { hangs = { default = false, partition = false } }
        local rows = lookahead.source { name = "rows" }
        function rows.fetch()
          lookahead.emit({ w = "w" }, "side")
          while p.hangs do print("hangs") lookahead.sleep(0.05) end
          return { items = { { id = 1 } } }
        end
        return rows
        """)
    let arguments = ["feed.lua", "-o", output] + (output == "out/" ? [] : ["--tag"])
    var command = Command.lookahead(["run"] + arguments + ["-e", "hangs=true"]).within(scratch)
    command.isToBeInterrupted = { $0.errors.components(separatedBy: "hangs").count > 20 }
    command.signals = [signal]

    let first = try command.run()
    let second = try run(scratch, arguments)
    let third = try run(scratch, arguments)

    #expect(first.exitCode != 0)
    #expect(!first.errors.contains("a handler emits in a run that goes on"), "\(first.errors)")
    #expect(second.exitCode == 0)
    #expect(second.errors.contains("a handler emits in a run that goes on"), "\(second.errors)")
    #expect(!third.errors.contains("a handler emits in a run that goes on"), "\(third.errors)")
  }

  @Test(arguments: tables)
  func `a run with other parameters takes away nothing of what one has emitted`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { region = { required = true }, n = { default = 2, partition = false } }
        for i = 1, p.n do lookahead.emit({ w = p.region .. i }, p.region) end
        """)
    func tables() throws -> [[String]] {
      try ["eu", "us"].map { try words(scratch, in: output, table: $0) }
    }

    for region in ["eu", "us"] {
      let result = try run(scratch, "feed.lua", "-o", output, "-e", "region=\(region)")
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(try tables() == [["eu1", "eu2"], ["us1", "us2"]])
    _ = try run(scratch, "feed.lua", "-o", output, "-e", "region=us", "-e", "n=0")
    #expect(try tables() == [["eu1", "eu2"], []])
  }

  @Test(arguments: tables)
  func `a run that emits nothing takes away what it emitted before, and nothing of others`(output: String)
    throws
  {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters {
          n = { default = 2, partition = false }, bad = { default = false, partition = false } }
        for i = 1, p.n do
          lookahead.emit { w = "w" .. i }
          lookahead.emit({ w = "n" .. i }, "named")
          lookahead.emit({ id = i, w = "i" .. i }, "ids")
        end
        if p.bad then error("closed for lunch") end
        """)
    try scratch.write(
      "other.lua",
      #"for i = 1, 2 do lookahead.emit { w = "o" .. i } lookahead.emit({ w = "p" .. i }, "more") end"#)
    for script in ["feed.lua", "other.lua"] {
      let result = try run(scratch, script, "-o", output)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    func tables() throws -> [[String]] {
      try ["feed", "named", "ids", "other", "more"].map { try words(scratch, in: output, table: $0) }
    }
    let others = [["i1", "i2"], ["o1", "o2"], ["p1", "p2"]]

    let failed = try run(scratch, "feed.lua", "-o", output, "-e", "n=0", "-e", "bad=true")
    #expect(failed.errors.contains("closed for lunch"), "\(failed.errors)")
    #expect(try tables() == [["w1", "w2"], ["n1", "n2"]] + others)
    let result = try run(scratch, "feed.lua", "-o", output, "-e", "n=0")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try tables() == [[], []] + others)
  }

  @Test(arguments: tables)
  func `a second run into rows of which nothing is remembered is refused, and they stay`(output: String)
    throws
  {
    let scratch = try Scratch(script: #"for i = 1, 3 do lookahead.emit { w = "w" .. i } end"#)
    let first = try run(scratch, "feed.lua", "-o", output, "--no-state")
    #expect(first.exitCode == 0, "\(first.errors)")

    for options in [[], ["--no-state"], ["--fresh"]] {
      let second = try run(scratch, ["feed.lua", "-o", output] + options)

      #expect(second.exitCode == 73, "\(second.errors)")
      #expect(
        second.errors.contains(
          #"the table feed has rows already, and items without ids ({"w":"w1"}) can't be told from them: give each item an id"#
        ), "\(second.errors)")
    }

    #expect(try words(scratch, in: output) == ["w1", "w2", "w3"])
  }

  @Test(arguments: tables + ["out.parquet"])
  func `a run that goes on with a failed one has the rows of one that was not disturbed`(output: String)
    throws
  {
    let ways = [
      #"for i = 1, 5 do lookahead.emit { w = "w" .. i } if i == 3 then fail() end end"#,
      #"for i = 1, 5 do lookahead.step("s" .. i, function() lookahead.emit { w = "w" .. i } if i == 3 then fail() end end) end"#,
    ]
    for way in ways {
      let scratch = try Scratch(
        script: """
          local p = lookahead.parameters { bad = { default = false, partition = false } }
          local function fail() if p.bad then lookahead.sleep(0.1) error("closed for lunch") end end
          \(way)
          """)

      let failed = try run(scratch, "feed.lua", "-o", output, "-e", "bad=true")
      #expect(failed.errors.contains("closed for lunch"), "\(failed.errors)")
      let result = try run(scratch, "feed.lua", "-o", output)

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try words(scratch, in: output) == ["w1", "w2", "w3", "w4", "w5"])
    }
  }

  @Test(
    arguments: tables + ["out.parquet"],
    [
      (
        #"lookahead.emit { id = 1, w = "a" } lookahead.emit { w = "b" }"#,
        "rows of items with ids, and now gets items without ids ("
      ),
      (
        #"lookahead.emit { w = "b" } lookahead.emit { id = 1, w = "a" }"#,
        "rows of items without ids, and now gets items with ids ("
      ),
      (
        #"lookahead.step("s", function() lookahead.emit { w = "b" } end) lookahead.emit { w = "a" }"#,
        "rows of items without ids of steps, and now gets items without ids ("
      ),
      (
        #"lookahead.emit { w = "a" } return lookahead.source { id = function(i) return i.n end, fetch = function() return { items = { { n = 1 } } } end }"#,
        "rows of items without ids, and now gets items with ids ("
      ),
    ])
  func `a table gets items of one kind, and the error says what came`(
    output: String, mixed: (script: String, says: String)
  ) throws {
    let scratch = try Scratch(script: mixed.script)

    let result = try run(scratch, "feed.lua", "-o", output)

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.errors.contains("the table feed has " + mixed.says), "\(result.errors)")
    #expect(result.errors.contains("give each item an id (id = …)"), "\(result.errors)")
  }

  @Test(arguments: tables) func `items with ids are refused where an earlier run has emitted some without`(
    output: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local id = lookahead.parameters { id = { default = 0, partition = false } }.id
        lookahead.emit { id = id > 0 and id or nil, w = "a" }
        """)
    _ = try run(scratch, "feed.lua", "-o", output)

    let result = try run(scratch, "feed.lua", "-o", output, "-e", "id=1")

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.errors.contains("and now gets items with ids"), "\(result.errors)")
    #expect(try words(scratch, in: output) == ["a"])
  }

  @Test(arguments: ["out.ndjson", "out.csv", "out.json", "out/"])
  func `a text takes items of all kinds, and each run writes it anew`(output: String) throws {
    let scratch = try Scratch(
      script: """
        lookahead.emit { id = 1, w = "a" }
        lookahead.emit { w = "b" }
        lookahead.step("s", function() lookahead.emit { w = "c" } end)
        """)
    let format = output == "out/" ? ["--format", "ndjson"] : []

    for _ in 1...2 {
      var command = Command.lookahead(["run", "feed.lua", "-o", output] + format).within(scratch)
      command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
      let result = try command.run()
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    let text = try scratch.text(output == "out/" ? "out/feed.ndjson" : output)
    for word in ["a", "b", "c"] { #expect(text.components(of: word) == 1, "\(text)") }
  }

  @Test(arguments: tables) func `a member that has the name of the counter is none`(output: String) throws {
    let scratch = try Scratch(
      script: #"for i = 1, 3 do lookahead.emit { ["_id"] = 1, w = "w" .. i } end"#)

    let result = try run(scratch, "feed.lua", "-o", output)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try words(scratch, in: output) == ["w1", "w2", "w3"])
  }
}

extension String {
  /// How often the letter is in it, in quotes or between commas.
  func components(of letter: String) -> Int {
    split { !$0.isLetter && !$0.isNumber }.count { $0 == letter }
  }
}
