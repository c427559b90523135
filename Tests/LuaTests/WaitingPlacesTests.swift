import Lua
import Testing

/// Where in a script the host may be waited for.
struct WaitingPlace: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  var testDescription: String { name }

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Each gives 1, the first answer.
  static let possible = [
    WaitingPlace("a plain call", "return wait()"),
    WaitingPlace("pcall", "local _, v = pcall(wait) return v"),
    WaitingPlace("pcall in pcall", "local _, _, v = pcall(pcall, wait) return v"),
    WaitingPlace("xpcall", "local _, v = xpcall(wait, print) return v"),
    WaitingPlace("__index", "return setmetatable({}, { __index = function() return wait() end }).x"),
    WaitingPlace("__index as the host function", "return setmetatable({}, { __index = wait }).x"),
    WaitingPlace("__add", "return setmetatable({}, { __add = function() return wait() end }) + 1"),
    WaitingPlace(
      "__lt", "return setmetatable({}, { __lt = function() return wait() end }) < {} and 1"),
    WaitingPlace("__concat", "return setmetatable({}, { __concat = function() return wait() end }) .. ''"),
    WaitingPlace("__call", "return setmetatable({}, { __call = function() return wait() end })()"),
    WaitingPlace(
      "__close",
      "local v do local c <close> = setmetatable({}, { __close = function() v = wait() end }) end return v"),
    WaitingPlace(
      "__pairs",
      "for k in pairs(setmetatable({}, { __pairs = function() return next, { [wait()] = 1 } end })) do return k end"
    ),
    WaitingPlace("an iterator", "for v in wait do return v end"),
    WaitingPlace(
      "a wrapped generator", "for v in coroutine.wrap(function() coroutine.yield(wait()) end) do return v end"
    ),
    WaitingPlace(
      "two wrapped generators",
      """
      local inner = coroutine.wrap(function() coroutine.yield(wait()) end)
      return coroutine.wrap(function() coroutine.yield(inner()) end)()
      """),
    WaitingPlace(
      "a resumed coroutine",
      "local _, v = coroutine.resume(coroutine.create(function() return wait() end)) return v"),
    WaitingPlace(
      "pcall in a coroutine in pcall",
      "local _, v = pcall(coroutine.wrap(function() local _, v = pcall(wait) return v end)) return v"),
  ]

  static let impossible = [
    WaitingPlace("table.sort", "table.sort({ 2, 1 }, function() return wait() end)"),
    WaitingPlace("string.gsub", "string.gsub('a', 'a', function() return wait() end)"),
    WaitingPlace("a load reader", "assert(load(function() return wait() end))"),
    WaitingPlace(
      "__tostring", "tostring(setmetatable({}, { __tostring = function() return wait() end }))"),
    WaitingPlace(
      "__index under table.concat",
      "table.concat(setmetatable({}, { __index = function() return wait() end }), '', 1, 1)"),
    WaitingPlace(
      "an xpcall handler", "local _, e = xpcall(error, function() return wait() end) error(e, 0)"),
    WaitingPlace(
      "a coroutine under table.sort",
      "table.sort({ 2, 1 }, coroutine.wrap(function() while true do coroutine.yield(wait()) end end))"),
    WaitingPlace(
      "a coroutine of a coroutine under string.gsub",
      """
      local inner = coroutine.wrap(function() return wait() end)
      string.gsub('a', 'a', coroutine.wrap(function() return inner() end))
      """),
  ]
}

@Suite struct WaitingPlacesTests {
  let state = LuaState()

  init() {
    state.define("wait") { call in
      guard call.canWait else { throw call.cannotWait }
      return .waits
    }
  }

  @Test(arguments: WaitingPlace.possible) func `a wait passes through`(_ place: WaitingPlace) throws {
    #expect(try state.coroutine(place.text).finish() == .integer(1))
  }

  @Test(arguments: WaitingPlace.impossible) func `a wait is refused with the reason`(_ place: WaitingPlace)
    throws
  {
    let error = try state.coroutine(place.text).start(arguments: 0).error

    if place.name == "an xpcall handler" {
      #expect(error != nil)
    } else {
      #expect(error?.message.contains("wait waits, which is not possible here") == true)
    }
  }

  @Test func `a call from the host cannot wait`() throws {
    #expect(state.failure(of: "wait()")?.message.hasPrefix("test.lua:1: wait waits, which") == true)
  }

  @Test func `a coroutine that a call from the host made cannot wait`() throws {
    let error = state.failure(of: "coroutine.wrap(function() wait() end)()")

    #expect(error?.message.hasPrefix("test.lua:1: wait waits, which") == true)
  }

  @Test func `a coroutine may wait again after it was made where nothing can`() throws {
    try state.run("kept = coroutine.wrap(function() coroutine.yield(0) return wait() end) kept()")

    #expect(try state.coroutine("return kept()").finish() == .integer(1))
  }

  @Test func `a coroutine of the host may wait though it is started where nothing can`() throws {
    let state = state
    var inner: LuaCoroutine?
    var progress: LuaCoroutine.Progress?
    state.define("spawn") { [unowned state] _ in
      inner = try state.coroutine("return wait()")
      progress = inner?.start(arguments: 0)
      return .nothing
    }
    let text = "table.sort({ 2, 1 }, coroutine.wrap(function() spawn() coroutine.yield(false) end))"

    #expect(try state.coroutine(text).finish() == .nil)
    #expect(progress?.isWaiting == true)
    inner?.cancel()
  }
}
