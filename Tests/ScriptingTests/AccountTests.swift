import Lua
import Scripting
import Testing

/// What the host does for a script is on the script's account.
@Suite struct AccountTests {
  /// A table that is small, and endless as a text.
  private static let linked = "local linked = {} for _ = 1, 60 do linked = { linked, linked } end "

  private func failure(_ script: String, memory: Int = 32 << 20) throws -> LuaError? {
    try ScriptRun(Self.linked + script) { $0.budget.memory = memory }.workflow.failure
  }

  @Test(arguments: [
    "lookahead.json.encode(linked)", "lookahead.json.encode(linked, { pretty = true })",
    "lookahead.emit { a = linked }",
    "lookahead.csv.encode { { a = linked } }", "lookahead.http.post('http://x', { json = linked })",
    "local s = lookahead.source { fetch = function() return { items = { { a = linked } } } end } for _ in s:items() do end",
    "local s = lookahead.source { fetch = function(c) c:append { { a = linked } } end } for _ in s:items() do end",
    "local s = lookahead.source { transform = function() return { id = 1, a = linked } end, "
      + "fetch = function() return { items = { {} } } end } for _ in s:items() do end",
  ])
  func `a text of what a table holds twice ends at the script's memory`(_ use: String) throws {
    let error = try failure(use)

    #expect(
      error?.message.contains("which is more than there is memory for") == true, "\(error?.message ?? "none")"
    )
  }

  @Test func `a log shows the kind of what is too long to be shown`() throws {
    #expect(try failure("lookahead.log.info('x', { a = linked })") == nil)
  }

  @Test func `a table of many columns and few cells is written up to the script's memory`() throws {
    let error = try failure(
      "local rows = {} for i = 1, 3000 do rows[i] = { ['k' .. i] = 1 } end lookahead.csv.encode(rows)",
      memory: 4 << 20)

    #expect(
      error?.message.contains("which is more than there is memory for") == true, "\(error?.message ?? "none")"
    )
  }

  @Test func `texts that the host makes count when they are there`() throws {
    let error = try failure(
      "local held = {} for i = 1, 1000 do held[i] = lookahead.base64.encode(('x'):rep(1000000) .. i) end")

    #expect(error?.kind == .stopped(.memory) || error?.message.contains("not enough memory") == true)
  }

  @Test func `what is paid elsewhere is paid from the script's time`() throws {
    let state = LuaState()
    state.setBudget(LuaBudget(total: .seconds(2)))

    #expect(state.account.spend(.seconds(1)))
    #expect(state.account.spend(.milliseconds(900)))
    #expect(!state.account.spend(.milliseconds(200)))
    state.renewTime()
    #expect(state.account.spend(.seconds(1)))
    state.stop()
    #expect(!state.account.spend(.zero))
  }

  @Test func `what is held elsewhere is held in the script's memory`() throws {
    let state = LuaState()
    state.limitMemory(16 << 20)
    let account = state.account

    account.hold(15 << 20)

    #expect(!state.reserve(2 << 20))
    #expect(throws: LuaError.self) {
      try state.load("return ('x'):rep(2000000)", name: "test.lua")
      try state.call(arguments: 0, results: 1)
    }
    account.hold(-(15 << 20))
    #expect(state.reserve(2 << 20))
  }
}
