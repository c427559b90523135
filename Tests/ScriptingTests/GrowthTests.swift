import Paging
import Scripting
import Testing

@Suite struct GrowthTests {
  /// Kilobytes that the script holds in, or after, each of ten equal parts of its work, as it prints them.
  private func kilobytes(_ script: String) throws -> [Double] {
    try ScriptRun(script).printed.compactMap { Double($0) }
  }

  /// What is more at the end than near the beginning, without the garbage that comes and goes.
  private func growth(_ held: [Double]) -> Double {
    (held.suffix(3).min() ?? .infinity) - (held.dropFirst().prefix(3).min() ?? 0)
  }

  @Test func `many pages leave nothing behind in the script`() throws {
    let held = try kilobytes(
      """
      local source = lookahead.source { keys = "offset", pageSize = 2, fetch = function(context)
        if context.key >= 10000 then return { items = {} } end
        lookahead.sleep(0.1)
        return { items = { { id = context.key + 1 }, { id = context.key + 2 } } }
      end }
      local least = math.huge
      for item in source:items() do
        least = math.min(least, collectgarbage("count"))
        if item.id % 1000 == 0 then print(least) least = math.huge end
      end
      """)

    #expect(held.count == 10)
    #expect(growth(held) < 250)
  }

  @Test func `many tasks, requests and errors leave nothing behind either`() throws {
    let held = try kilobytes(
      """
      for round = 1, 10 do
        local least = math.huge
        for n = 1, 300 do
          least = math.min(least, collectgarbage("count"))
          lookahead.all { function() lookahead.sleep(0.1) return n end, function() return {} end }
          pcall(lookahead.http.get, "http://a/none")
          pcall(lookahead.fs.read, "none")
          local task = lookahead.spawn(function() lookahead.sleep(9) end)
          task:cancel()
          local loop = lookahead.source { fetch = function() return { items = { { id = 1 } } } end }
          for _ in loop:items() do break end
        end
        print(least)
      end
      """)

    #expect(held.count == 10)
    #expect(growth(held) < 250)
  }

  @Test func `loops that never wait leave nothing behind while the turn goes on`() throws {
    let held = try kilobytes(
      """
      local source = lookahead.source { fetch = function() return { items = {} } end }
      for round = 1, 10 do
        for n = 1, 500 do
          for _ in source:with({ n = n }):items() do end
        end
        print(collectgarbage("count"))
      end
      """)

    #expect(held.count == 10)
    #expect(held[9] < 2000)
  }

  @Test func `a workflow is let go when its run is over`() throws {
    weak var workflow: Workflow?
    do {
      let run = try ScriptRun(
        numbers + """
          local task = lookahead.spawn(function() for item in numbers(50):items() do lookahead.emit(item) end end)
          task:wait()
          pcall(lookahead.all, { function() error("oh") end, function() lookahead.sleep(5) end })
          return numbers(100)
          """)
      #expect(run.isFinished)
      workflow = run.workflow
    }

    #expect(workflow == nil)
  }

  @Test func `a workflow that is interrupted in the middle is let go too`() throws {
    weak var workflow: Workflow?
    do {
      let world = ScriptWorld()
      world.neverAnswers = { if case .http = $0 { true } else { false } }
      let run = try ScriptRun(
        numbers + """
          lookahead.spawn(function() lookahead.http.get("http://a/") end)
          for item in numbers(50):items() do lookahead.http.get("http://a/") end
          """, in: world)
      run.interrupt()
      workflow = run.workflow
    }

    #expect(workflow == nil)
  }

  @Test func `a turn that did much leaves no room behind in those that do little`() throws {
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/scripts")
    options.observe = { _ in }
    let script =
      "for n = 1, 1000 do lookahead.spawn(function() lookahead.sleep(1) lookahead.sleep(1) end) end"
    let workflow = try Workflow(text: script, options: options)

    let many = workflow.handle(.started, at: .zero)
    guard case .call(let first, .sleep)? = many.first else { return #expect(Bool(false)) }
    let few = workflow.handle(.replied(first, .done), at: .zero + .seconds(1))

    #expect(many.count == 1000)
    #expect(few.count == 1)
    #expect(few.capacity < 16)
  }
}
