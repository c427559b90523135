import Lua
import Testing

/// Small scripts in the worst of conditions: the collector runs at every call, and memory ends at any moment. They may fail
/// in any way that is an error.
@Suite struct HostileTests {
  static let scripts = [
    "local t = {} for i = 1, 50 do t[i] = { i, tostring(i) } host(t[i]) end return #t",
    "for v in coroutine.wrap(function() for i = 1, 20 do host(i) coroutine.yield({ i }) end end) do host(v) end",
    "local ok, e = pcall(function() host() error({ code = 'x' .. 1 }) end) host(e) error(e)",
    "local x <close> = setmetatable({}, { __close = function() host({}) end }) host(('y'):rep(500)) error('z')",
    "for i, row in ipairs(rows) do host(row) row.text = row.text .. i end table.sort(rows, function(a, b) host() return a.id > b.id end)",
    "for i, row in pairs(rows) do rows[i] = { host(row) } end",
    "host(load('return ' .. ('{'):rep(20) .. ('}'):rep(20))()) return table.concat({ 'a', 'b', host('c') })",
    "local c = coroutine.create(function(...) host(...) coroutine.yield({}) error({}) end) coroutine.resume(c, {}) coroutine.resume(c) coroutine.close(c)",
    "xpcall(function() host({}) local s = ('x'):rep(2000) error(s) end, function(m) host(m) return { m } end)",
    "local s = '' for i = 1, 100 do s = s .. host(i) end return string.gsub(s, '%d', function(d) host(d) return { d } end)",
    "string.gsub(('abc'):rep(50), '.', function(d) return host(d) end) table.unpack({ host(1), {}, 'x' })",
  ]

  private static let document =
    "[" + (1...30).map { "{\"id\":\($0),\"text\":\"number \($0)\"}" }.joined(separator: ",") + "]"

  private func prepared() throws -> LuaState {
    let state = LuaState()
    state.define("host") { [unowned state] call in
      state.account.hold(64 << 10)
      state.account.hold(-64 << 10)
      call.stack.push(owner: Token(Tally()))
      call.stack.pop()
      guard call.stack.count > 0 else { return .nothing }
      call.stack.pushCopy(of: 1)
      return .results(1)
    }
    try state.pushJSON(Self.document)
    state.setGlobal("rows")
    return state
  }

  @Test(arguments: scripts) func `a collector that runs at every call harms nothing`(_ text: String) throws {
    let state = try prepared()
    for _ in 0..<5 {
      _ = state.failure(of: text)
      _ = try state.coroutine(text).start(arguments: 0)
      state.collect()
    }

    #expect(state.stack.count == 0)
  }

  @Test(arguments: scripts) func `memory may end at any moment`(_ text: String) throws {
    let state = try prepared()
    for spare in stride(from: 0, to: 40_000, by: 131) {
      state.collect()
      state.setBudget(LuaBudget(memory: state.memoryUsed + spare))
      _ = state.failure(of: text)
      if let coroutine = try? state.coroutine(text) { _ = coroutine.start(arguments: 0) }
      state.clearStop()
    }
    state.setBudget(LuaBudget())

    #expect(try state.run("return 1") == .integer(1))
    #expect(state.stack.count == 0)
  }

  @Test(arguments: scripts) func `a policy may be stopped at any instruction`(_ text: String) throws {
    let state = try prepared()
    let view = LuaView(state, names: ["a"])
    let policy = try state.reference(to: "function(view) local a = view.a \(text) end")
    for instructions in stride(from: 1, to: 1500, by: 7) {
      _ = try? state.callPolicy(policy, view: view, parameters: policy, instructions: instructions)
      state.stack.truncate(to: 0)
    }

    #expect(!state.isStopped)
    #expect(try state.run("return 1") == .integer(1))
  }
}
