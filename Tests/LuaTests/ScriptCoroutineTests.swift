import Lua
import Testing

/// What the standard library says of coroutines, ours has to say as well.
struct CoroutineCase: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  let result: LuaValue
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ result: LuaValue) {
    self.name = name
    self.text = text
    self.result = result
  }

  static let all = [
    CoroutineCase(
      "resume of a dead one",
      "local c = coroutine.create(print) coroutine.close(c) return select(2, coroutine.resume(c))",
      .string("cannot resume dead coroutine")),
    CoroutineCase(
      "resume of one that failed",
      "local c = coroutine.create(error) coroutine.resume(c, 1) return select(2, coroutine.resume(c))",
      .string("cannot resume dead coroutine")),
    CoroutineCase(
      "resume of itself",
      "local c c = coroutine.create(function() return select(2, coroutine.resume(c)) end) return select(2, coroutine.resume(c))",
      .string("cannot resume non-suspended coroutine")),
    CoroutineCase(
      "resume of one that resumed us",
      """
      local a, b
      a = coroutine.create(function() return select(2, coroutine.resume(b)) end)
      b = coroutine.create(function() return select(2, coroutine.resume(a)) end)
      return select(2, coroutine.resume(a))
      """, .string("cannot resume non-suspended coroutine")),
    CoroutineCase(
      "wrap of a dead one has the caller's place",
      "local f = coroutine.wrap(function() end) f() return select(2, pcall(function() f() end))",
      .string("test.lua:1: cannot resume dead coroutine")),
    CoroutineCase(
      "wrap of one that failed",
      "local f = coroutine.wrap(error) pcall(f, 'x') return select(2, pcall(function() f() end))",
      .string("test.lua:1: cannot resume dead coroutine")),
    CoroutineCase(
      "wrap closes before it raises",
      """
      local closed
      local f = coroutine.wrap(function()
        local c <close> = setmetatable({}, { __close = function(_, e) closed = e end })
        error('x', 0)
      end)
      pcall(f)
      return closed
      """, .string("x")),
    CoroutineCase(
      "wrap raises what closing raised",
      """
      local f = coroutine.wrap(function()
        local c <close> = setmetatable({}, { __close = function() error('second', 0) end })
        error('first', 0)
      end)
      return select(2, pcall(f))
      """, .string("second")),
    CoroutineCase(
      "an error value of a coroutine is not changed",
      "local t = {} local _, e = coroutine.resume(coroutine.create(function() error(t) end)) return e == t",
      .boolean(true)),
    CoroutineCase(
      "close of a suspended one",
      "local c = coroutine.create(coroutine.yield) coroutine.resume(c) return coroutine.close(c) and coroutine.status(c)",
      .string("dead")),
    CoroutineCase(
      "close gives the error that closing raised",
      """
      local c = coroutine.create(function()
        local x <close> = setmetatable({}, { __close = function() error('shut', 0) end })
        coroutine.yield()
      end)
      coroutine.resume(c)
      return select(2, coroutine.close(c))
      """, .string("shut")),
    CoroutineCase(
      "close of the running one",
      "local c c = coroutine.create(function() return select(2, pcall(coroutine.close, c)) end) return select(2, coroutine.resume(c))",
      .string("cannot close a running coroutine")),
    CoroutineCase(
      "close of a normal one",
      """
      local a
      local b = coroutine.create(function() return select(2, pcall(coroutine.close, a)) end)
      a = coroutine.create(function() return select(2, coroutine.resume(b)) end)
      return select(2, coroutine.resume(a))
      """, .string("cannot close a normal coroutine")),
    CoroutineCase(
      "a for loop closes its generator",
      """
      local closed = 0
      local function numbers()
        local c = coroutine.create(function()
          local x <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
          for i = 1, 10 do coroutine.yield(i) end
        end)
        return function() return select(2, coroutine.resume(c)) end, nil, nil,
          setmetatable({}, { __close = function() coroutine.close(c) end })
      end
      for i in numbers() do if i == 3 then break end end
      return closed
      """, .integer(1)),
    CoroutineCase(
      "a wrapped generator in a for loop with something to close",
      """
      local log = ''
      local function closing(name) return setmetatable({}, { __close = function() log = log .. name end }) end
      local generator = coroutine.wrap(function()
        local x <close> = closing('x')
        for i = 1, 2 do coroutine.yield(i) end
      end)
      for i in generator, nil, nil, closing('y') do log = log .. i end
      return log
      """, .string("12xy")),
    CoroutineCase(
      "a coroutine without end of coroutines",
      "local function f() return coroutine.wrap(f)() end local ok, e = pcall(f) return (e:match('C stack overflow'))",
      .string("C stack overflow")),
    CoroutineCase(
      "resume needs a coroutine",
      "return select(2, pcall(function() coroutine.resume(1) end))",
      .string("test.lua:1: bad argument #1 to 'resume' (coroutine expected, got number)")),
  ]
}

@Suite struct ScriptCoroutineTests {
  @Test(arguments: CoroutineCase.all) func `a script's coroutines say what stock Lua says`(
    _ test: CoroutineCase
  )
    throws
  {
    let state = LuaState()

    #expect(try state.run(test.text) == test.result)
    #expect(try state.coroutine(test.text).finish() == test.result)
    #expect(state.stack.count == 0)
  }
}
