import Lua
import Testing

@Suite struct LibraryTests {
  let state = LuaState(randomSeed: 7)

  private func names(of table: String) throws -> String {
    let text = """
      local list = {}
      for name in next, \(table) do list[#list + 1] = name end
      table.sort(list)
      return table.concat(list, ' ')
      """
    guard case .string(let names)? = try state.run(text) else { return "" }
    return names
  }

  @Test func `the globals are these and no more`() throws {
    #expect(
      try names(of: "_G")
        == "_G _VERSION assert collectgarbage coroutine error getmetatable ipairs load math next os pairs pcall "
        + "print rawequal rawget rawlen rawset select setmetatable string table tonumber tostring type utf8 xpcall"
    )
  }

  @Test(arguments: [
    ("os", "date time"),
    ("coroutine", "close create isyieldable resume running status wrap yield"),
    (
      "string",
      "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper"
    ),
    ("table", "concat insert move pack remove sort unpack"),
    ("utf8", "char charpattern codepoint codes len offset"),
  ]) func `a library has these functions and no more`(_ library: String, _ expected: String) throws {
    #expect(try names(of: library) == expected)
  }

  @Test func `random numbers are the same for the same seed`() throws {
    let text = "local t = {} for i = 1, 5 do t[i] = math.random(1000) end return table.concat(t, ' ')"
    let numbers = try state.run(text)

    #expect(try LuaState(randomSeed: 7).run(text) == numbers)
    #expect(try LuaState(randomSeed: 8).run(text) != numbers)
    #expect(try state.run(text) != numbers)
  }

  @Test func `seeding without a seed starts the same numbers again`() throws {
    let text = "math.randomseed() return math.random(0)"

    #expect(try state.run(text) == state.run(text))
    #expect(try LuaState(randomSeed: 7).run(text) == state.run(text))
    #expect(try state.run("math.randomseed(42) return math.random(0)") != state.run(text))
  }

  @Test func `what sees through closed metatables is the host's`() throws {
    state.stack.pushTable()
    state.addInnerFunctions(to: -1)
    state.stack.pushField("metatable", of: -1)

    #expect(state.stack.isFunction(at: -1))
    #expect(try state.run("return debug") == .nil)
    #expect(try state.run("return getmetatable('')") == .boolean(false))
  }

  @Test func `bounded functions do what they did`() throws {
    let results: [(String, LuaValue)] = [
      ("return ('ab'):rep(3, '-')", .string("ab-ab-ab")),
      ("return ('ab'):rep(0)", .string("")),
      ("return ('ab'):rep(-1)", .string("")),
      ("return ('').rep('', 5, 'x')", .string("xxxx")),
      ("return table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ' ')", .string("1 1 2 3")),
      ("local t = { 1, 3 } table.insert(t, 2, 2) return table.concat(t, ' ')", .string("1 2 3")),
      ("local t = { 1, 2 } return table.remove(t, 1) + #t", .integer(2)),
      ("return load('return ...', 'n', 't')(5)", .integer(5)),
      ("return load('return x', 'n', 't', { x = 6 })()", .integer(6)),
      ("return (select(2, load('x ==')))", .string("[string \"x ==\"]:1: syntax error near '=='")),
      ("return rawlen({ 1, 2 }) + rawget({ 5 }, 1)", .integer(7)),
      ("return next(rawset({}, 'k', 1))", .string("k")),
      ("return select('#', xpcall(function(...) return ... end, error, 1, 2, nil))", .integer(4)),
      ("return select(2, xpcall(error, function(e) return e .. '!' end, 'x'))", .string("x!")),
      ("return select('#', pcall(error))", .integer(2)),
    ]

    for (text, result) in results { #expect(try state.run(text) == result, "\(text)") }
  }
}
