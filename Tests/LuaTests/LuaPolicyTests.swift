import Lua
import Testing

@Suite struct LuaPolicyTests {
  let state = LuaState()
  let view: LuaView
  let nothing: LuaReference

  init() throws {
    view = LuaView(state, names: ["items"])
    nothing = try state.reference(to: "nil")
  }

  private func decide(_ body: String, instructions: Int = 10_000) throws {
    let policy = try state.reference(to: "function(view) \(body) end")
    try state.callPolicy(policy, view: view, parameters: nothing, instructions: instructions)
    state.stack.pop()
  }

  private func failure(_ body: String, instructions: Int = 10_000) -> LuaError? {
    guarded(body) {
      do {
        try decide(body, instructions: instructions)
        return nil
      } catch {
        return error as? LuaError
      }
    }
  }

  @Test(arguments: [
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "xpcall(function() while true do end end, function() while true do end end)",
    "coroutine.wrap(function() while true do end end)()",
    "while true do pcall(coroutine.wrap(function() while true do end end)) end",
    "while true do local c = coroutine.create(function() for i = 1, 50 do end end) coroutine.resume(c) end",
    "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
    "table.sort({ 1, 2, 3 }, function() while true do end end)",
    "local x <close> = setmetatable({}, { __close = function() while true do end end })",
    "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) error() end)()",
    "before()",
  ]) func `a policy without end is stopped`(_ body: String) throws {
    try state.run("before = coroutine.wrap(function() while true do end end)")

    #expect(failure(body)?.kind == .stopped(.instructions))
    #expect(!state.isStopped)
    #expect(state.stack.count == 0)
    #expect(failure("return 1") == nil)
  }

  @Test(arguments: [1, 999, 1000, 1500, 10_000, 12_345])
  func `a policy is stopped at the same place every time`(_ instructions: Int) throws {
    let places = (0..<5).map { _ in
      _ = failure("n = 0 while true do n = n + 1 end", instructions: instructions)
      return (try? state.run("return n")) ?? .nil
    }

    #expect(Set(places.map { "\($0)" }).count == 1)
  }

  @Test func `the budget is kept to the instruction`() throws {
    func passes(_ instructions: Int) -> Bool {
      failure("for i = 1, 1000 do end", instructions: instructions) == nil
    }
    let least = (1...1200).first(where: passes)

    #expect(least.map { (1000...1020).contains($0) } == true)
  }

  @Test func `a coroutine of a policy does not count elsewhere`() throws {
    try decide(
      "kept = coroutine.wrap(function() coroutine.yield() for i = 1, 100000 do end return 'done' end) kept()")

    #expect(try state.run("return kept()") == .string("done"))
  }

  @Test func `a coroutine that a policy was stopped in stays closed`() throws {
    let body = """
      kept = coroutine.create(function()
        local x <close> = setmetatable({}, { __close = function() while true do end end })
        table.sort({ 1, 2, 3 }, function() while true do end end)
      end)
      coroutine.resume(kept)
      """
    #expect(failure(body)?.kind == .stopped(.instructions))

    #expect(
      failure("local ok, e = coroutine.close(kept) error(e, 0)")?.message == "the coroutine was stopped")
    #expect(failure("error(select(2, coroutine.resume(kept)), 0)")?.message == "cannot resume dead coroutine")
  }

  @Test func `an error of a policy has its place and leaves the stack as it was`() throws {
    for _ in 0..<100 { #expect(failure("error('no')")?.message == "test.lua:1: no") }

    #expect(state.stack.count == 0)
  }

  @Test func `a policy cannot wait, nor can its coroutines`() throws {
    state.define("wait") { call in
      guard call.canWait else { throw call.cannotWait }
      return .waits
    }

    #expect(failure("wait()")?.message.contains("inside a policy") == true)
    #expect(failure("coroutine.wrap(wait)()")?.message.contains("inside a policy") == true)
  }

  @Test func `a policy may be asked while a script runs`() throws {
    let state = state
    let view = view
    let nothing = nothing
    let policy = try state.reference(to: "function(view) while true do end end")
    state.define("ask") { [unowned state] call in
      do throws(LuaError) {
        try state.callPolicy(policy, view: view, parameters: nothing, instructions: 5000)
      } catch {
        call.stack.push(error.kind == .stopped(.instructions))
      }
      return .results(1)
    }

    #expect(try state.run("local a = ask() for i = 1, 100000 do end return a and ask()") == .boolean(true))
    #expect(
      try state.coroutine("local a = ask() for i = 1, 100000 do end return a").finish() == .boolean(true))
  }
}
