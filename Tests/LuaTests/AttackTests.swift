import Lua
import Testing

/// A script that tries to go on for ever.
struct Attack: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  var testDescription: String { name }

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Run before each: what was there before the stop.
  static let preparation = """
    function forever() while true do end end
    function closing() return setmetatable({}, { __close = forever }) end
    before = coroutine.wrap(forever)
    suspended = coroutine.create(function() local x <close> = closing() coroutine.yield() end)
    coroutine.resume(suspended)
    """

  static let all = [
    Attack("a loop", "while true do end"),
    Attack("a loop of goto", "::again:: goto again"),
    Attack("a tail call", "local function f() return f() end f()"),
    Attack("pcall of a loop", "while true do pcall(forever) end"),
    Attack("pcall of errors", "while true do pcall(error) end"),
    Attack("pcall in pcall", "local function f() while true do pcall(f) end end f()"),
    Attack("a handler that loops", "xpcall(error, forever)"),
    Attack("a handler of a loop that loops", "while true do xpcall(forever, forever) end"),
    Attack("a coroutine made before", "before()"),
    Attack("a coroutine made now", "coroutine.wrap(forever)()"),
    Attack("coroutines under pcall", "while true do pcall(coroutine.wrap(forever)) end"),
    Attack(
      "coroutines in coroutines",
      "coroutine.wrap(function() while true do pcall(coroutine.wrap(forever)) end end)()"),
    Attack("resume without end", "while true do coroutine.resume(coroutine.create(forever)) end"),
    Attack(
      "coroutines that yield",
      "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end"),
    Attack("a comparison", "table.sort({ 3, 2, 1 }, forever)"),
    Attack("a replacement", "while true do pcall(string.gsub, 'abc', '.', forever) end"),
    Attack(
      "a replacement that is a library function",
      "while true do string.gsub(('x'):rep(1000), '.', string.upper) end"),
    Attack(
      "a comparison in a coroutine", "coroutine.wrap(function() table.sort({ 3, 2, 1 }, forever) end)()"),
    Attack("closing at the end", "local x <close> = closing()"),
    Attack("closing when it is stopped", "local x <close> = closing() forever()"),
    Attack("closing many", "local a <close> = closing() local b <close> = closing() forever()"),
    Attack("closing a coroutine", "coroutine.close(suspended)"),
    Attack(
      "closing a coroutine that failed",
      "coroutine.wrap(function() local x <close> = closing() error() end)()"),
    Attack(
      "closing after a comparison",
      "local x <close> = closing() table.sort({ 3, 2, 1 }, forever)"),
    Attack(
      "closing a coroutine after a comparison",
      "coroutine.wrap(function() local x <close> = closing() table.sort({ 3, 2, 1 }, forever) end)()"),
    Attack("__index", "return setmetatable({}, { __index = forever }).x"),
    Attack("__eq", "return setmetatable({}, { __eq = forever }) == setmetatable({}, {})"),
    Attack("__tostring", "tostring(setmetatable({}, { __tostring = forever }))"),
    Attack("__concat", "return setmetatable({}, { __concat = forever }) .. ''"),
    Attack(
      "a chain of __index",
      "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end while true do pcall(function() return t[1] end) end"
    ),
    Attack(
      "concat through __index",
      "table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, 1 << 60)"),
    Attack(
      "concat through a library function",
      "table.concat(setmetatable({}, { __index = rawlen }), '', 1, 1 << 60)"),
    Attack("a reader", "load(function() return ' ' end)"),
    Attack("a reader that is a library function", "load(math.random)"),
    Attack("an iterator", "for _ in function() return 1 end do end"),
    Attack("garbage", "while true do local t = {} for i = 1, 1000 do t[i] = { i } end end"),
    Attack("texts", "while true do local s = ('x'):rep(100000) .. 'y' end"),
    Attack("sorting", "local t = {} for i = 1, 1000 do t[i] = i % 7 end while true do table.sort(t) end"),
  ]
}

@Suite struct AttackTests {
  /// A state with little time, and the attack's tools.
  private func prepared() throws -> LuaState {
    let state = LuaState()
    try state.run(Attack.preparation)
    state.setBudget(LuaBudget(memory: 64 << 20, burst: .milliseconds(30)))
    return state
  }

  private func works(_ state: LuaState) throws {
    state.clearStop()
    state.setBudget(LuaBudget())
    #expect(try state.run("local n = 0 for i = 1, 1000 do n = n + i end return n") == .integer(500_500))
    #expect(try state.coroutine("return select(2, pcall(error, 'x', 0))").finish() == .string("x"))
    #expect(state.stack.count == 0)
  }

  @Test(arguments: Attack.all) func `a call is stopped, and the state works again`(_ attack: Attack) throws {
    let state = try prepared()
    let error = guarded(attack.name) { state.failure(of: attack.text) }

    #expect(error?.kind == .stopped(.time))
    try works(state)
  }

  @Test(arguments: Attack.all) func `a coroutine is stopped, and the state works again`(_ attack: Attack)
    throws
  {
    let state = try prepared()
    let coroutine = try state.coroutine(attack.text)
    let error = guarded(attack.name) { coroutine.start(arguments: 0).error }

    #expect(error?.kind == .stopped(.time))
    try works(state)
  }

  @Test(arguments: Attack.all) func `a coroutine that has waited is stopped as well`(_ attack: Attack) throws
  {
    let state = try prepared()
    state.define("wait") { _ in .waits }
    let coroutine = try state.coroutine("pcall(wait) coroutine.wrap(wait)() " + attack.text)
    let error = guarded(attack.name) { #expect(throws: LuaError.self) { try coroutine.finish() } }

    #expect(error?.kind == .stopped(.time))
    try works(state)
  }

  @Test func `an error that cannot be shown in time is still an error`() throws {
    let state = try prepared()
    let text = "error(setmetatable({}, { __tostring = forever }))"
    let error = guarded(text) { state.failure(of: text) }

    #expect(error?.message == "(a table that cannot be shown)")
    #expect(state.failure(of: "return 1")?.kind == .stopped(.time))
    try works(state)
  }

  @Test func `a coroutine that was stopped is never closed later`() throws {
    let state = try prepared()
    let text = """
      kept = coroutine.create(function()
        local x <close> = closing()
        table.sort({ 1, 2, 3 }, forever)
      end)
      coroutine.resume(kept)
      """
    _ = guarded(text) { state.failure(of: text) }
    state.clearStop()

    #expect(try state.run("return select(2, coroutine.close(kept))") == .string("the coroutine was stopped"))
  }
}
