import Lua
import Testing

@Suite struct LuaStateTests {
  let state = LuaState()

  @Test func `a chunk is loaded and called`() throws {
    #expect(try state.run("local a, b = 20, 22 return a + b") == .integer(42))
  }

  @Test func `arguments and results pass in order`() throws {
    try state.load("local a, b = ... return b, a", name: "test.lua")
    state.stack.push(1)
    state.stack.push("two")
    try state.call(arguments: 2, results: 2)

    #expect(state.stack.value(at: -2) == .string("two"))
    #expect(state.stack.value(at: -1) == .integer(1))
  }

  @Test func `an error has its place and its traceback`() throws {
    let error = state.failure(of: "local function f()\n  error('boom')\nend\nf()")

    #expect(error?.kind == .runtime)
    #expect(error?.message == "test.lua:2: boom")
    #expect(error?.traceback.contains("test.lua:4: in main chunk") == true)
  }

  @Test func `an error table keeps its code, its message and its other fields`() throws {
    let error = state.failure(
      of: "error({ code = 'network', message = 'refused', where = 'a.lua:1: ', status = 503 })")

    #expect(error?.code == "network")
    #expect(error?.message == "a.lua:1: refused")
    #expect(error?.fields == ["status": .integer(503)])
  }

  @Test func `a code that is no text stays among the fields`() throws {
    #expect(state.failure(of: "error({ code = 404 })")?.fields == ["code": .integer(404)])
  }

  @Test func `an error object is described with its own text`() throws {
    let error = state.failure(
      of: "error(setmetatable({}, { __tostring = function() return 'my own' end }))")

    #expect(error?.message == "my own")
  }

  @Test(arguments: ["nil", "42", "true", "print"]) func `any value may be an error`(_ value: String) throws {
    #expect(state.failure(of: "error(\(value))")?.kind == .runtime)
  }

  @Test(arguments: ["for i = 1, 3 do", "local t = {", "return 1 +", "x = [[", "if a then b() elseif"])
  func `a chunk that could go on is incomplete`(_ text: String) throws {
    #expect(state.failure(of: text)?.kind == .syntax(isIncomplete: true))
  }

  @Test(arguments: ["return return", "x = = 1", "end", "local 1"])
  func `a chunk that cannot be mended is not incomplete`(_ text: String) throws {
    #expect(state.failure(of: text)?.kind == .syntax(isIncomplete: false))
  }

  @Test func `a first line that starts with # is skipped and counted`() throws {
    #expect(try state.run("#!/usr/bin/env lookahead\nreturn 7") == .integer(7))
    #expect(state.failure(of: "#!x\nerror('here')")?.message == "test.lua:2: here")
    #expect(try state.run("#") == .nil)
  }

  @Test func `bytecode is not loaded`() throws {
    let error = state.failure(of: "\u{1b}LuaT")

    #expect(error?.message.contains("attempt to load a binary chunk") == true)
  }

  @Test func `an environment replaces the globals`() throws {
    state.stack.pushTable()
    state.stack.setField("x", of: -1, to: .integer(5))
    try state.load("y = x return print", name: "test.lua", environment: -1)
    try state.call(arguments: 0, results: 1)

    #expect(state.stack.isNil(at: -1))
    #expect(state.stack.field("y", of: -2) { stack, index in stack.value(at: index) } == .integer(5))
  }

  @Test func `a text of any bytes goes in and out`() throws {
    let bytes: [UInt8] = [0, 255, 0xC3, 0x28, 10]
    bytes.withUnsafeBytes { state.stack.push(bytes: $0) }

    #expect(state.stack.withBytes(at: -1) { Array($0) } == bytes)
    #expect(state.stack.shownString(at: -1)?.contains("\u{FFFD}") == true)
  }
}
