import Lua
import Testing

/// A number that Lua writes otherwise goes out as it came, from the table and the key where it was put.
@Suite struct DigitsTests {
  let state = LuaState()
  private static let number = "12345678901234567890"

  /// What Lua's own integers and doubles are not written as.
  private static let numbers = [
    number, "9223372036854775808", "18446744073709551616", "-9223372036854775809", "100000000000000000000",
    "123456789012345678901234567890", "-0", "0.1000000000000000055", "0.10000000000000001",
    "9007199254740993.0", "99999999999999900.0", "1e-400", "-1e-400", "4.9e-324", "1.00000000000000000001",
    "1234567.12345678901234567890e3",
  ]

  private static let forms = [
    #"{"v":$}"#, "[$]", #"{"a":[{"v":[$,1]},2],"b":{},"c":[]}"#,
    #" { "v" :\#n$ , "w":"\\\"}" , "l" : [ ] } "#,
  ]

  @Test(arguments: numbers, forms)
  func `a number in a table is written as it came`(_ number: String, _ form: String) throws {
    let text = form.replacing("$", with: number)

    let written = try encoded(text)

    #expect(written == text.filter { !" \n".contains($0) })
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("1e2", "100.0"), ("0", "0"), ("-0.0", "-0.0"), ("1E-7", "1e-07"), ("0e5", "0.0"),
  ])
  func `one that stays the same number is written as Lua has it`(
    _ number: String, _ expected: String
  ) throws {
    #expect(try encoded(#"{"v":\#(number)}"#) == #"{"v":\#(expected)}"#)
  }

  /// A document, what a script does with `value`, and what is written of it then; $ is a number of many digits.
  private static let deeds: [(document: String, deed: String, written: String)] = [
    (#"{"v":$,"w":1}"#, "value.w = 2", #"{"v":$,"w":2}"#),
    (#"{"v":$,"w":1}"#, "value.w = nil", #"{"v":$}"#),
    (#"{"v":$,"w":1}"#, "value.x = 'x'", #"{"v":$,"w":1,"x":"x"}"#),
    (#"{"v":$}"#, "value.v = value.v", #"{"v":$}"#),
    (#"{"v":$}"#, "value.v = nil value.v = $.0", #"{"v":$}"#),
    (#"{"v":$}"#, "for name, number in pairs(value) do value[name] = number end", #"{"v":$}"#),
    (
      #"{"v":$}"#, "for n = 1, 99 do value['n' .. n] = n end for n = 1, 99 do value['n' .. n] = nil end",
      #"{"v":$}"#
    ),
    (#"{"v":$}"#, "value.v = 5", #"{"v":5}"#),
    (#"{"v":$}"#, "value.v = value.v * 2", #"{"v":2.4691357802469134e+19}"#),
    (#"{"v":$}"#, "value.v = nil", "{}"),
    (#"{"v":$,"w":1}"#, "value.w = value.v", #"{"v":$,"w":1.2345678901234567e+19}"#),
    (#"{"v":$,"w":1}"#, "value.x, value.v = value.v, nil", #"{"w":1,"x":1.2345678901234567e+19}"#),
    (#"{"v":$}"#, "value = { v = value.v }", #"{"v":1.2345678901234567e+19}"#),
    (#"{"a":{"v":$},"b":1}"#, "value = { value.a, value.a }", #"[{"v":$},{"v":$}]"#),
    (#"{"a":{"v":$},"b":1}"#, "value.b, value.a = value.a, nil", #"{"b":{"v":$}}"#),
    (#"{"v":-0}"#, "value.v = 0", #"{"v":-0}"#), (#"{"v":-0}"#, "value.v = 0.0", #"{"v":0.0}"#),
    (#"{"v":-0}"#, "value.v = -0.0", #"{"v":-0.0}"#),
    // In a plain table it is not seen that such a number is set again, or another one of the same double.
    (#"{"v":$}"#, "value.v = value.v + 500", #"{"v":$}"#),
    (#"{"v":$,"w":12345678901234567891}"#, "value.w = value.v", #"{"v":$,"w":12345678901234567891}"#),
    (price, "value.p = math.floor(value.p * 100 + 0.5) / 100", price),
    (price, "value = { p = math.floor(value.p * 100 + 0.5) / 100 }", #"{"p":20.0}"#),
    (#"{"v":12345678901234567891,"v":$}"#, "", #"{"v":$}"#), (#"{"v":$,"v":1}"#, "", #"{"v":1}"#),
    (#"{"v":$,"v":1.2345678901234567e19}"#, "", #"{"v":1.2345678901234567e+19}"#),
  ]

  private static let price = #"{"p":19.999999999999999999}"#

  @Test(arguments: deeds)
  func `the digits are a member's as long as that is the number that came`(
    _ test: (document: String, deed: String, written: String)
  ) throws {
    let written = try encoded(Self.filled(test.document), Self.filled(test.deed))

    #expect(written == Self.filled(test.written))
  }

  /// The same of lists.
  private static let moves: [(document: String, deed: String, written: String)] = [
    ("[$,2]", "value[2] = 3", "[$,3]"), ("[$,2]", "value[2] = value[1]", "[$,1.2345678901234567e+19]"),
    ("[$,2]", "value.x = 1 value.x = nil", "[$,2]"), ("[2,$]", "value[3] = 3 value[3] = nil", "[2,$]"),
    ("[$,2,-0]", "table.insert(value, 2, 7) table.remove(value, 2)", "[$,2,-0]"),
    ("[2,$]", "value[3] = 3", "[2,1.2345678901234567e+19,3]"), ("[$,2,-0]", "value[1] = 5", "[5,2,0]"),
    ("[$,2]", "value[1], value[2] = value[2], value[1]", "[2,1.2345678901234567e+19]"),
    ("[2,$]", "table.remove(value)", "[2]"), ("[$,2]", "table.sort(value)", "[2,1.2345678901234567e+19]"),
    ("[$,2]", "table.remove(value)", "[1.2345678901234567e+19]"),
    ("[2,$]", "value = table.move(value, 1, 2, 1, {})", "[2,1.2345678901234567e+19]"),
    ("[2,$]", "value = { table.unpack(value) }", "[2,1.2345678901234567e+19]"),
    ("[$]", "value = table.pack(value[1]) value.n = nil", "[1.2345678901234567e+19]"),
    (neighbours, "value[1] = value[1]", neighbours),
    (neighbours, "table.remove(value, 1)", "[1.8446744073709552e+19,1.8446744073709552e+19]"),
    (
      neighbours, "table.insert(value, 1, 5)",
      "[5,1.8446744073709552e+19,1.8446744073709552e+19,1.8446744073709552e+19]"
    ),
    (neighbours, "value[2] = 5", "[1.8446744073709552e+19,5,1.8446744073709552e+19]"),
    ("[[$,1],[2,-0]]", "value[1], value[2] = value[2], value[1]", "[[2,-0],[$,1]]"),
    ("[[$,1],[2,-0]]", "table.remove(value[1])", "[[1.2345678901234567e+19],[2,-0]]"),
    (#"{"l":[$,1],"v":$}"#, "table.remove(value.l)", #"{"l":[1.2345678901234567e+19],"v":$}"#),
    (#"[{"l":[$]},{"v":-0}]"#, "table.remove(value, 1)", #"[{"v":-0}]"#),
  ]
  private static let neighbours = "[18446744073709551001,18446744073709551002,18446744073709551003]"

  @Test(arguments: moves)
  func `a list has its digits as long as it has as many elements, and such numbers at their places`(
    _ test: (document: String, deed: String, written: String)
  ) throws {
    let written = try encoded(Self.filled(test.document), Self.filled(test.deed))

    #expect(written == Self.filled(test.written))
  }

  @Test func `more members than are kept aside have their digits too`() throws {
    let members = (1...200).map { #""m\#($0)":\#($0 % 3 == 0 ? Self.number : "\($0)")"# }
    let text = "{\(members.joined(separator: ","))}"

    #expect(try encoded(text) == text)
  }

  @Test func `a text of several lines has them too`() throws {
    #expect(
      try encoded(#"{"v":\#(Self.number),"l":[-0]}"#, indent: 2) == """
        {
          "v": \(Self.number),
          "l": [
            -0
          ]
        }
        """)
  }

  @Test func `equal values have equal texts where that is asked for`() throws {
    try state.pushJSON(#"{"w":[-0],"v":\#(Self.number)}"#)

    #expect(try state.stack.canonicalJSON(at: -1) == #"{"v":1.2345678901234567e+19,"w":[0]}"#)
  }

  @Test func `what is noted of tables goes with them`() throws {
    for number in 0..<20_000 {
      try state.pushJSON(#"{"v":\#(Self.number)\#(number)}"#)
      state.stack.pop()
    }
    state.collect()

    #expect(state.memoryUsed < 4 << 20)
  }

  @Test func `a host reads the digits of a field, and those of elements`() throws {
    try state.pushJSON(#"{"v":\#(Self.number),"w":1,"l":[1,-0]}"#)

    #expect(state.stack.digits(ofField: "v", of: -1) == Self.number)
    #expect(state.stack.digits(ofField: "w", of: -1) == nil)
    #expect(state.stack.digits(ofField: "x", of: -1) == nil)
    state.stack.pushField("l", of: -1)
    #expect(state.stack.elementDigits(of: -1) == [2: "-0"])
    #expect(state.stack.count == 2)
    state.stack.push(.integer(3))
    state.stack.setElement(3, of: -2)
    #expect(state.stack.elementDigits(of: -1).isEmpty)
    #expect(state.stack.count == 2)
  }

  private static func filled(_ text: String) -> String { text.replacing("$", with: number) }

  /// What is written of a document after a deed.
  private func encoded(_ text: String, _ deed: String = "", indent: Int = 0) throws -> String {
    try state.pushJSON(text)
    state.setGlobal("value")
    try state.run(deed)
    state.pushGlobals()
    state.stack.pushField("value", of: -1)
    defer { state.stack.pop(2) }
    return try state.stack.json(at: -1, indent: indent)
  }
}
