import Items
import Paging
import Scripting
import Testing

/// Handlers that go on behind the answer to their fetch.
@Suite struct GoingOnTests {
  private static let readings = [
    "return source", "for _ in source:items() do end", "for _ in source:items() do break end",
    "source:itemSet():fetchNextPage()", "lookahead.spawn(function() for _ in source:pages() do end end)",
  ]

  @Test func `what a handler does behind its answer is done to its end`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { name = "list" }
      function source.fetch(context)
        local key = context.key or 1
        context:append { { id = key } }
        context.nextKey = key < 3 and key + 1 or nil
        context:complete(key < 3)
        lookahead.sleep(2)
        lookahead.emit({ id = key }, "details")
      end
      return source
      """)

    #expect(run.failure == nil)
    #expect(run.isFinished)
    #expect(run.items("details") == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
    #expect(run.items().count == 6)
    #expect(run.seconds == 2)
  }

  @Test(arguments: readings) func `the run waits for it, however the source is read`(reading: String) throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source {}
      function source.fetch(context)
        context:append { { id = 1 } }
        context:complete(false)
        for id = 1, 3000 do lookahead.emit({ id = id }, "details") end
        lookahead.sleep(5)
        print(lookahead.now(), context:isCancelled())
      end
      \(reading)
      """)

    #expect(run.failure == nil)
    #expect(run.isFinished)
    #expect(run.items("details").count == 3000)
    #expect(run.printed == ["5.0\tfalse"])
  }

  @Test(arguments: readings, [0, 1]) func `its error is the run's, with its place`(
    reading: String, pause: Int
  ) throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source {}
      function source.fetch(context)
        context:append { { id = 1 } }
        context:complete(false)
        if \(pause) > 0 then lookahead.sleep(\(pause)) end
        error("too late")
      end
      \(reading)
      """)

    #expect(run.failure == "feed.lua:6: too late")
    #expect(run.isFinished)
  }

  @Test func `its error keeps its code`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        context:complete(false)
        lookahead.sleep(1)
        error { code = "mine", message = "too late" }
      end }
      """)

    #expect(run.failure == "too late")
    #expect(run.code == "mine")
  }

  @Test func `a handler may go on behind a failure too, and the next attempt does not wait for it`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        if context.attempt == 2 then return { items = { { id = 1 } } } end
        context:fail("not yet", { retryAfter = 1 })
        lookahead.sleep(5)
        lookahead.emit({ id = 2 }, "late")
      end }
      """)

    #expect(run.failure == nil)
    #expect(run.world.deliveries.map(\.at.seconds) == [1, 5])
    #expect(run.items("late") == [#"{"id":2}"#])
  }

  @Test func `a run that ends ends it, like all else`() throws {
    let script = """
      local source = lookahead.source {}
      function source.fetch(context)
        context:append { { id = 1 }, { id = 2 } }
        context:complete(false)
        lookahead.sleep(100)
        print("never")
      end
      return source
      """

    let interrupted = try ScriptRun(script, interruptedAt: 1)
    let limited = try ScriptRun(script) { $0.limit = 1 }
    let failed = try ScriptRun("lookahead.spawn(function() lookahead.sleep(1) error('no', 0) end)\n" + script)

    for run in [interrupted, limited, failed] {
      #expect(run.isFinished)
      #expect(run.printed == [])
      #expect(run.seconds <= 1)
    }
    #expect(interrupted.failure == "interrupted")
    #expect(limited.failure == nil && limited.items().count == 1)
    #expect(failed.failure == "no")
  }

  @Test func `a source that is read again does not wait for it`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function(context)
        context:append { { id = context.generation } }
        context:complete(false)
        lookahead.sleep(100)
        print(context.generation, lookahead.now())
      end }
      """
    ) { $0.refresh = RefreshRule(every: .seconds(10), times: 1) }

    #expect(run.failure == nil)
    #expect(run.world.deliveries.last?.at.seconds == 10)
    #expect(run.printed == ["1\t100.0", "2\t110.0"])
  }

  @Test func `as many partitions are read at once as may be, with what their handlers go on with`() throws {
    let run = try ScriptRun(
      """
      local open, most = 0, 0
      local rows = lookahead.source { name = "rows", id = false }
      function rows.fetch(context)
        open = open + 1
        most = math.max(most, open)
        context:append { context.parameters }
        context:complete(false)
        lookahead.sleep(1)
        open = open - 1
        if context.parameters.account == 6 then print(most) end
      end
      return rows:partitions({ 1, 2, 3, 4, 5, 6 }, function(account) return { account = account } end, { limit = 2 })
      """)

    #expect(run.failure == nil)
    #expect(run.items().count == 6)
    #expect(run.printed == ["2"])
  }

  @Test func `a fetch that is cancelled before its answer does not go on`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { keys = "page", maxInFlight = 2, policy = "everything", fetch = function(context)
        lookahead.sleep(context.key)
        context:append { { id = context.key } }
        context:complete(true)
        lookahead.sleep(10)
        print("behind", context.key)
      end }
      for _ in source:items() do break end
      """)

    #expect(run.failure == nil)
    #expect(run.printed == ["behind\t1"])
    #expect(run.seconds == 11)
  }

  @Test func `a person who leaves does not wait for it`() throws {
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/")
    options.browse = BrowseOptions()
    let workflow = try Workflow(
      text: """
        return lookahead.source { fetch = function(context)
          context:append { { id = 1 } }
          context:complete(false)
          lookahead.sleep(1000)
        end }
        """, options: options)
    _ = workflow.handle(.started, at: .zero)
    workflow.browse(.move(Viewport(firstVisible: 0, lastVisible: 4)))
    _ = workflow.handle(.woke, at: .zero + .seconds(1))
    #expect(workflow.browsedList?.items.count == 1)

    workflow.browse(.leave)
    let effects = workflow.handle(.woke, at: .zero + .seconds(2))

    #expect(effects.contains { if case .finished = $0 { true } else { false } })
    #expect(workflow.failure == nil)
  }

  /// Runs a script whose output remembers how far its source was read.
  private func remembered(
    _ script: String, isContinued: Bool = false, _ set: (inout WorkflowOptions) -> Void = { _ in }
  ) throws -> ScriptRun {
    let world = ScriptWorld()
    world.database = { call in
      guard case .begin = call else { return .failed(HostFailure(.database, "there is no database")) }
      var reading = BegunReading(id: 1)
      reading.isOutputContinued = isContinued
      return .begun(reading)
    }
    return try ScriptRun(script, in: world) { options in
      options.remembers = true
      set(&options)
    }
  }

  /// A source of four pages, whose handlers wait for so many seconds before and behind their answers.
  private static func pages(before: String, behind: String, width: Int = 1) -> String {
    """
    local before, behind = { \(before) }, { \(behind) }
    return lookahead.source {
      keys = "page", pageSize = 1, maxInFlight = \(width), policy = "everything", retries = 0,
      fetch = function(context)
        local key = math.tointeger(context.key)
        lookahead.sleep(before[key])
        context:append { { id = key } }
        context:complete(key < 4)
        if behind[key] == "fails" then error("too late", 0) end
        if behind[key] > 0 then lookahead.sleep(behind[key]) end
      end,
    }
    """
  }

  /// How far the sink was told that the source was read, and when.
  private func marks(_ run: ScriptRun) -> [String] {
    run.world.deliveries.compactMap { at, delivery in
      delivery.mark.map { "\(at.seconds): \($0.place.isEnd ? "end" : "page \($0.pages)")" }
    }
  }

  @Test func `a page counts as read once its handler has ended`() throws {
    let run = try remembered(Self.pages(before: "5, 5, 5, 5", behind: "2, 2, 2, 2"))

    #expect(run.failure == nil)
    #expect(marks(run) == ["7.0: page 1", "12.0: page 2", "17.0: page 3", "22.0: end"])
    #expect(run.items().count == 4)
  }

  @Test func `a page whose handler has nothing left to do counts as it comes`() throws {
    let run = try remembered(Self.pages(before: "1, 1, 1, 1", behind: "0, 0, 0, 0"))

    #expect(Array(marks(run).prefix(3)) == ["1.0: page 1", "2.0: page 2", "3.0: page 3"])
    #expect(marks(run).last == "4.0: end")
  }

  @Test func `what the sink gets meanwhile counts with the page that it belongs to`() throws {
    let run = try remembered(Self.pages(before: "1, 1, 1, 4", behind: "1.5, 1.5, 1.5, 1.5"))

    #expect(marks(run) == ["4.5: page 3", "8.5: end"])
  }

  @Test func `handlers of later pages hold nothing back`() throws {
    let run = try remembered(Self.pages(before: "1, 1, 5, 0", behind: "0, 0, 0, 10", width: 3))

    #expect(marks(run) == ["1.0: page 1", "2.0: page 2", "12.0: end"])
  }

  @Test func `a page whose handler fails in the end never counts`() throws {
    let run = try remembered(Self.pages(before: "1, 1, 1, 1", behind: "0.5, 0.5, 'fails', 0"))

    #expect(run.failure == "too late")
    #expect(marks(run) == ["1.5: page 1", "2.5: page 2"])
  }

  @Test func `nor does one whose handler is ended`() throws {
    let script = Self.pages(before: "1, 1, 1, 1", behind: "0.5, 100, 100, 100")
    let run = try remembered(script) { $0.limit = 4 }

    #expect(run.failure == nil)
    #expect(marks(run) == ["1.5: page 1"])
  }

  @Test(arguments: [false, true])
  func `a handler that emits behind what a stopped run has left says so`(isContinued: Bool) throws {
    let run = try remembered(
      """
      return lookahead.source { fetch = function(context)
        lookahead.emit({ n = 1 }, "details")
        return { items = { { id = 1 } } }
      end }
      """, isContinued: isContinued)

    #expect(run.failure == nil)
    #expect(
      run.logged.contains { $0.hasPrefix("warn: a handler emits in a run that goes on") } == isContinued,
      "\(run.logged)")
  }

  @Test func `readings that follow each other end with their handlers, the last one too`() throws {
    let run = try remembered(
      """
      return lookahead.source { fetch = function(context)
        context:append { { id = context.generation } }
        context:complete(false)
        lookahead.sleep(3)
      end }
      """
    ) { $0.refresh = RefreshRule(every: .seconds(10), times: 1) }

    #expect(run.failure == nil)
    #expect(marks(run) == ["3.0: end", "13.0: end"])
  }
}
