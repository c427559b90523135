import Foundation
import Testing

/// Pieces of a workflow that are done once.
@Suite(.waiting) struct StepTests {
  /// Four steps of three items each, two at a time; the run fails in one of them.
  private static let steps = """
    local p = lookahead.parameters { bad = { default = 0, partition = false } }
    local sums = lookahead.each({ 1, 2, 3, 4 }, { key = function(n) return "step " .. n end, limit = 2 }, function(n)
      for place = 1, 3 do
        lookahead.emit { id = n * 10 + place }
        if n == p.bad and place == 2 then error("closed for lunch") end
      end
      print("did " .. n)
      return { n = n }
    end)
    local total = 0
    for _, sum in ipairs(sums) do total = total + sum.n end
    print("total " .. total)
    """

  /// They would be taken for one: the second would be skipped, with what the first returned.
  @Test(arguments: [
    "lookahead.each({ 1, 2 }, { key = key }, function(n) lookahead.emit { id = n } end)\nlookahead.each({ 2, 3 }, { key = key }, function(n) lookahead.emit { id = n + 10 } end)",
    "lookahead.step(2, function() lookahead.emit { id = 2 } end)\nlookahead.step('2', function() lookahead.emit { id = 3 } end)",
  ])
  func `two pieces of work with one key are an error`(steps: String) throws {
    let scratch = try Scratch(script: "local function key(n) return n end\n" + steps)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains("is done at feed.lua:2 already"), "\(result.errors)")
  }

  @Test(arguments: [1, 3])
  func `two elements of one key are an error`(limit: Int) throws {
    let scratch = try Scratch(
      script: """
        local list = { { k = "a", v = 1 }, { k = "b", v = 2 }, { k = "a", v = 3 } }
        lookahead.each(list, { key = function(e) return e.k end, limit = \(limit) }, function(e)
          lookahead.emit { id = e.v }
        end)
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(
      result.errors.contains("feed.lua:2: lookahead.each: the elements 1 and 3 have the same key \"a\""),
      "\(result.errors)")
  }

  /// Both are kept in the state of the output, and shown by `state`.
  @Test(
    arguments: [
      ("lookahead.step('for ' .. p.token, print)", "a key has the secret token in it"),
      ("lookahead.step(p.pin, print)", "a key has the secret pin in it"),
      (
        "lookahead.each({ 1 }, { key = function() return p.token end }, print)",
        "a key has the secret token in it"
      ),
      ("lookahead.step('login', function() return p.token end)", "has the secret token in it (it)"),
      (
        "lookahead.step('login', function() return { at = { 1, url = '?key=' .. p.token } } end)",
        "has the secret token in it (it.at.url)"
      ),
      ("lookahead.step('login', function() return { [p.token] = 1 } end)", "has the secret token in it (it)"),
      ("lookahead.step('login', function() return { p.pin } end)", "has the secret pin in it (it.1)"),
    ], ["a.db", "a.ndjson"])
  func `no secret is kept as the key or the result of a step`(
    step: (code: String, message: String), output: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters {
          token = { required = true, secret = true }, pin = { default = 0, secret = true },
        }
        lookahead.step("first", function() lookahead.emit { id = 1 } return 12345 end)
        \(step.code)
        """)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", output, "--secret", "token=hushhush", "--secret", "pin=4711")
    let state = try scratch.lookahead("state", output)

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains(step.message), "\(result.errors)")
    #expect(!(result.errors + state.output).contains("hushhush"))
    #expect(state.output.contains("first  ended  12345"), "\(state.output)")
    #expect(try scratch.shell("cat a.* | grep -ac -e hushhush -e 4711").output == "0\n")
  }

  @Test func `a step that is asked for again from its place is done once`() throws {
    let scratch = try Scratch(
      script: """
        local function config() return lookahead.step("config", function() lookahead.emit { id = 1 } return 7 end) end
        print(config() + config())
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0 && result.errors.contains("14"), "\(result.errors)")
    #expect(try scratch.rows("select count(*) from feed") == "1")
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `a step that has ended is not done again, and one that has not brings nothing`(output: String) throws {
    let scratch = try Scratch(script: Self.steps)

    let failed = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "bad=3")
    let between = output == "a.db" ? try scratch.rows("select group_concat(id) from feed") : ""
    let second = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(failed.exitCode == 65, "\(failed.errors)")
    #expect(!between.contains("31"))
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("total 10"))
    #expect(!second.errors.contains("did 1") && second.errors.contains("did 3"))
    let ids = [11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43]
    if output == "a.db" {
      #expect(
        try scratch.rows("select group_concat(id) from (select id from feed order by id)")
          == ids.map { "\($0)" }.joined(separator: ","))
    } else {
      let lines = try scratch.text(output).split(separator: "\n").map(String.init).sorted()
      #expect(lines == ids.map { "{\"id\":\($0)}" })
    }
  }

  @Test func `items without ids that steps emit are all kept by a run that goes on`() throws {
    let scratch = try Scratch(
      script: Self.steps.replacing("{ id = n * 10 + place }", with: "{ name = n .. place }"))
    for options in [["-e", "bad=3"], []] { _ = try scratch.copy(options) }

    #expect(try scratch.rows("select count(*), count(distinct name) from feed") == "12|12")
  }

  @Test func `a step does not emit behind its end, and has no steps of its own`() throws {
    let late = try Scratch(
      script: """
        local task
        lookahead.step("a", function() task = lookahead.spawn(function() lookahead.sleep(0.01) lookahead.emit { id = 1 } end) end)
        task:wait()
        """)
    let nested = try Scratch(
      script: "lookahead.step('a', function() lookahead.step('b', function() end) end)")

    #expect(try late.lookahead("run", "feed.lua", "-o", "a.db").error.contains("the step 'a' is over"))
    #expect(
      try nested.lookahead("run", "feed.lua", "-o", "a.db").error.contains(
        "steps do not have steps of their own"))
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `a step that fails leaves nothing, however often it is tried`(output: String) throws {
    let scratch = try Scratch(
      script: """
        for attempt = 1, 4 do
          local isDone = lookahead.try(function()
            lookahead.step("orders", function()
              lookahead.emit { id = attempt * 10 }
              if attempt % 2 == 0 then lookahead.sleep(0.01) end
              if attempt < 4 then lookahead.json.decode("[") end
            end)
            return true
          end)
          if isDone then break end
        end
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output, "--summary", "s.json")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("1 item, "), "\(result.errors)")
    #expect(try scratch.text("s.json").contains("\"items\":1,"))
    let ids = try output == "a.db" ? scratch.rows("select id from feed") : scratch.text(output)
    #expect(ids == (output == "a.db" ? "40" : "{\"id\":40}\n"))
  }

  @Test(arguments: [1, 2000])
  func `what is asked for again from its place is not done again`(items: Int) throws {
    let scratch = try Scratch(
      script: """
        for round = 1, 3 do
          local told = lookahead.step("a", function()
            for id = 1, \(items) do lookahead.emit { id = id, round = round } end
            return round
          end)
          print("told " .. told)
        end
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.components(separatedBy: "told 1").count == 4, "\(result.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == items)
  }

  @Test(arguments: [[], ["-o", "a.ndjson"], ["-o", "a.ndjson", "--no-state"], ["-o", "a.db"]])
  func `what is asked for again from its place is not done again, with state or without`(output: [String])
    throws
  {
    let scratch = try Scratch(
      script: "for round = 1, 2 do lookahead.step('k', function() lookahead.emit { round = round } end) end")

    let result = try Command.lookahead(["run", "feed.lua"] + output).within(scratch).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("1 item, "), "\(result.errors)")
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `a run that goes on finds what a step has returned as the run before did`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local found = lookahead.step("found", function()
          lookahead.emit { id = 1 }
          local found = { null = lookahead.null, list = { 1, lookahead.null }, names = { ["10"] = "Ada" } }
          return setmetatable(found, { __index = { more = true } })
        end)
        local null = lookahead.step("null", function() return lookahead.null end)
        local nothing = lookahead.step("nothing", function() end)
        print(found.null == lookahead.null, #found.list, found.names["10"], found.more, null == lookahead.null, nothing)
        if not lookahead.fs.exists("go") then error("stopped here") end
        """)

    let stopped = try scratch.lookahead("run", "feed.lua", "-A", "-o", output)
    try scratch.write("go", "")
    let next = try scratch.lookahead("run", "feed.lua", "-A", "-o", output)

    #expect(stopped.exitCode == 65 && next.exitCode == 0, "\(stopped.errors) \(next.errors)")
    for result in [stopped, next] {
      #expect(result.errors.contains("true\t2\tAda\tnil\ttrue\tnil"), "\(result.errors)")
    }
  }

  /// Were it over, the next run would leave out what the limit has cut.
  @Test func `a step that a limit cuts is not over`() throws {
    let scratch = try Scratch(
      script: """
        lookahead.step("a", function()
          for id = 1, 12 do lookahead.emit { id = id } lookahead.sleep(0.01) end
        end)
        """)

    let cut = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--limit", "5")
    let whole = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(cut.exitCode == 0 && whole.exitCode == 0, "\(cut.errors) \(whole.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 12, "\(whole.errors)")
  }
}
