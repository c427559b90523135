import Lua
import Testing

@Suite struct HostFunctionTests {
  let state = LuaState()

  private struct Trouble: Error {}

  @Test func `results are what was pushed`() throws {
    state.define("sum") { call in
      call.stack.push((call.stack.integer(at: 1) ?? 0) + (call.stack.integer(at: 2) ?? 0))
      call.stack.push("and more")
      return .results(2)
    }

    #expect(try state.run("local a, b = sum(2, 3) return a .. b") == .string("5and more"))
  }

  @Test func `a misuse is raised at the line of the caller`() throws {
    state.define("f") { _ in throw HostFunctionError.misuse("f: a number was expected") }

    #expect(state.failure(of: "local x\n\nf()")?.message == "test.lua:3: f: a number was expected")
  }

  @Test func `an error value is raised as it is`() throws {
    state.define("f") { call in
      call.stack.pushTable()
      call.stack.setField("code", of: -1, to: .string("denied"))
      throw HostFunctionError.value
    }

    #expect(try state.run("local ok, e = pcall(f) return e.code") == .string("denied"))
    #expect(state.failure(of: "f()")?.code == "denied")
  }

  @Test func `any other error names the function`() throws {
    state.define("f") { _ in throw Trouble() }

    #expect(state.failure(of: "f()")?.message.hasPrefix("test.lua:1: f: Trouble") == true)
  }

  @Test func `an error of a script that the host called keeps its place`() throws {
    let state = state
    state.define("f") { [unowned state] _ in
      try state.run("error('inside')")
      return .nothing
    }

    #expect(state.failure(of: "\n\nf()")?.message == "test.lua:1: inside")
  }

  @Test func `an error that passes a thousand calls releases a thousand objects`() throws {
    let tally = Tally()
    state.define("f") { _ in
      let token = Token(tally)
      try withExtendedLifetime(token) { throw Trouble() }
      return .nothing
    }

    try state.run("for i = 1, 1000 do pcall(f) end")

    #expect(tally.living == 0)
  }

  @Test func `closing the state frees every host function`() throws {
    let tally = Tally()
    var state: LuaState? = LuaState()
    for number in 0..<10 {
      let token = Token(tally)
      state?.define("f\(number)") { _ in
        withExtendedLifetime(token) {}
        return .nothing
      }
    }
    #expect(tally.living == 10)

    state = nil

    #expect(tally.living == 0)
  }

  @Test func `a host function can be called from a host function`() throws {
    let state = state
    state.define("inner") { call in
      call.stack.push(7)
      return .results(1)
    }
    state.define("outer") { [unowned state] call in
      call.stack.push(try state.run("return inner() * 2") ?? .nil)
      return .results(1)
    }

    #expect(try state.run("return outer()") == .integer(14))
    #expect(try state.coroutine("return outer()").finish() == .integer(14))
  }

  @Test func `a hundred results are fine when room was reserved`() throws {
    state.define("many") { call in
      guard call.stack.reserve(100) else { return .nothing }
      for number in 1...100 { call.stack.push(number) }
      return .results(100)
    }

    #expect(try state.run("return select('#', many())") == .integer(100))
  }
}
