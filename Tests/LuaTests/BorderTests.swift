import Lua
import Testing

/// What the host says wrongly of the stack reads as nothing, changes nothing, and is an error of the script in the end.
@Suite struct BorderTests {
  let state = LuaState()

  /// Uses of a value at index 1 as if it were a table.
  private static let uses: [(name: String, use: @Sendable (LuaStack) -> Void)] = [
    ("field", { $0.pushField("x", of: 1) }),
    ("element", { $0.pushElement(1, of: 1) }),
    ("length", { _ = $0.length(of: 1) }),
    ("pairs", { $0.forEachPair(of: 1) { _ in } }),
    ("pair count", { _ = $0.pairCount(of: 1) }),
    ("emptiness", { _ = $0.isEmptyTable(at: 1) }),
    ("keys", { _ = $0.keys(of: 1, LuaKeys.Wanted(prefix: "")) }),
    ("a field that is set", { $0.setField("x", of: 1, to: .integer(1)) }),
    (
      "an element that is set",
      {
        $0.push(1)
        $0.setElement(1, of: 1)
      }
    ),
    (
      "a metatable that is set",
      {
        $0.pushTable()
        $0.setMetatable(of: 1)
      }
    ),
    (
      "a key that is looked up",
      {
        $0.push("x")
        $0.pushRaw(of: 1)
      }
    ),
  ]

  @Test(arguments: [
    "12345678", "0x5f5f5f5f5f5f", "1.5", "'text'", "true", "print", "coroutine.create(print)", "nil",
  ])
  func `no value that is no table is taken for one`(_ value: String) throws {
    for (name, use) in Self.uses {
      state.define("try") { call in
        use(call.stack)
        return .nothing
      }

      let error = state.failure(of: "try(\(value))")

      #expect(error?.message.contains("the host expected a table, got") == true, "\(name)")
      #expect(state.stack.count == 0, "\(name)")
    }
  }

  @Test(arguments: [0, 2, 7, -2, -9, 1 << 20, Int(Int32.max), .max, .min])
  func `a place outside of the stack holds nothing`(_ place: Int) throws {
    state.define("try") { call in
      let stack = call.stack
      #expect(stack.count == 1)
      #expect(stack.isNil(at: place) && stack.string(at: place) == nil && stack.owner(at: place) == nil)
      #expect(stack.number(at: place) == nil && stack.integer(at: place) == nil && !stack.truth(at: place))
      #expect(stack.identity(at: place) == nil && stack.functionLines(at: place) == nil)
      #expect(stack.placeOfFunction(at: place) == "" && !stack.areSame(place, 1))
      stack.pushCopy(of: place)
      #expect(stack.isNil(at: -1))
      stack.pop(5)
      stack.truncate(to: 1000)
      stack.remove(at: place)
      stack.insert(at: place)
      return .nothing
    }

    #expect(state.failure(of: "try('value')") != nil)
    #expect(try state.run("return 1 + 1") == .integer(2))
  }

  @Test func `a fault ends the call that made it, and no other`() throws {
    state.define("wrong") { call in
      call.stack.pushField("x", of: 1)
      return .results(1)
    }
    state.define("right") { call in
      call.stack.push(7)
      return .results(1)
    }

    #expect(
      try state.run("local ok, message = pcall(wrong, 1) return message")
        == .string("test.lua:1: the host expected a table, got number"))
    #expect(try state.run("pcall(wrong, 1) return right()") == .integer(7))
    #expect(try state.run("return wrong({ x = 3 })") == .integer(3))
  }

  @Test func `a walk ends where its table was changed under it`() throws {
    state.define("walk") { call in
      call.stack.forEachPair(of: 1) { _ = $0.describe(at: -1) }
      return .nothing
    }
    let script = """
      local t = {}
      for i = 1, 40 do
        t["k" .. i] = setmetatable({}, { __tostring = function()
          for k in next, t do t[k] = nil end
          for j = 1, 200 do t["n" .. i .. j] = j end
          return "x"
        end })
      end
      local ok, message = pcall(walk, t)
      return message
      """

    #expect(try state.run(script) == .string("test.lua:9: the table was changed while the host read it"))
  }

  @Test func `memory is counted after a walk that went wrong`() throws {
    state.define("walk") { call in
      call.stack.forEachPair(of: 1) { _ = $0.describe(at: -1) }
      return .nothing
    }
    state.limitMemory(16 << 20)

    let script = """
      local t = {}
      for i = 1, 9 do t[i .. ""] = setmetatable({}, { __tostring = function() t[i .. ""] = nil error("x") end }) end
      pcall(walk, t)
      local held = {}
      for i = 1, 100000 do held[i] = ("x"):rep(10000) .. i end
      """

    #expect(state.failure(of: script)?.kind == .stopped(.memory))
    #expect(state.memoryUsed < 20 << 20)
  }

  @Test func `a host function may push as many values as it likes`() throws {
    state.define("many") { call in
      for number in 1...100_000 { call.stack.push(number) }
      return .results(100_000)
    }
    state.define("toomany") { call in
      for number in 1...1_100_000 { call.stack.push(number) }
      return .results(1)
    }

    #expect(try state.run("return select('#', many())") == .integer(100_000))
    #expect(state.failure(of: "toomany()")?.message.contains("stack overflow") == true)
    #expect(try state.run("return select('#', many())") == .integer(100_000))
  }
}
