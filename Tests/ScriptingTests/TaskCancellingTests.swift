import Testing

/// What ends with a task that is cancelled.
@Suite struct TaskCancellingTests {
  /// Ways to run `work`, which emits an item after 2, 4, 6 and 8 seconds, and to wait for it.
  private static let nestings = [
    "work()", "lookahead.all { work }", "lookahead.map({ 1 }, 2, work)",
    "lookahead.each({ 1 }, { key = tostring }, work)", "lookahead.spawn(work):wait()",
    "pcall(lookahead.all, { work })", "coroutine.wrap(function() lookahead.all { work } end)()",
    "lookahead.all { function() lookahead.map({ 1 }, 1, function() lookahead.spawn(work):wait() end) end }",
  ]

  private static let work = """
    local function work()
      for id = 1, 4 do
        lookahead.sleep(2)
        lookahead.emit { id = id }
      end
    end

    """

  @Test(arguments: nestings) func `a task that is cancelled ends what it waits for`(nesting: String) throws {
    let run = try ScriptRun(
      """
      \(Self.work)
      local task = lookahead.spawn(function() \(nesting) end)
      lookahead.sleep(3)
      task:cancel()
      print(select(2, pcall(task.wait, task)))
      """)

    #expect(run.outcome == ["the task was cancelled"])
    #expect(run.items() == [#"{"id":1}"#])
    #expect(run.seconds == 3)
  }

  @Test(arguments: nestings) func `one failure cancels what the rest waits for`(nesting: String) throws {
    let run = try ScriptRun(
      """
      \(Self.work)
      print(pcall(lookahead.all, {
        function() \(nesting) end,
        function() lookahead.sleep(3) error("x", 0) end,
      }))
      lookahead.sleep(100)
      """)

    #expect(run.outcome == ["false\tx"])
    #expect(run.items() == [#"{"id":1}"#])
  }

  @Test func `a handler that is cancelled ends what it waits for`() throws {
    let run = try ScriptRun(
      """
      \(Self.work)
      local source = lookahead.source { fetch = function()
        lookahead.all { work }
        return { items = {} }
      end }
      local task = lookahead.spawn(function() for _ in source:items() do end end)
      lookahead.sleep(3)
      task:cancel()
      """)

    #expect(run.failure == nil)
    #expect(run.items() == [#"{"id":1}"#])
  }

  @Test func `what is waited for is closed before what waits`() throws {
    let lines = try printed(
      by: """
        local function closing(name) return setmetatable({}, { __close = function() print(name) end }) end
        local function nested(depth)
          local guard <close> = closing(depth)
          if depth == 3 then lookahead.sleep(100) end
          lookahead.all { function() nested(depth + 1) end }
        end
        local task = lookahead.spawn(nested, 1)
        lookahead.sleep(1)
        task:cancel()
        print("over")
        """)

    #expect(lines == ["3", "2", "1", "over"])
  }

  @Test func `a task that nobody waits for goes on when the one that started it is cancelled`() throws {
    let run = try ScriptRun(
      """
      local task = lookahead.spawn(function()
        lookahead.spawn(function() lookahead.sleep(5) print("goes on") error("mine", 0) end)
        lookahead.sleep(100)
      end)
      lookahead.sleep(1)
      task:cancel()
      """)

    #expect(run.outcome == ["goes on", "mine"])
  }

  @Test func `a task of another one goes on, and its error is told`() throws {
    let run = try ScriptRun(
      """
      local shared = lookahead.spawn(function() lookahead.sleep(5) error("shared", 0) end)
      local waiting = lookahead.spawn(function() shared:wait() end)
      lookahead.sleep(1)
      waiting:cancel()
      """)

    #expect(run.failure == "shared")
    #expect(run.seconds == 5)
  }

  @Test func `a task that others wait for too goes on`() throws {
    let lines = try printed(
      by: """
        local own
        local first = lookahead.spawn(function()
          own = lookahead.spawn(function() lookahead.sleep(5) return "done" end)
          own:wait()
        end)
        lookahead.sleep(1)
        local second = lookahead.spawn(function() return own:wait() end)
        lookahead.sleep(1)
        first:cancel()
        print(second:wait())
        second:cancel()
        print(own:wait())
        """)

    #expect(lines == ["done", "done"])
  }

  @Test func `a task that cancels itself ends what it waits for next`() throws {
    let run = try ScriptRun(
      """
      \(Self.work)
      local task
      task = lookahead.spawn(function()
        task:cancel()
        lookahead.all { work }
      end)
      """)

    #expect(run.failure == nil)
    #expect(run.items() == [])
    #expect(run.seconds == 0)
  }

  @Test func `tasks that wait for each other by the thousand are cancelled at once`() throws {
    let lines = try printed(
      by: """
        local ended = 0
        local function deep(depth)
          local guard <close> = setmetatable({}, { __close = function() ended = ended + 1 end })
          if depth == 0 then lookahead.sleep(100) end
          lookahead.spawn(deep, depth - 1):wait()
        end
        local task = lookahead.spawn(deep, 9999)
        lookahead.sleep(1)
        task:cancel()
        print(ended, lookahead.now())
        """)

    #expect(lines == ["10000\t1.0"])
  }
}
