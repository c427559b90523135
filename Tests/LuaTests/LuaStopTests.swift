import Foundation
import Lua
import Testing

@Suite struct LuaStopTests {
  let state = LuaState()

  init() { state.define("wait") { _ in .waits } }

  @Test func `a stop from another thread ends what runs`() throws {
    let isRunning = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let state = state
    state.define("begin") { _ in
      isRunning.signal()
      return .nothing
    }
    Thread {
      isRunning.wait()
      state.stop()
    }.start()

    #expect(
      guarded("stop") { state.failure(of: "begin() while true do end") }?.kind == .stopped(.interrupted))
  }

  @Test func `a stop while the host runs holds when the script goes on`() throws {
    let state = state
    state.define("host") { [unowned state] _ in
      state.stop()
      return .nothing
    }
    let error = state.failure(of: "pcall(host) reached = true")

    #expect(error?.kind == .stopped(.interrupted))
    state.clearStop()
    #expect(try state.run("return reached") == .nil)
  }

  @Test func `nothing runs while a stop holds`() throws {
    let coroutine = try state.coroutine(
      "local x <close> = setmetatable({}, { __close = function() closed = true end }) wait()")
    _ = coroutine.start(arguments: 0)
    let policy = try state.reference(to: "function() return 1 end")
    let view = LuaView(state, names: [])
    state.stop()

    #expect(state.failure(of: "ran = true")?.kind == .stopped(.interrupted))
    #expect(throws: LuaError.self) {
      try state.callPolicy(policy, view: view, parameters: policy, instructions: 0)
    }
    #expect(coroutine.answer(.nil).error?.kind == .stopped(.interrupted))
    #expect(state.stack.count == 0)
    #expect(state.isStopped)
    state.clearStop()
    #expect(try state.run("return ran or closed") == .nil)
  }

  @Test func `a coroutine that waits outlives a stop that was cleared`() throws {
    let coroutine = try state.coroutine("return wait() + 1")
    _ = coroutine.start(arguments: 0)
    state.stop()
    _ = state.failure(of: "return 1")
    state.clearStop()

    guard case .finished(1) = coroutine.answer(.integer(1)) else { return #expect(Bool(false)) }
    #expect(coroutine.stack.value(at: -1) == .integer(2))
  }

  @Test func `coroutines that were armed run freely after the stop`() throws {
    let state = state
    state.define("host") { [unowned state] _ in
      state.stop()
      return .nothing
    }
    try state.run(
      """
      made = {}
      for i = 1, 10 do
        made[i] = coroutine.wrap(function() coroutine.yield() pcall(host) end)
        made[i]()
      end
      other = coroutine.wrap(function() for i = 1, 10 do coroutine.yield(i) end end)
      """)
    for number in 1...10 {
      #expect(state.failure(of: "made[\(number)]()")?.kind == .stopped(.interrupted))
      state.clearStop()
      #expect(try state.run("return other()") == .integer(Int64(number)))
    }
    #expect(try state.run("return coroutine.wrap(function() return 5 end)()") == .integer(5))
  }

  @Test func `a stop has the traceback of what was stopped`() throws {
    state.setBudget(LuaBudget(burst: .milliseconds(50)))
    let text = "local function spin()\n while true do end\nend\nspin()"

    #expect(
      guarded(text) { state.failure(of: text) }?.traceback.contains("test.lua:4: in main chunk") == true)
    state.clearStop()
    let coroutine = try state.coroutine(text)
    #expect(guarded(text) { coroutine.start(arguments: 0).error }?.traceback.contains("test.lua:4:") == true)
  }

  @Test func `time is counted between two waits, not in all, unless there is a total`() throws {
    let text = "for i = 1, 100 do for i = 1, 500000 do end wait() end return 'done'"
    state.setBudget(LuaBudget(burst: .seconds(60), total: .milliseconds(30)))
    let coroutine = try state.coroutine(text)
    let error = guarded(text) { #expect(throws: LuaError.self) { try coroutine.finish() } }
    #expect(error?.kind == .stopped(.time))

    state.clearStop()
    state.setBudget(LuaBudget(burst: .seconds(60)))
    #expect(try state.coroutine(text).finish() == .string("done"))
  }

  @Test func `many states are watched at once`() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let state = LuaState()
      state.setBudget(LuaBudget(burst: .milliseconds(30)))
      for _ in 0..<3 {
        #expect(
          guarded("loop") { state.failure(of: "while true do pcall(function() while true do end end) end") }
            != nil)
        state.clearStop()
      }
    }
  }

  @Test func `one state may run another`() throws {
    let inner = LuaState()
    inner.setBudget(LuaBudget(burst: .milliseconds(30)))
    state.setBudget(LuaBudget(burst: .seconds(60)))
    state.define("run") { call in
      call.stack.push(inner.failure(of: "while true do end")?.kind == .stopped(.time))
      return .results(1)
    }

    #expect(try guarded("inner") { try state.run("return run()") } == .boolean(true))
  }

  #if os(Linux)
    @Test func `a script that is stuck in one call of the library is reported`() async {
      await #expect(processExitsWith: .exitCode(130)) {
        alarm(100)
        let state = LuaState()
        state.setBudget(LuaBudget(burst: .milliseconds(20), grace: .milliseconds(50))) { exit(130) }
        try state.run("('a'):rep(60):find(('a-'):rep(20) .. 'b')")
      }
    }
  #endif
}
