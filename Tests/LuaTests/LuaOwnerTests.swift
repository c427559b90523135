import Lua
import Testing

@Suite struct LuaOwnerTests {
  let tally = Tally()

  @Test func `an owner is released when no script holds it any more`() throws {
    let state = LuaState()
    state.stack.push(owner: Token(tally))
    state.setGlobal("kept")
    state.collect()
    #expect(tally.living == 1)

    try state.run("kept = nil")
    state.collect()

    #expect(tally.living == 0)
  }

  @Test func `owners are released when the state is closed`() throws {
    var state: LuaState? = LuaState()
    for number in 0..<100 {
      state?.stack.push(owner: Token(tally))
      state?.setGlobal("kept\(number)")
    }

    state = nil

    #expect(tally.living == 0)
  }

  @Test func `the host finds its own object again and nothing else`() throws {
    let state = LuaState()
    let token = Token(tally)
    state.stack.push(owner: token)
    state.stack.push(1)
    state.stack.pushTable()

    #expect(state.stack.owner(at: 1) === token)
    #expect(state.stack.owner(at: 2) == nil)
    #expect(state.stack.owner(at: 3) == nil)
  }

  @Test func `a script sees nothing of an owner`() throws {
    let state = LuaState()
    state.stack.push(owner: Token(tally))
    state.setGlobal("kept")

    #expect(try state.run("return getmetatable(kept)") == .boolean(false))
    #expect(state.failure(of: "return kept.owner") != nil)
    #expect(state.failure(of: "setmetatable(kept, {})") != nil)
    #expect(state.failure(of: "getmetatable(kept).__gc(kept)") != nil)
  }

  @Test func `an owner that is released while a host function runs harms nothing`() throws {
    let state = LuaState()
    let tally = tally
    state.define("churn") { call in
      for _ in 0..<10 {
        call.stack.push(owner: Token(tally))
        call.stack.pop()
      }
      return .nothing
    }

    try state.run("for i = 1, 1000 do churn() local t = { i } end")
    state.collect()

    #expect(tally.living == 0)
  }
}
