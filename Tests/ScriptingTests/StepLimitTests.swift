import Items
import Paging
import Scripting
import Testing

/// Where a limit ends a run with steps.
@Suite struct StepLimitTests {
  private func run(_ script: String, limit: Int) throws -> ScriptRun {
    try ScriptRun(script, in: .remembering()) {
      $0.remembers = true
      $0.limit = limit
    }
  }

  @Test(arguments: [3, 5, 9])
  func `what a step has brought until the limit is in the output, and the step is not over`(limit: Int) throws
  {
    for rest in ["", "lookahead.sleep(0.1)"] {
      let run = try run(
        "lookahead.step('a', function() for id = 1, 10 do lookahead.emit { id = id } \(rest) end end)",
        limit: limit)

      #expect(run.items() == (1...limit).map { "{\"id\":\($0)}" })
      #expect(run.world.ends(ofStep: 1) == [.cut])
      #expect(run.statistics.items == limit)
      #expect(run.failure == nil && run.isFinished && !run.workflow.coverage.isWhole)
    }
  }

  @Test(arguments: [10, 11])
  func `a step that ends with the limit is over`(limit: Int) throws {
    let run = try run(
      "lookahead.step('a', function() for id = 1, 10 do lookahead.emit { id = id } end return 1 end)",
      limit: limit)

    #expect(run.items().count == 10)
    #expect(run.world.ends(ofStep: 1) == [.over(Bytes("1"))])
    #expect(run.statistics.items == 10)
    #expect(run.failure == nil && run.isFinished)
  }

  /// All in one moment: an item of the step, those of another task, and the end of the step.
  @Test func `a step of which the limit cuts nothing is over, whatever comes before its end`() throws {
    let run = try run(
      """
      local latch = lookahead.spawn(function() lookahead.sleep(100) end)
      local helper = lookahead.spawn(function()
        pcall(latch.wait, latch)
        for id = 11, 20 do lookahead.emit { id = id } end
      end)
      lookahead.step("a", function()
        lookahead.emit { id = 1 }
        latch:cancel()
        helper:wait()
      end)
      """, limit: 4)

    #expect(run.items() == [1, 11, 12, 13].map { "{\"id\":\($0)}" })
    #expect(run.world.ends(ofStep: 1) == [.over(Bytes("null"))])
    #expect(run.statistics.items == 4)
  }

  @Test func `all steps under way are cut by a limit, and what all of them brought counts`() throws {
    let run = try run(
      """
      lookahead.each({ 1, 2, 3 }, { key = function(n) return n end }, function(n)
        for place = 1, 5 do lookahead.emit { id = n * 10 + place } lookahead.sleep(1) end
      end)
      """, limit: 7)

    #expect(run.items().count == 7)
    for id in 1...3 { #expect(run.world.ends(ofStep: id) == [.cut]) }
    #expect(run.statistics.items == 7)
    #expect(run.seconds == 2)
  }

  @Test func `items of a step that has failed do not count`() throws {
    let run = try run(
      """
      pcall(lookahead.step, "a", function()
        for id = 1, 8 do lookahead.emit { id = id } end
        lookahead.sleep(1)
        error("no")
      end)
      for id = 101, 110 do lookahead.emit { id = id } end
      """, limit: 9)

    let kept = run.world.deliveries.filter { $0.delivery.step == nil }.flatMap { $0.delivery.items }
    #expect(kept.map(\.bytes.string) == (101...109).map { "{\"id\":\($0)}" })
    #expect(run.world.ends(ofStep: 1) == [])
    #expect(run.statistics.items == 9)
  }

  @Test func `items of a step that was cancelled and begun again count once`() throws {
    let run = try run(
      """
      local isSlow = true
      local function work()
        lookahead.step("a", function() lookahead.emit { id = 1 } if isSlow then lookahead.sleep(5) end end)
      end
      pcall(lookahead.all, { work, function() lookahead.sleep(1) error("other") end })
      isSlow = false
      work()
      lookahead.emit { id = 2 }
      """, limit: 3)

    #expect(run.statistics.items == 2)
    #expect(run.failure == nil && run.isFinished)
    #expect(run.world.ends(ofStep: 1) == [.over(Bytes("null"))])
  }

  @Test func `a step without end is cut by a limit`() throws {
    let run = try run(
      """
      lookahead.step("a", function()
        local id = 0
        while true do id = id + 1 lookahead.emit { id = id } end
      end)
      """, limit: 5)

    #expect(run.items().count == 5)
    #expect(run.world.ends(ofStep: 1) == [.cut])
    #expect(run.failure == nil && run.isFinished)
  }

  /// As it is closed, a task may emit once more.
  @Test func `nothing is sent behind a limit`() throws {
    let run = try run(
      """
      local guard <close> = setmetatable({}, { __close = function() lookahead.emit({ id = 3 }, "late") end })
      lookahead.emit { id = 1 }
      lookahead.emit { id = 2 }
      lookahead.sleep(1)
      """, limit: 2)

    #expect(run.world.deliveries.map(\.delivery.itemCount) == [2])
  }
}
