import Foundation
import Testing

/// `lookahead state`.
@Suite(.waiting) struct StateTests {
  /// A run that has stopped at page 5 of 10.
  private func stopped(_ settings: String = "", output: String = "a.db") throws -> Scratch {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: settings).replacing(
        "ITEM", with: "{ id = place }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "at=5")
    return scratch
  }

  @Test func `it shows readings, forgets them, and sets bookmarks`() throws {
    let scratch = try stopped(", bookmark = \"id\"")

    let open = try scratch.lookahead("state", "a.db").output
    let refused = try scratch.lookahead("state", "a.db", "--set-bookmark", "7")
    let reset = try scratch.lookahead("state", "a.db", "--reset")
    let again = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    let set = try scratch.lookahead("state", "a.db", "--set-bookmark", "7")
    let json = try scratch.lookahead("state", "a.db", "--format", "json").output

    // The rest of the list that it is in the middle of would be that of another one.
    #expect(refused.exitCode == 64 && refused.errors.contains("a reading goes on"), "\(refused.errors)")
    #expect(open.contains("1  open      40  page 5 (5)"), "\(open)")
    #expect(set.output == "1 bookmark set\n")
    #expect(json.contains(#""bookmark":7"#), "\(json)")
    #expect(reset.output == "1 reading or step forgotten\n")
    #expect(again.summary?.hasPrefix("100 items") == true)
    #expect(try scratch.lookahead("state", "none.db").exitCode == 66)
  }

