import Paging
import Testing

@Suite struct TaskTests {
  @Test func `all runs functions at once and returns their results in order`() throws {
    let lines = try printed(
      by: """
        local results = lookahead.all {
          function() lookahead.sleep(2) return "a" end,
          function() lookahead.sleep(1) return "b" end,
        }
        print(results[1], results[2], lookahead.now(), #lookahead.all {})
        """)

    #expect(lines == ["a\tb\t2.0\t0"])
  }

  @Test func `the first failure in time cancels the rest and keeps its fields`() throws {
    let run = try ScriptRun(
      """
      local ok, err = pcall(lookahead.all, {
        function() lookahead.sleep(3) print("never") end,
        function() lookahead.sleep(2) error("too late") end,
        function() lookahead.sleep(1) error { code = "mine", message = "no", count = 3 } end,
      })
      print(ok, err.code, err.message, err.count, tostring(err), lookahead.now())
      """)

    #expect(run.printed == ["false\tmine\tno\t3\tno\t1.0"])
    #expect(run.seconds == 1)
  }

  @Test(arguments: [
    "lookahead.map({ items = { 1 } }, 2, print)", "lookahead.all { items = { print } }",
    "lookahead.each({ items = { 1 } }, { key = tostring }, print)",
    "lookahead.source { name = \"s\", fetch = print }:partitions({ items = { 1 } }, print)",
  ])
  func `a table without elements is no list, but has one as its member`(call: String) throws {
    let failure = try ScriptRun(call).failure
    #expect(
      failure?.contains("expected a list, but this table has no elements, only members such as 'items'")
        == true,
      "\(failure ?? "no failure")")
    #expect(
      try ScriptRun(
        call.replacing("{ items = { 1 } }", with: "{}").replacing("{ items = { print } }", with: "{}")
      ).failure == nil)
  }

  @Test func `map keeps its limit and its order`() throws {
    let lines = try printed(
      by: """
        local running, most = 0, 0
        local results = lookahead.map({ 3, 1, 2, 5, 4 }, 2, function(n)
          running = running + 1
          most = math.max(most, running)
          lookahead.sleep(n)
          running = running - 1
          return n * 10
        end)
        print(table.concat(results, " "), most, lookahead.now(), #lookahead.map({}, 3, print))
        """)

    #expect(lines == ["30 10 20 50 40\t2\t8.0\t0"])
  }

  @Test func `a task is waited for as often as one likes`() throws {
    let lines = try printed(
      by: """
        local task = lookahead.spawn(function(a, b) lookahead.sleep(1) return a, b, nil, 4 end, 1, 2)
        print(task:wait())
        print(task:wait())
        print(task)
        """)

    #expect(lines == ["1\t2\tnil\t4", "1\t2\tnil\t4", "task"])
  }

  @Test func `a cancelled task ends with an error of that code, and closes what is to be closed`() throws {
    let lines = try printed(
      by: """
        local task = lookahead.spawn(function()
          local guard <close> = setmetatable({}, { __close = function() print("closed", lookahead.now()) end })
          lookahead.sleep(100)
          print("never")
        end)
        lookahead.sleep(1)
        task:cancel()
        task:cancel()
        local ok, err = pcall(task.wait, task)
        print(ok, err.code, err)
        """)

    #expect(lines == ["closed\t1.0", "false\tcancelled\tthe task was cancelled"])
  }

  @Test func `a handler may cancel the task that reads what it fetches`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { name = "feed", keys = "offset", pageSize = 2 }
      local reading
      function source.fetch(context)
        if context.key >= 4 then
          reading:cancel()
          print("goes on")
        end
        return { items = { { id = context.key }, { id = context.key + 1 } }, total = 100 }
      end
      reading = lookahead.spawn(function() for item in source:items() do print(item.id) end end)
      lookahead.sleep(1)
      print("over")
      """)

    #expect(run.failure == nil)
    #expect(run.printed.contains("goes on") && run.printed.last == "over")
  }

  @Test func `a task that cancels itself goes on to its next wait`() throws {
    let lines = try printed(
      by: """
        local task
        task = lookahead.spawn(function()
          lookahead.sleep(1)
          task:cancel()
          print("still here")
          lookahead.sleep(1)
          print("never")
        end)
        lookahead.sleep(5)
        print(select(2, pcall(task.wait, task)))
        """)

    #expect(lines == ["still here", "the task was cancelled"])
  }

  @Test func `an error that nobody waits for fails the run when the script has ended`() throws {
    let run = try ScriptRun(
      "lookahead.spawn(function() error(\"oh\") end)\nlookahead.sleep(1)\nprint(\"to the end\")")

    #expect(run.failure == "feed.lua:1: oh")
    #expect(run.printed == ["to the end"])
  }

  @Test func `an error may be waited for after it came`() throws {
    let run = try ScriptRun(
      "local task = lookahead.spawn(function() error(\"oh\", 0) end)\nlookahead.sleep(1)\n"
        + "print(select(2, pcall(task.wait, task)))")

    #expect(run.failure == nil)
    #expect(run.printed == ["oh"])
  }

  @Test func `the run goes on until every task has ended`() throws {
    let run = try ScriptRun("lookahead.spawn(function() lookahead.sleep(5) lookahead.emit { id = 1 } end)")

    #expect(run.items().count == 1)
    #expect(run.seconds == 5)
  }

  @Test func `waits pass through pcall, coroutines and iterators`() throws {
    let lines = try printed(
      by: """
        local numbers = coroutine.wrap(function()
          for n = 1, 3 do
            pcall(lookahead.sleep, 1)
            coroutine.yield(n, lookahead.now())
          end
        end)
        for n, now in numbers do print(n, now) end
        print(pcall(function() lookahead.sleep(1) error("oh", 0) end))
        """)

    #expect(lines == ["1\t1.0", "2\t2.0", "3\t3.0", "false\toh"])
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.spawn(3)",
      message: "feed.lua:1: lookahead.spawn: argument 1: expected a function, got 3"),
    ScriptCase(
      script: "lookahead.all { 3 }",
      message: "feed.lua:1: lookahead.all: element 1: expected a function, got integer"),
    ScriptCase(
      script: "lookahead.all()",
      message: "feed.lua:1: lookahead.all: argument 1: expected a list, got nothing"),
    ScriptCase(
      script: "lookahead.map({}, 0, print)",
      message: "feed.lua:1: lookahead.map: argument 2: expected an integer of at least 1, got 0"),
    ScriptCase(
      script: "lookahead.map({}, 1)",
      message: "feed.lua:1: lookahead.map: argument 3: expected a function, got nothing"),
    ScriptCase(
      script: "lookahead.sleep(-1)",
      message: "feed.lua:1: lookahead.sleep: argument 1: expected seconds, a number of at least 0, got -1"),
    ScriptCase(
      script: "lookahead.spawn(print).wait()",
      message: "feed.lua:1: task:wait: expected a task (write task:wait(…), not task.wait(…))"),
    ScriptCase(
      script: "coroutine.yield(1)",
      message: "coroutine.yield was called outside of a coroutine of the script's own"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }

  @Test func `thousands of functions run at once`() throws {
    let run = try ScriptRun(
      """
      local functions = {}
      for i = 1, 20000 do functions[i] = function() lookahead.sleep(1) return i end end
      local results = lookahead.all(functions)
      print(#results, results[1], results[20000])
      """)

    #expect(run.outcome == ["20000\t1\t20000"])
    #expect(run.seconds == 1)
  }

  @Test func `the first failure in time ends all, whichever place it has`() throws {
    let run = try ScriptRun(
      """
      local ended = 0
      print(pcall(lookahead.all, {
        function() lookahead.sleep(3) ended = ended + 1 end,
        function() lookahead.sleep(2) error("late", 0) end,
        function() lookahead.sleep(1) error("early", 0) end,
      }))
      lookahead.sleep(5)
      print(ended)
      """)

    #expect(run.outcome == ["false\tearly", "0"])
  }

  /// It would be torn out of its wait, and what it waited for lost.
  @Test(arguments: ["coroutine.resume(co)", "pcall(wrapped)"])
  func `a coroutine that waits in a task is not resumed by another`(resume: String) throws {
    let lines = try printed(
      by: """
        local function body() lookahead.sleep(1) coroutine.yield("slept") return "done" end
        local wrapped, co = coroutine.wrap(body), coroutine.create(body)
        local function first() print("first", \(resume)) end
        local function second() lookahead.sleep(0.5) print("second", \(resume)) end
        lookahead.all { first, second }
        print("again", \(resume))
        """)

    #expect(lines.count == 3)
    #expect(lines[0].contains("second\tfalse"))
    #expect(lines[0].contains("cannot resume a coroutine that waits in another task"))
    #expect(lines[1...] == ["first\ttrue\tslept", "again\ttrue\tdone"])
  }
}
