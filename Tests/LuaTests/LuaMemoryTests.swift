import Lua
import Testing

@Suite struct LuaMemoryTests {
  let state = LuaState()

  init() { state.setBudget(LuaBudget(memory: 16 << 20)) }

  private static let growth = "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(100) .. i end"

  @Test func `growth is refused, and the state works again`() throws {
    let error = guarded("growth") { state.failure(of: Self.growth) }
    state.collect()

    #expect(error?.message == "not enough memory")
    #expect(state.memoryUsed < 1 << 20)
    #expect(try state.run("return #('x'):rep(1000)") == .integer(1000))
  }

  @Test func `growth in a coroutine is refused as well`() throws {
    let coroutine = try state.coroutine(Self.growth)

    #expect(guarded("growth") { coroutine.start(arguments: 0).error }?.message == "not enough memory")
  }

  @Test func `a script may catch the refusal and go on`() throws {
    let text =
      "local n = 0 for i = 1, 5 do if not pcall(function() \(Self.growth) end) then n = n + 1 end end return n"

    #expect(try guarded("growth") { try state.run(text) } == .integer(5))
  }

  @Test(arguments: [
    "while true do pcall(string.rep, 'x', 32 << 20) end",
    "while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end",
    "while true do coroutine.resume(coroutine.create(string.rep), 'x', 32 << 20) end",
  ]) func `a script that never takes no for an answer is stopped`(_ text: String) throws {
    state.setBudget(LuaBudget(memory: 16 << 20, burst: .seconds(1)))
    let error = guarded(text) { state.failure(of: text) }

    #expect(error?.kind == .stopped(.memory) || error?.kind == .stopped(.time))
    state.clearStop()
    #expect(try state.run("return 1") == .integer(1))
  }

  @Test func `the host is never refused`() throws {
    let bytes = [UInt8](repeating: 65, count: 1 << 20)
    for _ in 0..<40 { bytes.withUnsafeBytes { state.stack.push(bytes: $0) } }
    state.stack.pushTable(elements: 1 << 20)

    #expect(state.stack.count == 41)
    #expect(state.memoryUsed > 32 << 20)
  }

  @Test func `a host function is never refused while its script is`() throws {
    let bytes = [UInt8](repeating: 65, count: 4 << 20)
    state.define("big") { call in
      bytes.withUnsafeBytes { call.stack.push(bytes: $0) }
      return .results(1)
    }

    #expect(guarded("big") { state.failure(of: "local t = {} while true do t[#t + 1] = big() end") } != nil)
    #expect(state.stack.count == 0)
  }

  @Test func `loading is refused to a script that fills the memory`() throws {
    let text = "return '" + String(repeating: "x", count: 32 << 20) + "'"

    #expect(state.failure(of: text)?.message == "not enough memory")
    #expect(state.stack.count == 0)
  }
}
