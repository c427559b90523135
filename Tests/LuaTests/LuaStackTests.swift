import Lua
import Testing

@Suite struct LuaStackTests {
  let state = LuaState()

  @Test func `a thousand calls leave the stack as it was`() throws {
    for _ in 0..<1000 { try state.run("return 1, 2, 3") }

    #expect(state.stack.count == 0)
  }

  @Test(arguments: [
    "error('x')", "error({ code = 'c' })", "error()", "x = = 1", "local function f() return f() + 1 end f()",
    "error(setmetatable({}, { __tostring = error }))",
  ])
  func `a thousand errors leave the stack as it was`(_ text: String) throws {
    for _ in 0..<(text.contains("f()") ? 3 : 1000) { _ = state.failure(of: text) }

    #expect(state.stack.count == 0)
  }

  @Test func `a thousand failed coroutines leave the stack as it was`() throws {
    for _ in 0..<1000 { #expect(try state.coroutine("error('x')").start(arguments: 0).error != nil) }

    #expect(state.stack.count == 0)
  }

  @Test func `numbers are told apart`() throws {
    try state.load("return 1, 1.0, 1.5, 2^53, '1', 2^63", name: "test.lua")
    try state.call(arguments: 0, results: 6)
    let stack = state.stack

    #expect((1...6).map { stack.integer(at: $0) } == [1, 1, nil, 1 << 53, nil, nil])
    #expect(stack.value(at: 1) == .integer(1))
    #expect(stack.value(at: 2) == .number(1))
    #expect(stack.number(at: 5) == nil)
  }

  @Test func `types are called as scripts call them`() throws {
    let stack = state.stack
    stack.pushNil()
    stack.pushNull()
    stack.push(true)
    stack.pushTable()

    #expect((1...5).map { stack.typeName(at: $0) } == ["nil", "null", "boolean", "table", "nothing"])
  }

  @Test func `every value can be described`() throws {
    try state.load(
      "return nil, 1.5, 'a', setmetatable({}, { __tostring = function() return {} end })", name: "t")
    try state.call(arguments: 0, results: 4)

    #expect((1...3).map { state.stack.describe(at: $0) } == ["nil", "1.5", "a"])
    #expect(state.stack.describe(at: 4) == "(a table that cannot be shown)")
    #expect(state.stack.count == 4)
  }

  @Test func `fields and elements are raw`() throws {
    let stack = state.stack
    stack.pushTable()
    stack.setField("a", of: -1, to: .string("b"))
    stack.push(9)
    stack.setElement(1, of: -2)

    var pairs: [String] = []
    stack.forEachPair(of: -1) { pairs.append("\($0.value(at: -2)!)=\($0.value(at: -1)!)") }

    #expect(pairs.sorted() == ["1=9", "a=b"])
    #expect(stack.length(of: -1) == 1)
    #expect(stack.count == 1)
  }

  @Test func `a function knows where it was written`() throws {
    try state.load("\nlocal function f()\nend\nreturn f, print", name: "feed.lua")
    try state.call(arguments: 0, results: 2)

    #expect(state.stack.placeOfFunction(at: -2) == "feed.lua:2")
    #expect(state.stack.placeOfFunction(at: -1) == "")
  }
}
