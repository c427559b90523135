import Lua
import Testing

/// What a script does with a list of three objects, `rows`, and what comes of it.
struct RowsCase: Sendable, CustomTestStringConvertible {
  let text: String
  let result: LuaValue
  var testDescription: String { text }

  init(_ text: String, _ result: LuaValue) {
    self.text = text
    self.result = result
  }

  static let document = #"[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"}]"#

  /// `ids()` gives the ids of `rows` as a text.
  static let tools = """
    function ids() local t = {} for i, row in ipairs(rows) do t[i] = row.id end return table.concat(t, ' ') end
    """

  static let all = [
    RowsCase("return #rows", .integer(3)),
    RowsCase("return ids()", .string("1 2 3")),
    RowsCase("return rows[2].n", .string("b")),
    RowsCase("return rows[2.0].n", .string("b")),
    RowsCase(
      "return rows[0] == nil and rows[4] == nil and rows.x == nil and rows[-1] == nil", .boolean(true)),
    RowsCase("return rows[1] == rows[1]", .boolean(true)),
    RowsCase("local first = rows[1] for _, row in ipairs(rows) do return row == first end", .boolean(true)),
    RowsCase("local first = rows[1] rows[4] = {} return rows[1] == first", .boolean(true)),
    RowsCase("rows[2].n = 'x' return rows[2].n", .string("x")),
    RowsCase("local s = 0 for i, row in pairs(rows) do s = s + i * row.id end return s", .integer(14)),
    RowsCase("local s = 0 for i, row in next, rows do s = s + i * row.id end return s", .integer(14)),
    RowsCase("local k, v = next(rows) return k + v.id", .integer(2)),
    RowsCase("return next(rows, 3)", .nil),
    RowsCase("table.insert(rows, { id = 4 }) return ids()", .string("1 2 3 4")),
    RowsCase("table.insert(rows, 1, { id = 0 }) return ids()", .string("0 1 2 3")),
    RowsCase("return table.remove(rows).id .. ids()", .string("31 2")),
    RowsCase("return table.remove(rows, 1).id .. ids()", .string("12 3")),
    RowsCase("table.sort(rows, function(a, b) return a.id > b.id end) return ids()", .string("3 2 1")),
    RowsCase("return select('#', table.unpack(rows)) + select(3, table.unpack(rows)).id", .integer(6)),
    RowsCase("return #table.move(rows, 1, 3, 1, {})", .integer(3)),
    RowsCase("table.move(rows, 1, 3, 2) return ids()", .string("1 1 2 3")),
    RowsCase("return select(2, pcall(table.concat, rows)):match('invalid value') ", .string("invalid value")),
    RowsCase("rows[3] = nil return #rows .. ids()", .string("21 2")),
    RowsCase("for i = 1, 3 do rows[i] = nil end return #rows", .integer(0)),
    RowsCase("rows[2] = { id = 9 } return ids()", .string("1 9 3")),
    RowsCase("rows.name = 'all' return rows.name .. #rows", .string("all3")),
    RowsCase("return rawget(rows, 2).id", .integer(2)),
    RowsCase("return rawlen(rows)", .integer(3)),
    RowsCase("rawset(rows, 4, { id = 4 }) return ids()", .string("1 2 3 4")),
    RowsCase("return rawequal(rows, rows)", .boolean(true)),
    RowsCase("return getmetatable(rows)", .boolean(false)),
    RowsCase("return pcall(setmetatable, rows, {})", .boolean(false)),
    RowsCase("return type(rows)", .string("table")),
    RowsCase("local t = setmetatable({}, { __index = rows }) return t[2].id", .integer(2)),
    RowsCase("local t = {} t[rows] = 1 local _ = rows[1] rows[5] = 1 return t[rows]", .integer(1)),
  ]
}

@Suite struct RowsTests {
  let state = LuaState()

  @Test(arguments: RowsCase.all) func `rows are a table like any other`(_ test: RowsCase) throws {
    try state.pushJSON(RowsCase.document)
    state.setGlobal("rows")
    try state.run(RowsCase.tools)

    #expect(try state.run(test.text) == test.result)
  }

  @Test(arguments: [
    ("rows[1].n = 'x'", #"[{"id":1,"n":"x"},{"id":2,"n":"b"},{"id":3,"n":"c"}]"#),
    ("table.remove(rows, 2)", #"[{"id":1,"n":"a"},{"id":3,"n":"c"}]"#),
    ("for i = 1, 3 do rows[i] = nil end", "[]"),
    ("local _ = rows[2]", RowsCase.document),
    ("next(rows)", RowsCase.document),
  ]) func `what a script did to rows is written`(_ text: String, _ written: String) throws {
    try state.pushJSON(RowsCase.document)
    state.stack.pushCopy(of: -1)
    state.setGlobal("rows")
    try state.run(text)

    #expect(try state.stack.json(at: -1) == written)
  }

  @Test func `the host counts and reads rows as a script does`() throws {
    try state.pushJSON(RowsCase.document)
    var count = 0
    state.stack.forEachPair(of: -1) { _ in count += 1 }

    #expect(count == 3)
    #expect(try state.stack.json(at: -1) == RowsCase.document)
  }

  @Test func `rows in rows are rows`() throws {
    try state.pushJSON(#"[{"id":1,"rows":[{"id":10},{"id":11}]}]"#)
    state.setGlobal("v")

    #expect(try state.run("v[1].rows[2].id = 12 return v[1].rows[2].id + #v[1].rows") == .integer(14))
  }

  @Test func `rows outlive their list`() throws {
    try state.pushJSON(RowsCase.document)
    state.setGlobal("rows")
    try state.run("row = rows[3] rows = nil")
    state.collect()

    #expect(try state.run("return row.n") == .string("c"))
  }

  @Test func `a script without memory for rows is told so`() throws {
    let document =
      "[" + (1...5000).map { "{\"id\":\($0),\"text\":\"number \($0)\"}" }.joined(separator: ",") + "]"
    try state.pushJSON(document)
    state.setGlobal("rows")
    state.collect()
    state.setBudget(LuaBudget(memory: state.memoryUsed + 100_000))

    for text in ["pairs(rows)", "next(rows)", "rawget(rows, 1)", "rows[1] = nil", "table.remove(rows, 1)"] {
      #expect(state.failure(of: text)?.message.contains("not enough memory") == true, "\(text)")
    }
    state.setBudget(LuaBudget())
    #expect(try state.run("local n = 0 for _ in pairs(rows) do n = n + 1 end return n") == .integer(5000))
  }
}
