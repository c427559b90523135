import Lua
import Testing

@Suite struct LuaCoroutineTests {
  let state = LuaState()

  init() { state.define("wait") { _ in .waits } }

  @Test func `a coroutine gives its results`() throws {
    let coroutine = try state.coroutine("local a = ... return a + 1, 'b'")
    coroutine.stack.push(1)

    guard case .finished(2) = coroutine.start(arguments: 1) else { return #expect(Bool(false)) }
    #expect(coroutine.stack.value(at: -2) == .integer(2))
    #expect(coroutine.stack.value(at: -1) == .string("b"))
  }

  @Test func `answers come as the results of the call that waited`() throws {
    let text = "local sum = 0 for i = 1, 10 do sum = sum + wait() end return sum"

    #expect(try state.coroutine(text).finish() == .integer(55))
  }

  @Test func `a generator that waits keeps its place`() throws {
    let text = """
      local function numbers() for i = 1, 3 do coroutine.yield(i * 100 + wait()) end end
      local list = {}
      for v in coroutine.wrap(numbers) do list[#list + 1] = v + wait() end
      return table.concat(list, ' ')
      """

    #expect(try state.coroutine(text).finish() == .string("103 207 311"))
  }

  @Test func `an answer that is an error is raised at the call that waited`() throws {
    let coroutine = try state.coroutine("local ok, e = pcall(wait) return e")
    _ = coroutine.start(arguments: 0)

    guard case .finished(1) = coroutine.fail("no network") else { return #expect(Bool(false)) }
    #expect(coroutine.stack.value(at: -1) == .string("no network"))
  }

  @Test func `an error table learns where it was asked for`() throws {
    let coroutine = try state.coroutine("\nwait()")
    _ = coroutine.start(arguments: 0)

    let progress = coroutine.resume(
      { _ throws(LuaError) in throw LuaError(.runtime, "refused", code: "network") },
      pushError: { error, stack in
        stack.pushTable()
        stack.setField("message", of: -1, to: .string(error.message))
      })

    #expect(progress.error?.message == "test.lua:2: refused")
  }

  @Test func `an error has the traceback of the coroutine`() throws {
    let coroutine = try state.coroutine("local function f()\n error('boom') end\nf()")
    let error = coroutine.start(arguments: 0).error

    #expect(error?.message == "test.lua:2: boom")
    #expect(error?.traceback.contains("test.lua:3: in main chunk") == true)
  }

  @Test func `an error of nested generators keeps its message and place`() throws {
    let text = """
      local inner = coroutine.wrap(function() wait() error('deep') end)
      local outer = coroutine.wrap(function() inner() end)
      outer()
      """
    let coroutine = try state.coroutine(text)
    _ = coroutine.start(arguments: 0)

    #expect(coroutine.answer(.nil).error?.message == "test.lua:1: deep")
  }

  @Test func `cancelling while it waits closes what is to be closed`() throws {
    let coroutine = try state.coroutine(
      """
      closed = 0
      local function closing() return setmetatable({}, { __close = function() closed = closed + 1 end }) end
      local a <close> = closing()
      pcall(function() local b <close> = closing() wait() closed = 100 end)
      closed = 200
      """)
    _ = coroutine.start(arguments: 0)

    coroutine.cancel()

    #expect(try state.run("return closed") == .integer(2))
  }

  @Test func `a failure closes what is to be closed`() throws {
    let coroutine = try state.coroutine(
      "local a <close> = setmetatable({}, { __close = function() closed = true end }) error('x')")

    #expect(coroutine.start(arguments: 0).error?.message == "test.lua:1: x")
    #expect(try state.run("return closed") == .boolean(true))
  }

  @Test func `a wait while closing is refused, and an error while closing harms nothing`() throws {
    state.define("ask") { call in
      guard call.canWait else { throw call.cannotWait }
      return .waits
    }
    let coroutine = try state.coroutine(
      """
      local a <close> = setmetatable({}, { __close = function() told = select(2, pcall(ask)) error('x') end })
      wait()
      """)
    _ = coroutine.start(arguments: 0)

    coroutine.cancel()

    #expect(try state.run("return told:find('not possible here') ~= nil") == .boolean(true))
  }

  @Test func `a stray yield ends the coroutine with the reason`() throws {
    let error = try state.coroutine("coroutine.yield(1)").start(arguments: 0).error

    #expect(error?.message == "coroutine.yield was called outside of a coroutine of the script's own")
  }

  @Test func `a deep recursion in a coroutine is an error like any other`() throws {
    let error = try state.coroutine("local function f() return 1 + f() end f()").start(arguments: 0).error

    #expect(error?.kind == .runtime)
    #expect(error?.message.contains("stack overflow") == true)
    #expect(error?.traceback.contains("test.lua:1") == true)
  }

  @Test func `many wait at once and end in any order`() throws {
    let coroutines = try (0..<100).map { _ in try state.coroutine("return wait() * 2") }
    for coroutine in coroutines { _ = coroutine.start(arguments: 0) }

    let results = coroutines.indices.reversed().map { index in
      _ = coroutines[index].answer(.integer(Int64(index)))
      return coroutines[index].stack.integer(at: -1)
    }

    #expect(results == (0..<100).reversed().map { Int64($0 * 2) })
  }

  @Test func `what a coroutine leaves is nothing to those that run after it`() throws {
    for count in [0, 1, 100] {
      let text = "local t = {} for i = 1, \(count) do t[i] = i end return table.unpack(t)"
      guard case .finished(count) = try state.coroutine(text).start(arguments: 0) else {
        return #expect(Bool(false))
      }
      #expect(try state.coroutine("return select('#', ...)").finish() == .integer(0))
    }
  }

  @Test func `a script that keeps its coroutine never meets it again`() throws {
    let text = """
      seen = seen or {}
      local mine = coroutine.running()
      local wasSeen = seen[mine] or false
      seen[mine] = true
      return wasSeen
      """

    for _ in 1...100 { #expect(try state.coroutine(text).finish() == .boolean(false)) }
  }

  @Test func `one that failed, and one that was cancelled, run nothing else`() throws {
    for text in ["error('boom')", "wait() error('boom')"] {
      let failed = try state.coroutine("kept = kept or {} " + text)
      var progress = failed.start(arguments: 0)
      if progress.isWaiting { progress = failed.answer(.nil) }
      #expect(progress.error != nil)
    }
    let cancelled = try state.coroutine(
      "local t <close> = setmetatable({}, { __close = function() closed = true end }) wait()")
    _ = cancelled.start(arguments: 0)
    cancelled.cancel()

    #expect(try (1...3).map { try state.coroutine("return \($0)").finish() } == (1...3).map { .integer($0) })
    #expect(try state.run("return closed") == .boolean(true))
  }

  @Test func `hundreds that wait at once run hundreds again`() throws {
    for round in 1...3 {
      let coroutines = try (0..<300).map { _ in
        try state.coroutine("local kept = wait() return kept + wait()")
      }
      for coroutine in coroutines { _ = coroutine.start(arguments: 0) }
      for (number, coroutine) in coroutines.enumerated() { _ = coroutine.answer(.integer(Int64(number))) }

      let sums = coroutines.map { coroutine in
        _ = coroutine.answer(.integer(Int64(round)))
        return coroutine.stack.integer(at: -1)
      }

      #expect(sums == (0..<300).map { Int64($0 + round) })
    }
  }
}
