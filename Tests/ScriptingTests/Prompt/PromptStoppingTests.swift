import Lua
import Paging
import Scripting
import Testing

@Suite struct PromptStoppingTests {
  @Test func `Ctrl-C ends a tight loop a hundred times, also inside pcall, and the state stays usable`()
    throws
  {
    let rig = try PromptRig()
    rig.enter("local count, deep = 0, function() pcall(function() while true do end end) end")

    for turn in 1...50 {
      for loop in ["while true do end", "while true do deep() end"] {
        let stopper = Stopper(rig)
        let line = rig.begin("count = count + 1 print('ready') \(loop)")
        stopper.end()

        #expect(line()?.failure?.kind == .stopped(.interrupted))
        rig.tell(.interrupted)
      }
      #expect(rig.shown("count") == ["\(2 * turn)"])
    }
    #expect(rig.failures == [])
  }

  @Test func `a stop in a task of its own ends the line as a stop, and nobody catches it`() throws {
    let rig = try PromptRig()
    let stopper = Stopper(rig)
    let line = rig.begin(
      "pcall(lookahead.all, { function() lookahead.sleep(50) end, function() print('ready') while true do end end })"
        + " print('caught')")
    stopper.end()
    rig.resume()

    #expect(line()?.failure?.kind == .stopped(.interrupted))
    #expect(rig.printed == ["ready"] && rig.failures == [])
  }

  @Test func `a line that waits is stopped with all that it began`() throws {
    let rig = try PromptRig()
    let line = rig.begin(
      "for _ = 1, 3 do lookahead.spawn(function() lookahead.sleep(50) print('late') end) end lookahead.sleep(100)"
    )

    rig.tell(.interrupted)
    rig.resume()

    #expect(line()?.failure?.message == "interrupted")
    #expect(rig.printed == [] && rig.failures == [])
    #expect(rig.shown("1") == ["1"])
  }

  @Test func `what an earlier line began goes on when a later one is stopped`() throws {
    let rig = try PromptRig()
    _ = rig.begin("task = lookahead.spawn(function() lookahead.sleep(50) return 7 end)")
    _ = rig.begin("lookahead.sleep(100)")

    rig.tell(.interrupted)

    #expect(rig.shown("task:wait()") == ["7"])
  }

  @Test func `variables to be closed are closed when a waiting line is stopped`() throws {
    let rig = try PromptRig()
    let line = rig.begin(
      "local c <close> = setmetatable({}, { __close = function() print('closed') end }) lookahead.sleep(100)")

    rig.tell(.interrupted)

    #expect(line() != nil)
    #expect(rig.printed == ["closed"])
  }

  @Test func `Ctrl-C where no line runs stops nothing`() throws {
    let rig = try PromptRig()

    rig.workflow.stopScript()
    rig.tell(.interrupted)
    rig.workflow.stopScript()

    #expect(rig.workflow.completeness(of: "1 +") == .incomplete)
    #expect(rig.shown("1") == ["1"])
    #expect(!rig.isFinished)
  }

  @Test func `where nobody sees the prompt, Ctrl-C between two lines ends the next; a limit ends its own`()
    throws
  {
    let rig = try PromptRig(burst: .milliseconds(50)) { $0.prompt?.keepsInterruptions = true }
    #expect(rig.enter("while true do end")?.failure?.kind == .stopped(.time))
    #expect(rig.shown("'alive'") == ["\"alive\""])

    rig.workflow.stopScript()
    _ = rig.workflow.completeness(of: "print('after')")

    #expect(rig.enter("print('after')")?.failure?.kind == .stopped(.interrupted))
    #expect(rig.printed == [])
  }

  @Test func `a line without memory gives it back, and the next has room`() throws {
    let rig = try PromptRig(memory: 20 << 20)

    let failure = rig.enter("held = {} for i = 1, 1e8 do held[i] = { i } end")?.failure
    #expect(failure?.kind == .stopped(.memory))
    #expect(rig.shown("held ~= nil") == ["true"])
    #expect(rig.enter("held = nil")?.failure?.message == nil)

    #expect(rig.shown("#string.rep('x', 4000000)") == ["4000000"])
    #expect(rig.workflow.memoryUsed < 20 << 20)
  }

  @Test func `a line that computes too long is stopped, and each has the whole time for itself`() throws {
    let rig = try PromptRig()

    for _ in 1...3 {
      rig.workflow.promptBudget.burst = .milliseconds(50)
      let failure = rig.enter("while true do pcall(function() while true do end end) end")?.failure
      #expect(failure?.kind == .stopped(.time))
      rig.workflow.promptBudget.burst = .zero
      #expect(rig.shown("'alive'") == ["\"alive\""])
    }
    rig.workflow.promptBudget.total = .seconds(2)
    #expect(rig.enter("while true do end")?.failure?.kind == .stopped(.time))
    #expect(rig.shown("'alive'") == ["\"alive\""])
  }

  @Test func `a line that stands still ends with the reason`() throws {
    let rig = try PromptRig()

    #expect(
      rig.shown("t = lookahead.spawn(function() t:wait() end) t:wait()")[0]
        .contains("the script stands still: its tasks wait for each other"))
    #expect(rig.shown("1") == ["1"])
  }

  @Test func `a line whose source stands still ends with the reason`() throws {
    let rig = try PromptRig(
      "local feed = lookahead.source { fetch = print, shouldBatchFetch = function() return false end }")

    #expect(rig.shown("for i in feed:items() do end")[0].hasPrefix("source 'feed' stands still"))
    #expect(rig.shown("1") == ["1"])
  }

  @Test func `an error that no line waits for is reported and not fatal`() throws {
    let rig = try PromptRig()

    _ = rig.begin("lookahead.spawn(function() error('at once', 0) end)")
    _ = rig.begin("lookahead.spawn(function() lookahead.sleep(5) error('later', 0) end)")
    rig.resume()
    _ = rig.shown("t = lookahead.spawn(function() error('taken', 0) end) pcall(t.wait, t)")

    #expect(rig.failures == ["at once", "later"])
    #expect(rig.shown("1") == ["1"])
  }

  @Test func `a stopped coroutine of the script may be kept`() throws {
    let rig = try PromptRig()
    rig.enter("co = coroutine.create(function() print('ready') while not done do end return 'out' end)")
    let stopper = Stopper(rig)

    _ = rig.begin("coroutine.resume(co)")
    stopper.end()
    rig.enter("done = true")

    #expect(rig.shown("coroutine.resume(co)").count > 0)
    #expect(rig.shown("1") == ["1"])
  }
}
