import Lua
import Testing

/// Rows have the digits of their numbers, whether they are read where a script asks for them or made at once.
@Suite struct RowDigitsTests {
  private static let number = "12345678901234567890"
  private static let row =
    #"{"id":18446744073709551001,"v":\#(number),"o":{"v":-0,"w":1},"l":[0.10000000000000001,2]}"#

  /// What a script does with `row`, and what takes the place of a part of it.
  private static let deeds: [(deed: String, part: String, becomes: String)] = [
    ("", "", ""), ("local _ = row.v, row.o.v, row.l[1]", "", ""), ("row.v = row.v row.id = row.id", "", ""),
    ("row.v = 12345678901234567890.0", "", ""), ("row.v = nil row.v = 12345678901234567890.0", "", ""),
    ("for name, value in pairs(row) do row[name] = value end", "", ""), ("next(row)", "", ""),
    ("rawget(row, 'v')", "", ""), ("rawset(row, 'v', row.v)", "", ""), ("encode(row)", "", ""),
    ("encode(rows)", "", ""), ("row[1] = 2 row[1] = nil", "", ""), ("row.o, row.l = row.o, row.l", "", ""),
    ("local o = row.o next(row) row.o = o", "", ""), ("row.v = 2", number, "2"),
    ("row.v = nil", #""v":\#(number),"#, ""), ("encode(row) row.v = 2", number, "2"),
    ("row.o.w = 2", #""w":1"#, #""w":2"#), ("row.o.w = 2 encode(row)", #""w":1"#, #""w":2"#),
    ("row.l[2] = 3", "01,2]", "01,3]"), ("row.l[3] = row.l[1]", "01,2]", "01,2,0.1]"),
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
    state.define("encode") { call in
      do throws(JSONError) {
        call.stack.push(try call.stack.json(at: 1))
        return .results(1)
      } catch {
        throw HostFunctionError.misuse(error.message)
      }
    }
    state.define("decode") { call in
      var text = call.stack.string(at: 1) ?? ""
      try text.withUTF8 { try call.stack.pushJSON(UnsafeRawBufferPointer($0)) }
      return .results(1)
    }
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
    local function copy(given)
      if type(given) ~= 'table' then return given end
      local copied = {}
      for name, member in pairs(given) do copied[name] = member end
      return copied
    end
    local does = {
      function(row, key) local _ = row[key] end,
      function(row, key) row[key] = row[key] end,
      function(row, key) row[key] = new() end,
      function(row, key) row[key] = nil end,
      function(row, key) row.new = row[key] end,
      function(row, key) if isObject(row[key]) then row[key][any(inner)] = new() end end,
      function(row, key) if isObject(row[key]) then row[key].x = row[key].x end end,
      function(row, key) if isList(row[key]) then row[key][1] = new() end end,
      function(row, key) row[key] = copy(row[key]) end,
      function(row, key) row[key] = any(rows)[any(keys)] end,
      function(row) for name, member in pairs(row) do row[name] = member end end,
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
