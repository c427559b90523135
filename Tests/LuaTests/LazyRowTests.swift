import Lua
import TestSupport
import Testing

/// Rows are read where a script asks for their members; one made at once must not be any different.
@Suite struct LazyRowTests {
  /// What a script does with `row`, the second of three; what comes of it, and the line that is written for it (nil: as it came).
  static let all: [(text: String, result: LuaValue?, line: String?)] = [
    ("return row.n", .string("b"), nil),
    ("return row.f", .number(1.5), nil),
    ("return row.missing", .nil, nil),
    ("return row[1]", .nil, nil),
    ("return row == rows[2]", .boolean(true), nil),
    ("return #row", .integer(0), nil),
    ("return row.list == row.list", .boolean(true), #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ]}"#),
    ("row.id = 7 return row.id", .integer(7), #"{"id":7,"n":"b","f":1.50,"list":[1, {"x":1} ]}"#),
    ("row.n = nil return row.n", .nil, #"{"id":2,"f":1.50,"list":[1, {"x":1} ]}"#),
    (
      "row.n = nil row.n = 'c' return row.n", .string("c"), #"{"id":2,"n":"c","f":1.50,"list":[1, {"x":1} ]}"#
    ),
    ("row.id = 7 row.id = nil return row.id", .nil, #"{"n":"b","f":1.50,"list":[1, {"x":1} ]}"#),
    ("row.z = 1 return row.z", .integer(1), #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ],"z":1}"#),
    ("row.z = 1 row.z = nil return row.z", .nil, nil),
    (
      "row.b = 1 row.a = 2 row.n = false", .nil,
      #"{"id":2,"n":false,"f":1.50,"list":[1, {"x":1} ],"a":2,"b":1}"#
    ),
    (
      "row.list[2].x = 'y' return row.list[2].x", .string("y"),
      #"{"id":2,"n":"b","f":1.50,"list":[1,{"x":"y"}]}"#
    ),
    ("row.list = nil return row.list", .nil, #"{"id":2,"n":"b","f":1.50}"#),
    ("row.id = nil row.n = nil row.f = nil row.list = nil row.a = 1", .nil, #"{"a":1}"#),
    ("row.id = nil row.n = nil row.f = nil row.list = nil", .nil, "{}"),
    ("row.n = nil return rawget(row, 'n')", .nil, #"{"id":2,"f":1.5,"list":[1,{"x":1}]}"#),
    ("row.n = 1 return rawget(row, 'n')", .integer(1), #"{"id":2,"n":1,"f":1.5,"list":[1,{"x":1}]}"#),
    ("rawset(row, 'id', 3) return row.id", .integer(3), #"{"id":3,"n":"b","f":1.5,"list":[1,{"x":1}]}"#),
    ("return rawlen(row)", .integer(0), #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#),
    (
      "row.id = nil row.z = 1 local c = 0 for _ in pairs(row) do c = c + 1 end return c", .integer(4),
      #"{"n":"b","f":1.50,"list":[1, {"x":1} ],"z":1}"#
    ),
    (
      "local l = row.list for k, v in pairs(row) do if k == 'list' then return v == l end end",
      .boolean(true),
      #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ]}"#
    ),
    (
      "row.z = 1 local t = {} for k in pairs(row) do t[#t + 1] = k end return table.concat(t, ' ')",
      .string("id n f list z"), #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ],"z":1}"#
    ),
    (
      "for k in pairs(row) do if k == 'n' then row.n = nil else row[k] = 1 end end return row.n", .nil,
      #"{"id":1,"f":1,"list":1}"#
    ),
    (
      "local t = {} for k in pairs(row) do t[#t + 1] = k rawset(row, 'id', 9) end return #t", .integer(4),
      #"{"id":9,"n":"b","f":1.5,"list":[1,{"x":1}]}"#
    ),
    (
      "local t = {} for k in pairs(row) do t[#t + 1] = k row[1] = 2 row[1] = nil end return #t", .integer(4),
      #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#
    ),
    ("local f, s = pairs(row) return f(s, 'n')", .string("f"), nil),
    ("local f, s = pairs(row) return f(s, 'list')", .nil, nil),
    (
      "local f, s = pairs(row) return select(2, pcall(f, s, 'no')):match('invalid key')",
      .string("invalid key"), nil
    ),
    ("local f = pairs(row) return select(2, f(rows[1]))", .integer(1), nil),
    (
      "local f, c = pairs({}), 0 for _ in f, row do c = c + 1 end return f({}) or c", .integer(4),
      #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#
    ),
    ("return pairs({}) == next", .boolean(true), nil),
    ("return next(row) ~= nil", .boolean(true), #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#),
    ("return getmetatable(row)", .nil, #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#),
    (
      "return setmetatable(row, { __index = function() return 9 end }).missing", .integer(9),
      #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#
    ),
    ("return setmetatable({}, { __index = row }).n", .string("b"), nil),
    ("local t = setmetatable({}, row) return t.n", .nil, #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#),
    (
      "local t = {} t[row] = 1 for _ in pairs(row) do end return t[row]", .integer(1),
      #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ]}"#
    ),
    ("rows = nil collect() return row.n", .string("b"), nil),
    (
      "return select(2, pcall(function() return row.n.x.y end)):match(\"field 'x'\")", .string("field 'x'"),
      nil
    ),
    (
      "return select(2, pcall(function() row[nil] = 1 end)):match('index is nil')", .string("index is nil"),
      #"{"id":2,"n":"b","f":1.5,"list":[1,{"x":1}]}"#
    ),
  ]

  static let document = #"[{"id":1},{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ]},{"id":3}]"#
  static let came = #"{"id":2,"n":"b","f":1.50,"list":[1, {"x":1} ]}"#

  @Test(arguments: all) func `a row is a table like any other`(
    _ test: (text: String, result: LuaValue?, line: String?)
  ) throws {
    let state = try state(isLazy: true, document: Self.document)
    try state.run("row = rows[2]")

    #expect(try state.run(test.text) == test.result)
    #expect(try written("row", in: state) == test.line ?? Self.came)
  }

  @Test(arguments: [
    ("row.k = 2", "{\"k\":2}"), ("row.k = nil", "{}"), ("row.z = 1", "{\"k\":3,\"z\":1}"),
    ("return row.k", "{\"k\":3}"),
  ]) func `of two members with one name a script sees the last, and it is the one that is written`(
    _ text: String, _ line: String
  ) throws {
    let state = try state(isLazy: true, document: "[{\"k\" : 1,\"k\":3 }]")
    try state.run("row = rows[1]")
    let value = try state.run(text)

    #expect(value == .nil || value == .integer(3))
    #expect(try written("row", in: state) == line)
    #expect(try written("rows[1]", in: state) == line)
  }

  @Test func `rows of one list are lazy, plain, as they came and of different kinds, each by itself`() throws
  {
    let document =
      #"[{"a" : 1.50},{"a":2.50,"b":1},{"a":3.50,"a":4.50},{"a":5.50},{"a":"x","b":2.50}, {"a": 7.50 }]"#
    let state = try state(isLazy: true, document: document)
    try state.run("rows[2].b = 2 next(rows[4]) rows[5].b = 3 local _ = rows[1].a + rows[3].a")
    state.pushGlobals()
    state.stack.pushField("rows", of: -1)
    let items = try #require(try state.stack.encodeItems(at: -1, idField: "a"))
    defer { EncodedItems.free(items.base) }
    let text = String(decoding: UnsafeRawBufferPointer(start: items.base, count: items.count), as: UTF8.self)

    #expect(
      text.split(separator: "\n") == [
        #"{"a" : 1.50}"#, #"{"a":2.50,"b":2}"#, #"{"a":4.5}"#, #"{"a":5.5}"#, #"{"a":"x","b":3}"#,
        #"{"a": 7.50 }"#,
      ])
  }

  @Test func `a row of several lines is written on one, with what was changed`() throws {
    let state = try state(
      isLazy: true, document: "[{\n  \"a\": \"x,}\\\"\",\n  \"b\": [\n 1 ],\n\t\"c\": {\"d\": 1}\n}]")
    try state.run("row = rows[1] row.b = 2")

    #expect(try written("row", in: state) == #"{"a": "x,}\"","b":2,"c": {"d": 1}}"#)
  }

  @Test(arguments: ["", "local _ = row.b", "row.b = row.b", "next(row)"])
  func `a script gets the same text of a row, whatever it has done with it`(text: String) throws {
    let state = try state(isLazy: true, document: #"[{"b": 1.50,  "a": [1 ,2], "u": "\u0041"}]"#)
    try state.run("row = rows[1] \(text)")
    state.pushGlobals()
    state.stack.pushField("row", of: -1)

    #expect(try state.stack.json(at: -1) == #"{"b":1.5,"a":[1,2],"u":"A"}"#)
  }

  @Test func `the ids of rows are those that a script has given them`() throws {
    let state = try state(isLazy: true, document: #"[{"id":1},{"id":2},{"id":3},{"n":4},{"id":5}]"#)
    try state.run("rows[1].id = 'x' rows[2].id = nil rows[3].n = 1 rows[4].id = 9 local _ = rows[5].id")
    state.pushGlobals()
    state.stack.pushField("rows", of: -1)
    let items = try #require(try state.stack.encodeItems(at: -1, idField: "id"))
    defer { EncodedItems.free(items.base) }

    #expect(items.indices.map(items.id(at:)) == [.text("x"), .none, .integer(3), .integer(9), .integer(5)])
  }

  @Test func `a script without memory for a row is told so, and the row stays`() throws {
    let text = String(repeating: "x", count: 300_000)
    let state = try state(isLazy: true, document: "[{\"id\":1,\"text\":\"\(text)\"}]")
    try state.run("row = rows[1] row.id = 7 row.n = 2")
    state.collect()
    state.setBudget(LuaBudget(memory: state.memoryUsed + 100_000))

    let texts = [
      "for _ in pairs(row) do end", "next(row)", "rawget(row, 1)", "row[1] = 2", "return row.text",
    ]
    for text in texts {
      #expect(state.failure(of: text)?.message.contains("not enough memory") == true, "\(text)")
    }
    state.setBudget(LuaBudget())
    #expect(try state.run("return row.id + row.n + #row.text") == .integer(300_009))
    #expect(
      try state.run("local c = 0 for _ in pairs(row) do c = c + 1 end return c + row.id") == .integer(10))
  }

  @Test func `a row for which there was no memory at first is whole later`() throws {
    let text = String(repeating: "x", count: 300_000)
    let rows = (1...3).map { "{\"id\":\($0),\"n\":5,\"text\":\"\(text)\"}" }
    let state = try state(isLazy: true, document: "[\(rows.joined(separator: ","))]")
    // What was asked of two rows is put into the third.
    try state.run("for place = 1, 2 do local row = rows[place] local _, _, _ = row.id, row.n, row.text end")
    state.collect()
    state.setBudget(LuaBudget(memory: state.memoryUsed + 100_000))

    #expect(state.failure(of: "local _ = rows[3]")?.message.contains("not enough memory") == true)
    state.setBudget(LuaBudget())
    #expect(try written("rows[3]", in: state) == rows[2])
    #expect(try state.run("return rows[3].id + rows[3].n + #rows[3].text") == .integer(300_008))
  }

  @Test func `a script that keeps a row of each of many pages keeps some of the pages only`() throws {
    let state = LuaState()
    let page = "[{\"id\":1,\"n\":2},{\"text\":\"\(String(repeating: "x", count: 1 << 20))\"}]"
    try state.run("kept = {}")
    for _ in 0..<60 {
      try state.pushJSON(page)
      state.setGlobal("rows")
      try state.run("kept[#kept + 1] = rows[1] rows = nil")
      state.collect()
    }

    #expect(state.memoryUsed < 40 << 20)
    #expect(
      try state.run("local s = 0 for _, row in ipairs(kept) do s = s + row.n end return s") == .integer(120))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func `no script can tell`(_ seed: UInt64) throws {
    for round in 0..<300 {
      var logs: [String] = []
      for isLazy in [true, false] {
        let state = LuaState(randomSeed: seed &* 1000 &+ UInt64(round))
        state.stack.setLazyRows(isLazy)
        try run(state)
        logs.append(try log(of: state))
      }
      #expect(logs[0] == logs[1], "seed \(seed), round \(round)")
      if logs[0] != logs[1] { return }
    }
  }

  private func written(_ name: String, in state: LuaState) throws -> String {
    try state.load("return { \(name) }", name: "test.lua")
    try state.call(arguments: 0, results: 1)
    defer { state.stack.pop() }
    let items = try #require(try state.stack.encodeItems(at: -1, idField: nil))
    defer { EncodedItems.free(items.base) }
    let bytes = UnsafeRawBufferPointer(start: items.base, count: items.count)
    return String(decoding: bytes[items.range(at: 0)], as: UTF8.self)
  }

  private func state(isLazy: Bool, document: String) throws -> LuaState {
    let state = LuaState()
    state.stack.setLazyRows(isLazy)
    state.define("collect") { [unowned state] _ in
      state.collect()
      return .nothing
    }
    try state.pushJSON(document)
    state.setGlobal("rows")
    return state
  }

  private func run(_ state: LuaState) throws {
    state.defineJSON()
    try state.run(Self.course)
  }

  private func log(of state: LuaState) throws -> String {
    guard case .string(let text)? = try state.run("return table.concat(log, '\\n')") else { return "" }
    return text
  }

  /// Does to rows of a random document what comes to its mind, and notes all it sees.
  private static let course = """
    log = {}
    local random = math.random
    local function any(list) return list[random(#list)] end
    local keys = { 'id', 'a', 'b', 'c', 'a b', 'é', 'q"', '1', '' }
    local function note(...) log[#log + 1] = table.concat({ ... }, ' ') end

    local function value(depth)
      local kind = random(depth > 2 and 6 or 9)
      if kind == 1 then return any { '1.50', '-0', '1e2', '12345678901234567890123', '7', '0.1' }
      elseif kind == 2 then return any { '"x"', '"\\\\u0041"', '"]}"', '"\\\\\\\\"', '"\\\\""', '""', '"é"' }
      elseif kind == 3 then return any { 'true', 'false', 'null' }
      elseif kind < 7 then return tostring(random(100))
      elseif kind == 7 then return '[]'
      end
      local isList, parts = kind == 8, {}
      for place = 1, random(0, 4) do
        parts[place] = (isList and '' or ('"%s" : '):format(any { 'x', 'y', 'z' })) .. value(depth + 1)
      end
      local between = any { ',', ' , ', ',\\n  ' }
      return (isList and '[ %s ]' or '{%s }'):format(table.concat(parts, between))
    end

    local function object()
      local parts = {}
      for place = 1, random(0, 6) do
        local key = any(keys):gsub('"', '\\\\"')
        parts[place] = '"' .. key .. '"' .. any { ':', ' : ' } .. value(1)
      end
      return '{' .. any { '', ' ' } .. table.concat(parts, any { ',', ' ,\\n ' }) .. any { '', ' ', '\\n' } .. '}'
    end

    local function shown(given, depth)
      if type(given) ~= 'table' then return math.type(given) == 'float' and ('%.17g'):format(given) or tostring(given):gsub('0x%x+', '') end
      if (depth or 0) > 8 then return '...' end
      local parts = {}
      for key, member in pairs(given) do parts[#parts + 1] = tostring(key) .. '=' .. shown(member, (depth or 0) + 1) end
      table.sort(parts)
      return '{' .. table.concat(parts, ';') .. '}'
    end

    local function written(given)
      local is, text = pcall(encode, given)
      -- Once more, since a text that is not changed stays as it came.
      -- Which of several wrong keys is named depends on where a table has them.
      note(is and shown(decode(text)) or text:gsub('the key .- beside', 'a key beside'))
    end

    -- What is done in a walk with the member that it is at, whose place in it is not always the same.
    local meets = {
      function(row, name) row[name] = random(9) end,
      function(row, name) row[name] = nil end,
      function(row, name) row[name] = { random(3) } end,
      function(row, name) rawset(row, name, random(5)) end,
      function(row) note(tostring(next(row) == nil)) end,
      function(row) note(shown(row)) end,
      function(row) written(row) end,
      function(row) setmetatable(row, nil) end,
      function() collectgarbage() end,
    }

    local function walked(row, chosen, walk, given)
      local parts, meet = {}, any(meets)
      for name, member in walk, given do
        -- A row may be within itself, where what was done with it shows sooner or later.
        parts[#parts + 1] = tostring(name) .. '=' .. shown(member, 9)
        if name == chosen then meet(row, name) end
      end
      table.sort(parts)
      note(table.concat(parts, ';'))
    end

    local texts = {}
    for place = 1, random(1, 5) do texts[place] = object() end
    if random(3) == 1 then for place = 2, 6 do texts[place] = texts[1] end end
    rows = decode('[' .. table.concat(texts, any { ',', '\\n,' }) .. ']')
    local seen = {}
    local does = {
      function(row, key) note(shown(row[key])) end,
      function(row, key) note(type(row[key])) end,
      function(row, key) row[key] = random(9) end,
      function(row, key) row[key] = any { 'text', 1.5, false } end,
      function(row, key) row[key] = nil end,
      function(row, key) row[key] = { random(3) } end,
      function(row, key) local other = any(rows)[any(keys)] if other ~= row then row[key] = other end end,
      function(row, key) if type(row[key]) == 'table' then row[key].x = random(5) end end,
      function(row, key) if type(row[key]) == 'table' then note(#row[key]) end end,
      function(row, key) note(shown(rawget(row, key))) end,
      function(row, key) rawset(row, key, random(5)) end,
      function(row) note(rawlen(row), #row, type(getmetatable(row)), tostring(next(row) == nil)) end,
      function(row, key) if random(8) == 1 then row[random(3)] = 'list' end end,
      function(row) if random(5) == 1 then note(shown(row)) end end,
      function(row) written(row) end,
      function(row) written { row } end,
      function(row, key) walked(row, key, pairs(row)) end,
      function(row, key) walked(row, any(keys), pairs(any(rows)), row) end,
      function(row, key) note(select('#', pcall(pairs(row), row, 'none')), select(2, pairs(row)) == row and 'row' or 'none') end,
      function(row, key) for _, other in ipairs(rows) do note(shown(other[key])) other.new = random(3) other[any(keys)] = 'set' end end,
      function(row, key) for place = 1, 20 do row['new' .. place] = place end row.new3 = nil end,
      function() written(rows) end,
      function(row, key) for _, other in ipairs(rows) do if rawequal(other, row) then note('same') end end end,
      function(row) seen[row] = (seen[row] or 0) + 1 note(seen[row]) end,
      function() if random(10) == 1 then table.insert(rows, { id = random(9) }) end end,
      function() if random(10) == 1 and #rows > 1 then note(shown(table.remove(rows))) end end,
      function(row) if random(10) == 1 then row[any(keys)] = row note(pcall(encode, row) and 'one' or 'none') row[any(keys)] = nil end end,
    }
    for _ = 1, random(1, 30) do
      local row = any(rows)
      if row then any(does)(row, any(keys)) end
    end
    written(rows)
    """
}
