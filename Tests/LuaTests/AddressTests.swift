import Lua
import Testing

/// Who knows where things are in memory knows where to aim.
@Suite struct AddressTests {
  let state = LuaState()

  @Test(arguments: [
    "tostring({})", "tostring(print)", "tostring(function() end)", "tostring(coroutine.create(print))",
    "tostring(coroutine.running())", "tostring(setmetatable({}, { __name = 'thing' }))", "('%s'):format({})",
    "('%20s %d'):format(print, 1)", "('%-5s'):format(coroutine.running())", "select(2, pcall(error, {}))",
    "select(2, pcall(load, print))", "select(2, pcall(ipairs))", "select(2, pcall(table.concat, { {} }))",
    "select(2, pcall(function() return {} .. print end))", "select(2, pcall(('x').rep, {}))",
    "select(2, pcall(setmetatable, 1, {}))", "select(2, pcall(string.format, '%d', {}))",
  ])
  func `no text shows one`(_ expression: String) throws {
    let text = try state.run("return tostring(\(expression))")

    guard case .string(let text)? = text else { return #expect(Bool(false), "\(String(describing: text))") }
    #expect(text.firstMatch(of: /0x[0-9a-fA-F]{4,}/) == nil, "\(text)")
  }

  @Test func `a value keeps the text that it has, and no other has it`() throws {
    #expect(
      try state.run("local t = {} return tostring(t) == tostring(t) and tostring(t) ~= tostring({})")
        == .boolean(true))
    #expect(try state.run("return (tostring({}):gsub('%d+', 'N'))") == .string("table: N"))
    #expect(
      try state.run("return (tostring(setmetatable({}, { __name = 'thing' })):gsub('%d+', 'N'))")
        == .string("thing: N"))
    #expect(
      try state.run("return tostring(setmetatable({}, { __tostring = function() return 'x' end }))")
        == .string("x"))
  }

  @Test func `formats do what they did, and one is refused`() throws {
    #expect(
      try state.run("return ('%5.2f|%-4s|%%|%q|%i|%x|%c'):format(1.5, 'ab', 'x', 3, 255, 65)")
        == .string("1.50 |ab  |%|\"x\"|3|ff|A".replacing("1.50 ", with: " 1.50")))
    #expect(try state.run("return ('%s %s'):format(nil, true)") == .string("nil true"))
    #expect(state.failure(of: "('%p'):format({})")?.message.contains("addresses are not shown") == true)
    #expect(state.failure(of: "('%-12p'):format({})")?.message.contains("addresses are not shown") == true)
    #expect(state.failure(of: "('%s'):format()")?.message.contains("no value") == true)
    #expect(state.failure(of: "('%d'):format('x')")?.message.contains("number expected") == true)
    #expect(state.failure(of: "('%'):format(1)")?.message.contains("invalid conversion") == true)
  }
}
