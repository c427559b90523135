import Items
import Paging
import Scripting
import Testing

/// Steps of a workflow, with an output that remembers them and with one that does not.
@Suite struct StepTests {
  private func run(_ script: String, remembers: Bool) throws -> ScriptRun {
    try ScriptRun(script, in: .remembering()) { $0.remembers = remembers }
  }

  @Test(arguments: [false, true])
  func `a step is done once in a run, whether it is remembered or not`(remembers: Bool) throws {
    let run = try run(
      """
      for round = 1, 3 do
        print(lookahead.step("k", function() lookahead.emit { round = round } return round end))
        lookahead.sleep(1)
      end
      """, remembers: remembers)

    #expect(run.outcome == ["1", "1", "1"])
    #expect(run.items() == [#"{"round":1}"#])
    #expect(run.statistics.items == 1)
  }

  @Test(arguments: [false, true])
  func `what several tasks ask for at once, one of them does`(remembers: Bool) throws {
    let run = try run(
      """
      local count = 0
      local function config()
        return lookahead.step("config", function()
          count = count + 1
          lookahead.emit { id = count }
          lookahead.sleep(1)
          return count
        end)
      end
      print(table.concat(lookahead.all { config, config, config }, " "))
      """, remembers: remembers)

    #expect(run.outcome == ["1 1 1"])
    #expect(run.items() == [#"{"id":1}"#])
    #expect(run.seconds == 1)
  }

  @Test(arguments: [false, true])
  func `a step that fails, or is cancelled, is done by who waited for it`(remembers: Bool) throws {
    let run = try run(
      """
      local attempts = 0
      local function work()
        return lookahead.step("a", function()
          attempts = attempts + 1
          lookahead.sleep(1)
          if attempts == 2 then error("no", 0) end
          return attempts
        end)
      end
      local tasks = {}
      for number = 1, 4 do tasks[number] = lookahead.spawn(work) end
      lookahead.sleep(0.5)
      tasks[1]:cancel()
      print(pcall(tasks[2].wait, tasks[2]))
      print(tasks[3]:wait(), tasks[4]:wait())
      """, remembers: remembers)

    #expect(run.outcome == ["false\tno", "3\t3"])
  }

  @Test func `a task that is cancelled while it asks for a step leaves it to the next`() throws {
    let world = ScriptWorld.remembering()
    var asked = 0
    world.neverAnswers = { call in
      guard case .beginStep = call else { return false }
      asked += 1
      return asked == 1
    }
    let run = try ScriptRun(
      """
      local function work() return lookahead.step("a", function() lookahead.sleep(5) return 1 end) end
      local first, second = lookahead.spawn(work), lookahead.spawn(work)
      lookahead.sleep(1)
      first:cancel()
      print(second:wait(), lookahead.now())
      """, in: world
    ) { $0.remembers = true }

    #expect(run.outcome == ["1\t6.0"])
  }

  @Test func `a step that can't be begun is none that others wait for`() throws {
    let run = try ScriptRun(
      """
      local function work() return lookahead.step("a", print) end
      print((pcall(work)))
      print((pcall(work)))
      """
    ) { $0.remembers = true }

    #expect(run.outcome == ["false", "false"])
  }

  @Test(arguments: [false, true])
  func `a step returns what JSON carries, the first time and later`(remembers: Bool) throws {
    let run = try run(
      """
      local function look()
        local found = lookahead.step("found", function()
          local given = { null = lookahead.null, list = { 1, lookahead.null, 1.5 }, whole = 9007199254740993 }
          return setmetatable(given, { __index = { extra = true } })
        end)
        print(found.null == lookahead.null, #found.list, found.list[2] == lookahead.null, found.whole, found.extra)
        print(lookahead.step("null", function() return lookahead.null end) == lookahead.null)
        print(lookahead.step("nothing", function() end))
        print(lookahead.step("no", function() return false end))
      end
      look()
      lookahead.sleep(1)
      look()
      """, remembers: remembers)

    let lines = ["true\t3\ttrue\t9007199254740993\tnil", "true", "nil", "false"]
    #expect(run.outcome == lines + lines)
  }

  @Test(
    arguments: [
      ("{ [10] = 'Ada' }", "a key can't be the integer 10, only text: t[tostring(key)]"),
      ("{ users = { [10] = 1 } }", "users: a key can't be the integer 10, only text: t[tostring(key)]"),
      ("{ a = 1, [true] = 1 }", "a key can't be true, only text: t[tostring(key)]"),
      ("{ [1.5] = 1 }", "a key can't be 1.5, only text: t[tostring(key)]"),
      (
        "{ 'a', 'b', [10] = 'c' }",
        "a list can't have the key 10 beside its 2 elements: other keys are texts, as t[tostring(key)]"
      ),
    ], [false, true])
  func `a result whose keys would come back as others is refused`(
    result: (text: String, reason: String), remembers: Bool
  ) throws {
    let run = try run(
      """
      lookahead.emit { id = 1 }
      lookahead.step("names", function() lookahead.emit { id = 2 } return \(result.text) end)
      """, remembers: remembers)

    #expect(
      run.failure
        == "feed.lua:2: lookahead.step: the result of 'names' has to be JSON, or nothing: \(result.reason)")
    #expect(run.statistics.items == (remembers ? 1 : 2))
  }

  @Test(arguments: ["7, \"7\"", "\"7\", 7"])
  func `a number and its text are no keys of two steps of one place`(keys: String) throws {
    let run = try run(
      "for _, key in ipairs { \(keys) } do lookahead.step(key, function() lookahead.emit(key) end) end",
      remembers: false)

    #expect(
      run.failure
        == "feed.lua:1: lookahead.step: the keys \(keys.replacing(",", with: " and")) are one, so the second step would be taken "
        + "for the first and left out: name each by what no other has")
  }

  @Test(arguments: [false, true])
  func `a step has no steps of its own, and emits nothing behind its end`(remembers: Bool) throws {
    let nested = try run(
      "lookahead.step('a', function() lookahead.step('b', print) end)", remembers: remembers)
    let late = try run(
      """
      local task
      lookahead.step("a", function() task = lookahead.spawn(function() lookahead.sleep(1) lookahead.emit(1) end) end)
      task:wait()
      """, remembers: remembers)

    #expect(nested.failure?.contains("steps do not have steps of their own") == true)
    #expect(late.failure?.contains("the step 'a' is over") == true)
  }
}
