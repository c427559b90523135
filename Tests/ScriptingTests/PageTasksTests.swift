import Items
import Paging
import Scripting
import Testing

/// What handlers start, directly or not: a page counts once all of it has ended, and so does a step that reads it.
@Suite struct PageTasksTests {
  /// Runs a script whose output remembers how far its source was read.
  private func remembered(_ script: String) throws -> ScriptRun {
    let world = ScriptWorld()
    world.database = { call in
      guard case .begin = call else { return .failed(HostFailure(.database, "there is no database")) }
      return .begun(BegunReading(id: 1))
    }
    return try ScriptRun(script, in: world) { $0.remembers = true }
  }

  /// How far the sink was told that the source was read, and when.
  private func marks(_ run: ScriptRun) -> [String] {
    run.world.deliveries.compactMap { at, delivery in
      delivery.mark.map { "\(at.seconds): \($0.place.isEnd ? "end" : "page \($0.pages)")" }
    }
  }

  /// What a handler may start, with WORK for what that does.
  private static let starts = [
    "lookahead.spawn(function() WORK end)",
    "lookahead.spawn(function() lookahead.spawn(function() WORK end) end)",
    "lookahead.all { function() lookahead.spawn(function() WORK end) end }",
    "for _ in inner(function() WORK end):items() do end",
    "inner(function() WORK end):itemSet():fetchNextPage()",
    "for _ in inner(function() lookahead.spawn(function() WORK end) end):items() do end",
  ]

  /// A page of two, of which something is started by the handler, or as an item passes.
  private static func page(_ start: String, inTransform: Bool) -> String {
    let start = start.replacing("WORK", with: "lookahead.sleep(5) if fails then error('too late', 0) end")
    return """
      local function inner(work)
        return lookahead.source { fetch = function(context)
          context:append { { id = 1 } }
          context:complete(false)
          work()
        end }
      end
      return lookahead.source { fetch = function()
        \(inTransform ? "" : start)
        return { items = { { id = 1 }, { id = 2 } } }
      end, transform = function(item)
        if item.id == 2 then \(inTransform ? start : "") end
        return item
      end }
      """
  }

  @Test(arguments: starts, [false, true])
  func `a page counts once all that its handler has started has ended`(start: String, inTransform: Bool)
    throws
  {
    let run = try remembered(Self.page(start, inTransform: inTransform))

    #expect(run.failure == nil)
    #expect(marks(run) == ["5.0: end"])
    #expect(run.items().count == 2)
  }

  @Test(arguments: starts) func `a page never counts of which something fails that nobody waits for`(
    start: String
  )
    throws
  {
    let run = try remembered("local fails = true\n" + Self.page(start, inTransform: false))

    #expect(run.failure == "too late")
    #expect(marks(run) == [])
  }

  @Test(arguments: ["pcall(task.wait, task)", "task:cancel()"])
  func `a page counts whose tasks failed where somebody saw to that`(way: String) throws {
    let run = try remembered(
      """
      return lookahead.source { fetch = function()
        local task = lookahead.spawn(function() lookahead.sleep(5) error("no", 0) end)
        lookahead.spawn(function() lookahead.sleep(1) \(way) end)
        return { items = { { id = 1 } } }
      end }
      """)

    #expect(run.failure == nil)
    #expect(marks(run).count == 1 && marks(run)[0].hasSuffix("end"))
  }

  @Test(arguments: [false, true], [1, 3])
  func `a step ends with the handlers of what it reads, and what they emit is its own`(
    remembers: Bool, width: Int
  )
    throws
  {
    let world = ScriptWorld()
    world.database = { _ in .step(BegunStep(id: 7)) }
    let run = try ScriptRun(
      """
      local inner = lookahead.source { keys = "page", pageSize = 1, maxInFlight = \(width), policy = "everything" }
      function inner.fetch(context)
        context:append { { id = context.key } }
        context:complete(context.key < 3)
        lookahead.sleep(5)
        lookahead.emit({ id = math.tointeger(context.key) }, "late")
      end
      lookahead.step("s1", function() for _ in inner:items() do end end)
      print(lookahead.now())
      """, in: world
    ) { $0.remembers = remembers }

    #expect(run.failure == nil)
    #expect(run.printed == ["5.0"])
    #expect(run.items("late").count == 3)
    #expect(run.world.deliveries.allSatisfy { ($0.delivery.step == 7) == remembers })
  }
}
