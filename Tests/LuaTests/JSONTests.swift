import Lua
import Testing

/// A text and its canonical form, or what is wrong with it.
struct JSONCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Failure: Decodable, Sendable {
    let line: Int
    let column: Int
    let contains: String
  }

  let name: String
  let text: String
  let encoded: String?
  let error: Failure?
  var testDescription: String { name }
}

extension LuaState {
  /// Pushes the value of a JSON text.
  func pushJSON(_ text: String) throws {
    var text = text
    try text.withUTF8 { try stack.pushJSON(UnsafeRawBufferPointer($0)) }
  }
}

@Suite struct JSONTests {
  let state = LuaState()

  @Test(arguments: cases("json") as [JSONCase]) func `a case`(_ test: JSONCase) throws {
    if let failure = test.error {
      let error = #expect(throws: JSONError.self) { try state.pushJSON(test.text) }
      #expect(error?.line == failure.line)
      #expect(error?.column == failure.column)
      #expect(error?.message.contains(failure.contains) == true, "\(error?.message ?? "")")
      #expect(state.stack.count == 0)
    } else {
      try state.pushJSON(test.text)
      #expect(try state.stack.json(at: -1) == test.encoded)
      #expect(state.stack.count == 1)
    }
  }

  private func value(_ text: String, _ expression: String) throws -> LuaValue? {
    try state.pushJSON(text)
    state.setGlobal("v")
    return try state.run("return \(expression)")
  }

  @Test func `integers of 64 bits stay integers, bigger ones become floats`() throws {
    #expect(
      try value("9223372036854775807", "math.type(v) == 'integer' and v == math.maxinteger") == .boolean(true)
    )
    #expect(try value("-9223372036854775808", "v == math.mininteger") == .boolean(true))
    #expect(try value("9223372036854775808", "math.type(v)") == .string("float"))
    #expect(try value("9007199254740993", "v") == .integer(9_007_199_254_740_993))
    #expect(try value("1.0", "math.type(v)") == .string("float"))
    #expect(try value("-0.0", "1 / v == -math.huge") == .boolean(true))
  }

  @Test func `null is a value of its own`() throws {
    #expect(try value("null", "v") == .null)
    #expect(try value(#"{"a":null}"#, "v.a ~= nil and v.b == nil") == .boolean(true))
    state.stack.pushNull()
    #expect(try state.stack.json(at: -1) == "null")
  }

  @Test func `lists and objects are told apart when they are empty`() throws {
    for text in ["[]", "{}", #"{"a":[],"b":{}}"#, "[[],{}]"] {
      try state.pushJSON(text)
      #expect(try state.stack.json(at: -1) == text)
    }
    state.stack.pushTable()
    #expect(try state.stack.json(at: -1) == "{}")
    state.stack.markArray(at: -1)
    #expect(try state.stack.json(at: -1) == "[]")
  }

  @Test(arguments: [
    ("{ 1, 2, nil, 4 }", "a list of 4 with 1 missing"),
    ("{ [1] = 1, a = 2 }", "a list can't have the key \"a\""),
    ("{ 1, print }", "[2]: a function can't be written as JSON"),
    ("{ a = { b = 0/0 } }", "a.b: nan can't be written as JSON"),
    ("math.huge", "inf can't be written as JSON"),
    ("{ [{}] = 1 }", "a key can't be a table"),
    (#"{ a = { "x", "caf\xe9" } }"#, "a[2]: a string that is not UTF-8 (byte 0xe9 at 4)"),
    (#"{ ["a\xff"] = 1, ["a\xfe"] = 2 }"#, "a string that is not UTF-8 (byte 0xfe at 2)"),
    (#"'\xed\xa0\x80'"#, "a string that is not UTF-8 (byte 0xed at 1)"),
    ("(function() local t = {} t.t = t return t end)()", "t: a table that holds itself"),
    ("(function() local t = {} for i = 1, 1100 do t = { t } end return t end)()", "nested deeper than 1024"),
  ]) func `what cannot be JSON is refused with its place`(_ expression: String, _ reason: String) throws {
    try state.load("return " + expression, name: "test.lua")
    try state.call(arguments: 0, results: 1)

    let error = #expect(throws: JSONError.self) { _ = try state.stack.json(at: -1) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(state.stack.count == 1)
  }

  @Test func `integer keys with gaps make an object`() throws {
    try state.load("return { [3] = 1 }", name: "test.lua")
    try state.call(arguments: 0, results: 1)

    #expect(try state.stack.json(at: -1) == #"{"3":1}"#)
  }

  @Test(arguments: [
    ("{ [3] = 1 }", "a key can't be the integer 3, only text: t[tostring(key)]"),
    ("{ a = { [-3] = 1, b = 2 } }", "a: a key can't be the integer -3, only text"),
    ("{ [2.5] = 1 }", "a key can't be 2.5, only text"),
    ("{ [false] = 1 }", "a key can't be false, only text"),
    ("{ 1, [7] = 2 }", "a list can't have the key 7 beside its 1 elements: other keys are texts"),
  ]) func `keys that would come back as texts are refused where that matters`(
    _ expression: String, _ reason: String
  ) throws {
    try state.load("return " + expression, name: "test.lua")
    try state.call(arguments: 0, results: 1)

    let error = #expect(throws: JSONError.self) { _ = try state.stack.exactJSON(at: -1) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [#"{"1":{"a":[1,null,{"7":2}]}}"#, "[{},[]]", "null", #""7""#, "[[1],[2]]"])
  func `what JSON carries is written as it is`(text: String) throws {
    try state.pushJSON(text)

    #expect(try state.stack.exactJSON(at: -1) == text)
  }

  @Test(arguments: [1, 200, 201, 1023, 1024]) func `what is read can be written, however deep it is`(
    depth: Int
  ) throws {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)

    try state.pushJSON(text)

    #expect(try state.stack.json(at: -1) == text)
  }

  @Test func `metamethods are not called by encoding`() throws {
    try state.load(
      "return setmetatable({ a = 1 }, { __index = error, __pairs = error, __len = error })", name: "t")
    try state.call(arguments: 0, results: 1)

    #expect(try state.stack.json(at: -1) == #"{"a":1}"#)
  }

  @Test func `indented text has a member to a line`() throws {
    try state.pushJSON(#"{"a":[1,{"b":2}],"c":{}}"#)

    #expect(
      try state.stack.json(at: -1, indent: 2)
        == "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": {}\n}")
  }

  @Test func `a thousand documents leave the stack as it was`() throws {
    for number in 0..<1000 {
      try state.pushJSON("[{\"id\":\(number)}]")
      state.stack.pop()
      _ = try? state.pushJSON("[{\"id\":")
    }
    state.collect()

    #expect(state.stack.count == 0)
    #expect(state.memoryUsed < 4 << 20)
  }
}
