import Lua
import Testing

/// Rows have the digits of their numbers, whether they are read where a script asks for them or made at once.
@Suite struct RowDigitsTests {
  private static let number = "12345678901234567890"
  private static let row =
    #"{"id":18446744073709551001,"v":\#(number),"o":{"v":-0,"w":1},"l":[0.10000000000000001,2]}"#

  /// What a script does with `row`, and what takes the place of a part of it.
  private static let deeds: [(deed: String, part: String, becomes: String)] = [
    ("", "", ""), ("local _ = row.v, row.o.v, row.l[1]", "", ""), ("for _ in pairs(row) do end", "", ""),
    ("for _ in pairs(row) do local _ = row.v end next(row)", "", ""), ("next(row)", "", ""),
    ("rawget(row, 'v')", "", ""), ("rawset(row, 'v', row.v)", "", ""), ("encode(row)", "", ""),
    ("encode(rows)", "", ""), ("row[1] = 2 row[1] = nil", "", ""), ("row.o, row.l = row.o, row.l", "", ""),
    ("local o = row.o next(row) row.o = o", "", ""), ("row.v = 2", number, "2"),
    ("row.v = nil", #""v":\#(number),"#, ""), ("encode(row) row.v = 2", number, "2"),
    ("row.o.w = 2", #""w":1"#, #""w":2"#), ("row.o.w = 2 encode(row)", #""w":1"#, #""w":2"#),
    ("row.l[2] = 3", "01,2]", "01,3]"), ("row.l[2] = row.l[1]", "01,2]", "01,0.1]"),
    // A list that has not the elements that it came with has what Lua has.
    ("row.l[3] = row.l[1]", "0.10000000000000001,2]", "0.1,2,0.1]"),
    ("row.l[1], row.l[2] = row.l[2], row.l[1]", "0.10000000000000001,2]", "2,0.1]"),
    ("table.remove(row.l, 1)", "0.10000000000000001,2]", "2]"),
    ("table.remove(row.l) encode(row)", "0.10000000000000001,2]", "0.1]"),
    ("table.remove(row.l) next(row) row.l[2] = 2", "", ""),
    ("table.insert(row.l, 1, 3)", "0.10000000000000001,2]", "3,0.1,2]"),
    ("table.insert(row.l, 1, 3) table.sort(row.l)", "0.10000000000000001,2]", "0.1,2,3]"),
    // Copies of a script's have what Lua has.
    ("row.o = { v = row.o.v, w = row.o.w }", "-0", "0"),
    ("local copy = {} for name, value in pairs(row.o) do copy[name] = value end row.o = copy", "-0", "0"),
    ("row.l = table.move(row.l, 1, 2, 1, {})", "0.10000000000000001", "0.1"),
    ("row.x = row.v", "2]}", #"2],"x":1.2345678901234567e+19}"#),
  ]

  @Test(arguments: deeds, [true, false]) func `whatever is done beside them`(
    _ test: (deed: String, part: String, becomes: String), _ isLazy: Bool
  ) throws {
    let state = try state(isLazy: isLazy, document: "[{\"id\":1},\(Self.row)]")

    try state.run("row = rows[2] \(test.deed)")
    let written = try written("rows", in: state)

    let expected = test.part.isEmpty ? Self.row : Self.row.replacing(test.part, with: test.becomes)
    #expect(written.lines == [#"{"id":1}"#, expected])
    #expect(written.ids == [.integer(1), .text("18446744073709551001")])
  }

  /// Numbers of one double, one that a script may well round to its double, and two zeros.
  private static let numbers =
    #"{"id":18446744073709551001,"b":18446744073709551002,"p":19.999999999999999999,"z":-0,"n":0}"#
  private static let rounded = "1.8446744073709552e+19"

  /// What a script sets in `row`, which is `numbers`, and what takes the place of a part of it where the row is lazy.
  private static let assignments: [(deed: String, part: String, becomes: String)] = [
    ("local _ = row.id + row.b + row.p + row.z", "", ""), ("row.n = 0", "", ""),
    ("row.id = row.id", "18446744073709551001", rounded), ("row.id = row.b", "18446744073709551001", rounded),
    ("row.id = rows[1].id", "18446744073709551001", rounded),
    ("row.b = row.b + 500", "18446744073709551002", rounded),
    ("row.b = nil row.b = row.id", "18446744073709551002", rounded),
    ("row.b = row.id encode(row)", "18446744073709551002", rounded),
    ("row.b = row.id next(row)", "18446744073709551002", rounded),
    ("row.b = row.id row[1] = 1 row[1] = nil", "18446744073709551002", rounded),
    ("row.b = row.id row.b = row.b", "18446744073709551002", rounded),
    ("row.b = 2^64 encode(rows)", "18446744073709551002", rounded),
    ("row.p = math.floor(row.p * 100 + 0.5) / 100", "19.999999999999999999", "20.0"),
    ("row.z = 0", "-0", "0"),
    ("row.id, row.b = row.b, row.id", ids, #"\#(rounded),"b":\#(rounded)"#),
    (
      "for name, value in pairs(row) do row[name] = value end", #"\#(ids),"p":19.999999999999999999,"z":-0"#,
      #"\#(rounded),"b":\#(rounded),"p":20.0,"z":0"#
    ),
  ]
  private static let ids = #"18446744073709551001,"b":18446744073709551002"#

  @Test(arguments: assignments) func `what a script sets in a lazy row is written as Lua has it`(
    _ test: (deed: String, part: String, becomes: String)
  ) throws {
    let first = #"{"id":18446744073709551003}"#
    let state = try state(isLazy: true, document: "[\(first),\(Self.numbers)]")

    try state.run("row = rows[2] \(test.deed)")
    let written = try written("rows", in: state)

    let expected =
      test.part.isEmpty ? Self.numbers : Self.numbers.replacing(test.part, with: test.becomes)
    let id = expected.contains("18446744073709551001") ? EncodedItems.ID.text("18446744073709551001") : .other
    #expect(written.lines == [first, expected])
    #expect(written.ids == [.text("18446744073709551003"), id])
  }

  @Test(arguments: assignments, ["", "next(row)", "encode(row)", "rawlen(row)"])
  func `in a plain table, a number that is set where it came is the one that came`(
    _ test: (deed: String, part: String, becomes: String), _ before: String
  ) throws {
    let document = #"[{"id":18446744073709551003},\#(Self.numbers)]"#
    let state = try state(isLazy: !before.isEmpty, document: document)

    try state.run("row = rows[2] \(before) \(test.deed)")

    #expect(try written("rows", in: state).lines.last == Self.numbers)
  }

  private static let others: [(deed: String, part: String, becomes: String)] = [
    ("row.z = -0.0", "-0", "-0.0"), ("row.b = nil local _ = row.b", #""b":18446744073709551002,"#, ""),
    ("row.b = row.p", "18446744073709551002", "20.0"),
  ]

  @Test(arguments: others, [true, false])
  func `another number is written in any table`(
    _ test: (deed: String, part: String, becomes: String), _ isLazy: Bool
  ) throws {
    let state = try state(isLazy: isLazy, document: "[\(Self.numbers)]")

    try state.run("row = rows[1] \(test.deed)")

    let expected = Self.numbers.replacing(test.part, with: test.becomes)
    #expect(try written("rows", in: state).lines == [expected])
  }

  @Test func `rows of which a script is known to read members leave theirs in the document`() throws {
    let rows = (1...5).map { #"{"id":\#($0),"v":1844674407370955100\#($0),"z":-0,"f":0.5,"n":"x"}"# }
    let state = try state(isLazy: true, document: "[\(rows.joined(separator: ","))]")

    try state.run(
      """
      for _, row in ipairs(rows) do local _ = row.v + row.z + row.f, row.n end
      rows[2].f, rows[4].v, rows[5].v, rows[5].z = 0.5, rows[4].v, rows[1].v, 0
      """)

    let changed = [
      #"{"id":4,"v":\#(Self.rounded),"z":-0,"f":0.5,"n":"x"}"#,
      #"{"id":5,"v":\#(Self.rounded),"z":0,"f":0.5,"n":"x"}"#,
    ]
    #expect(try written("rows", in: state).lines == Array(rows.prefix(3)) + changed)
  }

  @Test(arguments: [true, false])
  func `numbers of one double do not move within a list`(_ isLazy: Bool) throws {
    let document = #"[{"id":1,"l":[18446744073709551001,18446744073709551002,18446744073709551003]}]"#
    let state = try state(isLazy: isLazy, document: document)

    try state.run("table.remove(rows[1].l, 1)")

    let expected = #"{"id":1,"l":[\#(Self.rounded),\#(Self.rounded)]}"#
    #expect(try written("rows", in: state).lines == [expected])
  }

  @Test(arguments: [(62, "1.2345678901234567e+19"), (63, number)])
  func `a row of more members than lazy ones may have is a plain table`(
    _ count: Int, _ becomes: String
  ) throws {
    let members = (1...count).map { #""m\#($0)":\#(Self.number)"# }
    let state = try state(isLazy: true, document: "[{\(members.joined(separator: ","))}]")

    try state.run("rows[1].m1 = rows[1].m2")

    let expected = [#""m1":\#(becomes)"#] + Array(members.dropFirst())
    #expect(try written("rows", in: state).lines == ["{\(expected.joined(separator: ","))}"])
  }

  @Test(arguments: [62, 63, 64, 65, 200], ["", "row.m2 = 7", "encode(row)", "local _ = row.m1"])
  func `rows of any number of members`(_ count: Int, _ deed: String) throws {
    let members = (1...count).map { #""m\#($0)":\#($0 == 2 ? "2" : Self.number)"# }
    let row = "{\(members.joined(separator: ","))}"
    let state = try state(isLazy: true, document: "[\(row)]")

    try state.run("row = rows[1] \(deed)")

    let expected = deed.contains("m2") ? row.replacing(#""m2":2"#, with: #""m2":7"#) : row
    #expect(try written("rows", in: state).lines == [expected])
  }

  @Test(arguments: ["local _ = row.a", "row.a = 3", "encode(row)"])
  func `rows that have a key twice`(_ deed: String) throws {
    let state = try state(isLazy: true, document: #"[{"id":1,"v":\#(Self.number),"a":1,"a":2}]"#)

    try state.run("row = rows[1] \(deed)")

    #expect(
      try written("rows", in: state).lines == [
        #"{"id":1,"v":\#(Self.number),"a":\#(deed.hasPrefix("row.a =") ? 3 : 2)}"#
      ])
  }

  @Test func `rows beyond those that lazy ones may hold`() throws {
    let state = try state(isLazy: true, document: "[]")
    let pad = String(repeating: "x", count: 1 << 20)
    try state.run("kept = {}")

    for _ in 0..<24 {
      try state.pushJSON(#"[{"id":1,"v":\#(Self.number)},{"pad":"\#(pad)"}]"#)
      state.setGlobal("rows")
      try state.run("rows[1].n = 2 kept[#kept + 1] = rows[1]")
    }

    let expected = #"{"id":1,"v":\#(Self.number),"n":2}"#
    #expect(try written("kept", in: state).lines == Array(repeating: expected, count: 24))
  }

  @Test(arguments: [true, false])
  func `ids beyond those of 64 bits are none, in any row`(_ isLazy: Bool) throws {
    let state = try state(isLazy: isLazy, document: #"[{"id":18446744073709551616},{"id":-0}]"#)

    try state.run("for _, row in ipairs(rows) do row.n = 1 end")

    #expect(try written("rows", in: state).ids == [.other, .integer(0)])
  }

  @Test func `items that are numbers have them`() throws {
    let state = try state(isLazy: true, document: "[\(Self.number),5,-0,[-0]]")

    #expect(try written("rows", in: state).lines == [Self.number, "5", "-0", "[-0]"])
  }

  @Test func `a row for whose digits there was no memory has them later`() throws {
    let digits = "0." + String(repeating: "1", count: 300_000)
    let row = #"{"id":1,"v":\#(digits)}"#
    let state = try state(isLazy: true, document: "[\(row)]")
    try state.run("row = rows[1]")
    state.collect()
    state.setBudget(LuaBudget(memory: state.memoryUsed + 100_000))

    #expect(state.failure(of: "next(row)")?.message.contains("not enough memory") == true)
    state.setBudget(LuaBudget())
    #expect(try written("rows", in: state).lines == [row])
    try state.run("next(row) row.id = 2")
    #expect(try written("rows", in: state).lines == [row.replacing(#""id":1"#, with: #""id":2"#)])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `what comes of them is the same to the last byte`(_ seed: UInt64) throws {
    for round in 0..<200 {
      var all: [Written] = []
      for isLazy in [true, false] {
        let state = try state(isLazy: isLazy, document: "[]", seed: seed &* 1000 &+ UInt64(round))
        try state.run(Self.course)
        all.append(try written("rows", in: state))
      }
      #expect(all[0] == all[1], "seed \(seed), round \(round)")
      if all[0] != all[1] { return }
    }
  }

  private struct Written: Equatable {
    let lines: [String]
    let ids: [EncodedItems.ID]
  }

  private func written(_ name: String, in state: LuaState) throws -> Written {
    state.pushGlobals()
    state.stack.pushField(name, of: -1)
    defer { state.stack.pop(2) }
    let items = try #require(try state.stack.encodeItems(at: -1, idField: "id"))
    defer { EncodedItems.free(items.base) }
    let bytes = UnsafeRawBufferPointer(start: items.base, count: items.count)
    return Written(
      lines: items.indices.map { String(decoding: bytes[items.range(at: $0)], as: UTF8.self) },
      ids: items.indices.map(items.id(at:)))
  }

  private func state(isLazy: Bool, document: String, seed: UInt64 = 0) throws -> LuaState {
    let state = LuaState(randomSeed: seed)
    state.stack.setLazyRows(isLazy)
    state.defineJSON()
    try state.pushJSON(document)
    state.setGlobal("rows")
    return state
  }

  /// Does to rows of a random document what comes to its mind. Its text is as an encoder would write it.
  private static let course = """
    local random = math.random
    local function any(list) return list[random(#list)] end
    local keys, inner = { 'id', 'a', 'b', 'c' }, { 'x', 'y', 'z' }
    local numbers = { '12345678901234567890', '12345678901234567891', '-0', '0.10000000000000001', '1e-400',
      '123456789012345678901234567890', '7', '0', '1.5', '100.0', '1e+20', '-0.0' }
    local value

    local function object(names, depth, least)
      local parts = {}
      for _, name in ipairs(names) do
        if random(3) > least then parts[#parts + 1] = '"' .. name .. '":' .. value(depth) end
      end
      return '{' .. table.concat(parts, ',') .. '}'
    end

    function value(depth)
      local kind = random(depth > 2 and 5 or 8)
      if kind < 4 then return any(numbers) end
      if kind < 6 then return any { '"x"', 'true', 'null', '"]}"' } end
      if kind < 8 then return object(inner, depth + 1, 1) end
      local parts = {}
      for place = 1, random(0, 3) do parts[place] = value(depth + 1) end
      return '[' .. table.concat(parts, ',') .. ']'
    end

    -- Keys come in the order in which they were first seen, and what a row gets behind what it has.
    decode('{"id":0,"a":0,"b":0,"c":0,"x":0,"y":0,"z":0}')
    local texts = {}
    for place = 1, random(5) do texts[place] = object(keys, 1, 0) end
    rows = decode('[' .. table.concat(texts, ',') .. ']')

    local function isList(given) return type(given) == 'table' and rawlen(given) > 0 end
    local function isObject(given) return type(given) == 'table' and type(next(given)) == 'string' end
    local function new() return any { 7, 1.5, 'text', false, 0, -0.0, 12345678901234567890.0, 0.1 } end
    -- A number that no row came with: a lazy one knows of a number that came that it was set again, a plain one doesn't.
    local function own(given) return type(given) == 'number' and given * 2 + 1 or given end
    local function copy(given)
      if type(given) ~= 'table' then return given end
      local copied = {}
      for name, member in pairs(given) do copied[name] = member end
      return copied
    end
    local does = {
      function(row, key) local _ = row[key] end,
      function(row, key) row[key] = own(row[key]) end,
      function(row, key) row[key] = own(new()) end,
      function(row, key) row[key] = nil end,
      function(row, key) row.new = row[key] end,
      function(row, key) if isObject(row[key]) then row[key][any(inner)] = new() end end,
      function(row, key) if isObject(row[key]) then row[key].x = row[key].x end end,
      function(row, key) if isList(row[key]) then row[key][1] = new() end end,
      function(row, key) if isList(row[key]) then row[key][#row[key] + random(0, 1)] = new() end end,
      function(row, key) if isList(row[key]) then table.insert(row[key], 1, table.remove(row[key])) end end,
      function(row, key) if isList(row[key]) then table.remove(row[key], 1) end end,
      function(row, key) row[key] = own(copy(row[key])) end,
      function(row, key) row[key] = own(any(rows)[any(keys)]) end,
      function(row) for name, member in pairs(row) do row[name] = own(member) end end,
      function(row) encode(row) end,
      function() encode(rows) end,
      function(row) next(row) end,
      function(row, key) rawget(row, key) end,
      function(row, key) rawset(row, key, random(5)) end,
      function(row) row[1] = 1 row[1] = nil end,
    }
    for _ = 1, random(20) do any(does)(any(rows), any(keys)) end
    """
}