  @Test func `a text whose state is forgotten is written anew, without doubles`() throws {
    let scratch = try stopped(output: "a.ndjson")

    let reset = try scratch.lookahead("state", "a.ndjson", "--reset")
    let isLeft = scratch.has("a.ndjson.state")
    let again = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(reset.output == "1 reading or step forgotten\n")
    #expect(!isLeft)
    #expect(again.summary?.hasPrefix("100 items") == true, "\(again.errors)")
    #expect(Set(try scratch.text("a.ndjson").split(separator: "\n")).count == 100)
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 100)
  }

  @Test func `one source of a text is not forgotten while the run that writes it has not ended`() throws {
    let scratch = try stopped(output: "a.ndjson")
    let name = try stream(of: "a.ndjson", in: scratch)

    let reset = try scratch.lookahead("state", "a.ndjson", "--reset", "--source", name)
    let again = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(reset.exitCode == 64)
    #expect(reset.errors.contains("let it end, or forget everything"), "\(reset.errors)")
    #expect(again.errors.contains("going on at page 5"))
  }

  @Test(arguments: [["--reset"], ["--set-bookmark", "7"]])
  func `a source of which nothing is remembered is named`(change: [String]) throws {
    let scratch = try stopped()

    let result = try Command.lookahead(["state", "a.db", "--source", "thongs"] + change).within(scratch).run()

    #expect(result.exitCode == 66)
    #expect(result.errors.contains("nothing is remembered of thongs (lookahead state a.db lists what is)"))
  }

  @Test func `a database is one by what is in it, whatever it is called`() throws {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: "").replacing("ITEM", with: "{ id = place }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.data", "--format", "sqlite", "-e", "at=5")

    #expect(try scratch.lookahead("state", "a.data").output.contains("page 5 (5)"))
  }

  @Test func `steps are shown, and forgotten`() throws {
    let scratch = try Scratch(
      script: """
        for n = 1, 3 do
          lookahead.step("part " .. n, function()
            lookahead.emit { id = n }
            if n == 3 and not lookahead.parameters { good = { default = false, partition = false } }.good then error("no") end
            print("did " .. n)
            return n
          end)
        end
        """)
    _ = try scratch.copy()

    let table = try scratch.lookahead("state", "a.db").output
    let json = try scratch.lookahead("state", "a.db", "--format", "json").output
    let reset = try scratch.lookahead("state", "a.db", "--reset")
    let again = try scratch.copy(["-e", "good=true"])

    #expect(table.contains("part 1  ended  1\n") && table.contains("part 3  open\n"), "\(table)")
    #expect(json.contains(#"{"step":"part 2","state":"ended","result":2}"#), "\(json)")
    #expect(reset.output == "3 readings or steps forgotten\n")
    #expect(again.errors.contains("did 1") && again.errors.contains("did 3"), "\(again.errors)")
    #expect(try scratch.rows("select count(*) from feed") == "3")
  }

  @Test(arguments: [
    "update _lookahead_files set layout = '{\"columns\":[\"id\"],\"widths\":[[1e300,1]]}'",
    "update _lookahead_files set layout = '{\"columns\":[1],\"widths\":[[4,1]]}'",
    "update _lookahead_files set layout = '}'", "update _lookahead_files set layout = null",
    "update _lookahead_files set length = -5", "update _lookahead_files set length = 1e18",
    "update _lookahead_files set digest = x'00ff'",
    "update _lookahead_readings set position = '{\"number\":1e300}'",
    "update _lookahead_readings set position = '{\"number\":5,\"pages\":-1,\"received\":-9223372036854775808}'",
    "update _lookahead_readings set position = 'null'", "update _lookahead_readings set position = x'00ff'",
    "update _lookahead_ids set ids = x'ffffffffffffffffffff'", "update _lookahead_ids set ids = 'text'",
    "update _lookahead_ids set part = -9223372036854775808 where part = 0",
    "update _lookahead_readings set items = -9223372036854775808",
    "update _lookahead_readings set items = 9223372036854775807",
    "update _lookahead_readings set number = 9223372036854775807",
    "update _lookahead_readings set state = 'so so'",
    "update _lookahead_readings set bookmark = '{'", "update _lookahead_readings set newBookmark = '{'",
    "update _lookahead_readings set parts = 9223372036854775807",
    "update _lookahead_readings set chain = null",
    "update _lookahead_state set value = 'many'", "update _lookahead_state set value = 9223372036854775807",
    "delete from _lookahead_state", "drop table _lookahead_ids", "drop table _lookahead_files",
  ])
  func `damaged state never ends a run by a trap, nor harms the output in silence`(damage: String) throws {
    for output in ["a.db", "a.csv"] {
      let scratch = try stopped(output: output)
      let file = output == "a.db" ? output : output + ".state"
      _ = try scratch.shell("sqlite3 \(file) \"\(damage.replacing("\"", with: "\\\""))\"")

      let shown = try scratch.lookahead("state", output)
      let again = try scratch.lookahead("run", "feed.lua", "-o", output)
      let fresh = try scratch.lookahead("run", "feed.lua", "-o", output, "--fresh")

      #expect(shown.exitCode < 128 && shown.exitCode != 70, "\(output), \(damage): \(shown.errors)")
      #expect(again.exitCode < 128 && again.exitCode != 70, "\(output), \(damage): \(again.errors)")
      #expect(fresh.exitCode < 128 && fresh.exitCode != 70, "\(output), \(damage): \(fresh.errors)")
    }
  }

  @Test(arguments: ["a.csv", "a.ndjson", "out/"])
  func `a text whose machine went down under a run is read from the start`(output: String) throws {
    let scratch = try stopped(output: output)
    let state = output == "out/" ? "out.state" : output + ".state"
    _ = try scratch.shell(
      "sqlite3 \(state) \"update _lookahead_state set value = 'another start' where name = 'boot'\"")

    let again = try scratch.lookahead("run", "feed.lua", "-o", output)
    let after = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(again.errors.contains("nothing goes on, all is read from the start"), "\(again.errors)")
    #expect(!after.errors.contains("nothing goes on"), "\(after.errors)")
  }

  /// What a pipe has got is in no file.
  @Test func `a file does not go on with what went to standard output`() throws {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: "").replacing("ITEM", with: "{ id = place }"))
    _ = try scratch.lookahead("run", "feed.lua", "--state", "kept", "-e", "at=5")

    let second = try scratch.lookahead("run", "feed.lua", "--state", "kept", "-o", "a.ndjson")

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 100)
  }

  @Test(arguments: [([], "a.ndjson"), (["-o", "out/"], "a.ndjson"), (["-o", "a.ndjson"], "out/")])
  func `what is new of a source goes where the rest of it is`(first: [String], output: String) throws {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: ", bookmark = \"id\"").replacing(
        "ITEM", with: "{ id = place }"))
    let run = ["run", "feed.lua", "--state", "kept"]
    _ = try Command.lookahead(run + first).within(scratch).run()

    let second = try Command.lookahead(run + ["-o", output]).within(scratch).run()

    #expect(second.exitCode == 73, "\(second.errors)")
    #expect(!scratch.has(output == "out/" ? "out/items.ndjson" : output))
  }

  @Test func `standard output goes on where a state file says how far it has come`() throws {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: "").replacing("ITEM", with: "{ id = place }"))

    let first = try scratch.lookahead("run", "feed.lua", "--state", "kept", "-e", "at=5")
    let second = try scratch.lookahead("run", "feed.lua", "--state", "kept")

    #expect(first.exitCode == 65 && second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("going on at page 5: 40 items are there"))
    let lines = (first.output + second.output).split(separator: "\n")
    #expect(lines.count == 100 && Set(lines).count == 100)
    #expect(try scratch.names.sorted() == ["feed.lua"])
  }

  @Test func `the state of a text is where it was asked for`() throws {
    let scratch = try Scratch(
      script: RememberTests.script.replacing("SETTINGS", with: "").replacing("ITEM", with: "{ id = place }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.csv", "--state", "kept", "-e", "at=5")

    let between = try scratch.names.sorted()
    let shown = try scratch.lookahead("state", "kept").output
    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.csv", "--state", "kept")

    #expect(between.contains("kept") && !between.contains("a.csv.state"), "\(between)")
    #expect(shown.contains("page 5 (5)"))
    #expect(second.errors.contains("going on at page 5"), "\(second.errors)")
    #expect(try scratch.text("a.csv").components(separatedBy: "\r\n").count == 102)
  }

  @Test(arguments: [
    (["-o", "a.ndjson", "--state", "mine.txt"], "that no run made"),
    (["-o", "a.ndjson", "--state", "mine.db"], "that no run made"),
    (["-o", "a.ndjson", "--state", "mine.db", "--fresh"], "that no run made"),
    (["-o", "a.ndjson", "--state", "none/kept"], "does not exist"),
    (["-o", "a.db", "--state", "kept"], "a database has its state in the same transactions"),
    (["-o", "a.ndjson", "--state", "kept", "--refresh", "1s"], "remembers nothing"),
    (["-o", "a.db", "--write", "mirror", "--no-state"], "has to be remembered"),
  ])
  func `a state that can't be kept is refused before the first request`(
    options: [String], message: String
  ) throws {
    let scratch = try Scratch(script: "print('asked') lookahead.emit { id = 1 }")
    try scratch.write("mine.txt", "mine")
    _ = try scratch.shell("sqlite3 mine.db 'create table mine (id)'")
    let before = try scratch.shell("sha256sum mine.*").output

    let result = try Command.lookahead(["run", "feed.lua"] + options).within(scratch).run()

    #expect(result.exitCode != 0 && result.errors.contains(message), "\(result.errors)")
    #expect(!result.errors.contains("asked"))
    #expect(try scratch.shell("sha256sum mine.*").output == before)
  }

  @Test(arguments: ["a.db", "-"])
  func `a stretch of the past is brought without moving the bookmark back`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "feed", bookmark = "at" }
        function things.fetch(context)
          print(("%s to %s"):format(context.bookmark, context.bookmarkLimit))
          local items = {}
          for at = 10, 100, 10 do
            if at >= (context.bookmark or 0) then items[#items + 1] = { id = at, at = at } end
          end
          return { items = items }
        end
        return things
        """)
    func run(_ options: String...) throws -> CommandResult {
      try Command.lookahead(["run", "feed.lua", "-o", output] + options).within(scratch).run()
    }

    let first = try run()
    let past = try run("--since", "30", "--until", "50")
    let next = try run()

    #expect(first.errors.contains("nil to nil"))
    #expect(past.errors.contains("30 to 50"), "\(past.errors)")
    #expect(past.summary?.hasPrefix("3 items") == true, "\(past.errors)")
    #expect(next.errors.contains(output == "-" ? "nil to nil" : "100 to nil"), "\(next.errors)")
  }

  @Test(arguments: [
    ("12", "number 12"), ("-3.5", "number -3.5"), ("1.10", "string 1.10"), ("007", "string 007"),
    ("12345678901234567890", "string 12345678901234567890"), ("1e3", "string 1e3"),
    ("9007199254740993.0", "string 9007199254740993.0"), (#""5""#, "string 5"), ("true", "boolean true"),
  ])
  func `a bound has the digits that were given`(given: String, kept: String) throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "feed", bookmark = "at" }
        function things.fetch(context)
          print(math.type(context.bookmark) and "number" or type(context.bookmark), context.bookmark)
          return { items = {} }
        end
        return things
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--since", given)

    #expect(result.errors.replacing("\t", with: " ").contains(kept), "\(result.errors)")
  }

  @Test func `a bookmark that no number keeps exactly is refused`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "feed", bookmark = "at" }
        function things.fetch() return lookahead.json.decode [[{"items":[{"id":1,"at":18446744073709551614}]}]] end
        return things
        """)

    let result = try scratch.copy([])

    #expect(result.exitCode == 65)
    #expect(
      result.error.contains("is more than a number keeps exactly: have the source give it as a text"),
      "\(result.errors)")
  }

  @Test func `a bound of another kind than the bookmark is named`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "feed", bookmark = "at" }
        function things.fetch() return { items = { { id = 1, at = 5 } } } end
        return things
        """)

    let result = try scratch.copy(["--until", "soon"])

    #expect(result.exitCode == 65)
    #expect(result.error.contains("can't be compared"), "\(result.errors)")
  }

  /// The name of the only stream.
  private func stream(of output: String, in scratch: Scratch) throws -> String {
    let json = try scratch.lookahead("state", output, "--format", "json").output
    return "\(object(json.replacing("[\n", with: "").replacing("\n]", with: ""))["source"] ?? "")"
  }
}

/// `lookahead state` while a run works on the output, and bounds of sources that have none.
@Suite(.waiting) struct StateChangeTests {
  @Test(arguments: ["a.db", "a.ndjson"], [["--reset"], ["--set-bookmark", "7"]])
  func `nothing that a run works with is changed`(output: String, change: [String]) throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "feed", bookmark = "id" }
        function things.fetch(context)
          if not context.key then return { items = { { id = 1 } }, nextKey = 2 } end
          lookahead.sleep(0.2)
          print("it waits")
          lookahead.sleep(3600)
        end
        return things
        """)
    var run = Command.lookahead(["run", "feed.lua", "-o", output]).within(scratch)
    run.signals = [SIGKILL]
    var result = CommandResult()
    run.isToBeInterrupted = {
      guard $0.errors.contains("it waits") else { return false }
      let command = Command.lookahead(["state", output] + change).within(scratch)
      result = (try? command.run()) ?? result
      return true
    }

    _ = try run.run()
    let after = try scratch.lookahead("state", output)

    #expect(result.exitCode == 73, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("another run is writing it (process "), "\(result.errors)")
    #expect(result.errors.contains("end it, or let it end, first"))
    #expect(after.output.contains("page 2 (2)"), "\(after.output)\(after.errors)")
  }

  @Test(arguments: ["--since", "--until"])
  func `a bound for sources without a bookmark is refused, and told where one has none`(option: String) throws
  {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { both = false }
        local function fetch() print("asked") return { items = { { id = 1, at = 5 } } } end
        local plain = lookahead.source { name = "plain", fetch = fetch }
        local new = lookahead.source { name = "new", fetch = fetch, bookmark = "at" }
        return p.both and { plain, new } or plain
        """)

    let plain = try scratch.lookahead("run", "feed.lua", "-o", "out/", option, "3")
    let both = try scratch.lookahead("run", "feed.lua", "-o", "out/", option, "3", "-e", "both=true")

    #expect(plain.exitCode == 64, "\(plain.errors)")
    #expect(plain.error.contains("\(option): the source 'plain' has no bookmark"), "\(plain.errors)")
    #expect(!plain.errors.contains("asked"))
    #expect(both.exitCode == 0)
    #expect(
      both.errors.contains("\(option): the source 'plain' has no bookmark, and all of it is read"),
      "\(both.errors)")
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `a list of no partitions is a run of nothing`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows", fetch = function() return { items = {} } end }
        return rows:partitions({}, function(n) return { n = n } end)
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("the list of partitions is empty: there is nothing to read"))
    #expect(result.summary?.hasPrefix("0 items, 0 pages") == true, "\(result.errors)")
  }
}
