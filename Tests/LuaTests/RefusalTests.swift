import Lua
import Testing

/// A script that is refused at once, with a reason.
struct Refusal: Sendable, CustomTestStringConvertible {
  let text: String
  let reason: String
  var testDescription: String { text }

  init(_ text: String, _ reason: String) {
    self.text = text
    self.reason = reason
  }

  static let all = [
    Refusal("setmetatable({}, { __gc = print })", "__gc is not available to scripts"),
    Refusal("setmetatable({}, { __gc = false })", "__gc is not available to scripts"),
    Refusal("string.rep('x', 1 << 60)", "resulting string too large"),
    Refusal("('x'):rep(1 << 60)", "resulting string too large"),
    Refusal("('x'):rep(60, ('y'):rep(20000000))", "resulting string too large"),
    Refusal("table.move({}, 1, 1 << 60, 2)", "too many elements to move"),
    Refusal("table.move({}, math.mininteger, math.maxinteger, 2)", "too many elements to move"),
    Refusal(
      "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)",
      "the list is too long"),
    Refusal(
      "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)", "the list is too long"),
    Refusal("table.unpack({}, 1, 1 << 40)", "too many results to unpack"),
    Refusal("assert(load('\\27Lua'))", "attempt to load a binary chunk"),
    Refusal("assert(load('\\27Lua', 'n', 'b'))", "attempt to load a binary chunk"),
    Refusal("assert(load('\\27Lua', 'n', 'bt'))", "attempt to load a binary chunk"),
    Refusal("string.dump(print)", "attempt to call a nil value"),
    Refusal("getmetatable('').__index.rep = nil", "attempt to index a boolean value"),
    Refusal("setmetatable('', {})", "table expected"),
    Refusal("collectgarbage('stop')", "the host steers the collector"),
    Refusal("local function f() return 1 + f() end f()", "stack overflow"),
    Refusal("assert(load(('('):rep(1000000)))", "overflow"),
    Refusal("assert(load(('a='):rep(1000) .. ('{'):rep(1000000)))", ""),
    Refusal("('x'):rep(300000):match(('(.-)'):rep(40))", "too many captures"),
    Refusal("local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x", "loop"),
    Refusal("string.format('%200d', 1)", "invalid conversion"),
    Refusal("os.exit()", "attempt to call a nil value"),
    Refusal("require('os')", "attempt to call a nil value"),
    Refusal("io.open('x')", "attempt to index a nil value"),
  ]
}

@Suite struct RefusalTests {
  let state = LuaState()

  @Test(arguments: Refusal.all) func `it is refused at once`(_ refusal: Refusal) throws {
    state.setBudget(LuaBudget(memory: 256 << 20))
    let error = guarded(refusal.text) { state.failure(of: refusal.text) }

    #expect(error?.kind == .runtime)
    #expect(error?.message.contains(refusal.reason) == true, "\(error?.message ?? "no error")")
    #expect(try state.coroutine(refusal.text).start(arguments: 0).error != nil)
  }

  @Test func `an empty text may be repeated without end`() throws {
    #expect(try state.run("return #string.rep('', 1 << 60)") == .integer(0))
  }

  @Test func `what is loaded has the script's own globals`() throws {
    #expect(try state.run("x = 5 return load('return x')()") == .integer(5))
    #expect(try state.run("return load('return _ENV')() == _G") == .boolean(true))
    #expect(try state.run("return load('return print', 'n', 't', {})()") == .nil)
    #expect(try state.run("return load('return 1', 'n', 't', nil) ~= nil") == .boolean(true))
  }

  @Test func `__gc that comes later has no effect`() throws {
    try state.run("local m = {} setmetatable({}, m) m.__gc = function() collected = true end")
    state.collect()

    #expect(try state.run("return collected") == .nil)
  }
}
