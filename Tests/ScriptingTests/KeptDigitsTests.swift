import Items
import Paging
import Scripting
import Testing

/// A number of an answer has all its digits in the output, whatever way its item takes through a script.
@Suite struct KeptDigitsTests {
  private static let v = "12345678901234567890"

  /// What a fetch handler makes of an answer, and the items; $ is a number of many digits.
  private static let ways: [(answer: String, way: String, items: [String])] = [
    (#"[{"id":1,"v":$}]"#, "answer", [#"{"id":1,"v":$}"#]),
    (#"{"id":1,"v":$}"#, "{ answer }", [#"{"id":1,"v":$}"#]),
    (#"{"ids":[$,2,-0]}"#, "answer.ids", ["$", "2", "-0"]),
    (
      #"{"edges":[{"node":{"id":1,"v":$}},{"node":{"id":2,"v":-0,"w":[$]}}]}"#, "nodes(answer.edges)",
      [#"{"id":1,"v":$}"#, #"{"id":2,"v":-0,"w":[$]}"#]
    ),
    (
      #"{"items":{"a":{"id":1,"v":$},"b":{"id":2,"v":0.10000000000000001}}}"#, "values(answer.items)",
      [#"{"id":1,"v":$,"key":"a"}"#, #"{"id":2,"v":0.10000000000000001,"key":"b"}"#]
    ),
    (
      #"{"columns":["id","v"],"rows":[[1,$],[2,3]]}"#, "named(answer.rows, answer.columns)",
      [#"{"id":1,"v":$}"#, #"{"id":2,"v":3}"#]
    ),
    (#"[{"id":1,"v":$,"a":1,"a":2}]"#, "touched(answer)", [#"{"id":1,"v":$,"a":2,"n":1}"#]),
    ("[{" + many + "}]", "touched(answer)", ["{" + many + #","n":1}"#]),
  ]
  private static let many = (1...70).map { #""m\#($0)":$"# }.joined(separator: ",")

  private static let helpers = """
    local function nodes(edges)
      local items = {}
      for _, edge in ipairs(edges) do items[#items + 1] = edge.node end
      return items
    end
    local function values(map)
      local items = {}
      for _, name in ipairs { "a", "b" } do
        map[name].key = name
        items[#items + 1] = map[name]
      end
      return items
    end
    local function named(rows, columns)
      local items = {}
      for position, row in ipairs(rows) do items[position] = lookahead.json.renamed(row, columns) end
      return items
    end
    local function touched(items)
      for _, item in ipairs(items) do item.n = 1 end
      return items
    end

    """

  @Test(arguments: ways) func `wherever the items are in an answer`(
    _ test: (answer: String, way: String, items: [String])
  ) throws {
    let world = ScriptWorld(["GET http://a/": [.json(Self.filled(test.answer))]])

    let run = try ScriptRun(
      """
      \(Self.helpers)return lookahead.source { fetch = function()
        local answer = lookahead.http.get("http://a/"):json()
        return { items = \(test.way) }
      end }
      """, in: world)

    #expect(run.failure == nil)
    #expect(run.items() == test.items.map(Self.filled))
  }

  @Test func `lines that a script decodes`() throws {
    let world = ScriptWorld()
    world.files["/scripts/a.ndjson"] = Self.filled("{\"id\":1,\"v\":$}\n{\"id\":2,\"v\":[-0]}\n")

    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function()
        local items = {}
        for line in lookahead.fs.lines("a.ndjson") do items[#items + 1] = lookahead.json.decode(line) end
        return { items = items }
      end }
      """, in: world)

    #expect(run.items() == [Self.filled(#"{"id":1,"v":$}"#), #"{"id":2,"v":[-0]}"#])
  }

  /// What a transform does with an item, and what comes of it.
  private static let deeds: [(deed: String, item: String)] = [
    ("lookahead.log.debug('x', item)", came), ("lookahead.json.encode(item)", came),
    ("lookahead.json.encode({ item }, { pretty = true })", came), ("lookahead.csv.encode({ item })", came),
    ("for name, value in pairs(item) do assert(item[name] == value) end", came),
    ("assert(item.v == 12345678901234567890.0)", came), ("item.o.v = item.o.v", came),
    ("item.n = 2", #"{"id":1,"v":$,"n":2,"o":{"v":$}}"#), ("item.n = nil", #"{"id":1,"v":$,"o":{"v":$}}"#),
    ("rawset(item, 'w', 2)", #"{"id":1,"v":$,"n":1,"o":{"v":$},"w":2}"#),
    ("item.o.w = 2", #"{"id":1,"v":$,"n":1,"o":{"v":$,"w":2}}"#),
    ("item.v = 2", #"{"id":1,"v":2,"n":1,"o":{"v":$}}"#), ("item.v = nil", #"{"id":1,"n":1,"o":{"v":$}}"#),
    ("item = item.o item.id = 1", #"{"id":1,"v":$}"#),
    ("item.cost, item.v = item.v, nil", #"{"id":1,"n":1,"o":{"v":$},"cost":1.2345678901234567e+19}"#),
    ("item = { id = item.id, v = item.v }", #"{"id":1,"v":1.2345678901234567e+19}"#),
    ("item.o = { v = item.o.v }", #"{"id":1,"v":$,"n":1,"o":{"v":1.2345678901234567e+19}}"#),
    ("item = lookahead.json.renamed(item, { id = 'id', v = 'cost', x = 'y' })", #"{"id":1,"cost":$}"#),
  ]
  private static let came = #"{"id":1,"v":$,"n":1,"o":{"v":$}}"#

  @Test(arguments: deeds, [true, false]) func `whatever a transform does beside them`(
    _ test: (deed: String, item: String), _ isRow: Bool
  ) throws {
    let answer = isRow ? "[\(Self.came)]" : Self.came

    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item) \(test.deed) return item end,
        fetch = function()
          local answer = lookahead.json.decode('\(Self.filled(answer))')
          return { items = \(isRow ? "answer" : "{ answer }") }
        end,
      }
      """)

    #expect(run.failure == nil)
    #expect(run.items() == [Self.filled(test.item)])
  }

  /// What a transform sets in place of a number of many digits, all of the same double.
  private static let assignments = [
    "item.v = item.v", "item.v = item.v + 500", "item.v = 12345678901234567890.0",
    "item.v = nil item.v = 12345678901234567890.0", "item.v = item.o.v",
    "for name, value in pairs(item) do item[name] = value end",
  ]

  @Test(arguments: assignments, [true, false])
  func `what a transform sets is its own in an item of a list, and not told from what came in another table`(
    _ deed: String, _ isRow: Bool
  ) throws {
    let answer = isRow ? "[\(Self.came)]" : Self.came

    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item) \(deed) return item end,
        fetch = function()
          local answer = lookahead.json.decode('\(Self.filled(answer))')
          return { items = \(isRow ? "answer" : "{ answer }") }
        end,
      }
      """)

    let expected = isRow ? #"{"id":1,"v":1.2345678901234567e+19,"n":1,"o":{"v":$}}"# : Self.came
    #expect(run.failure == nil)
    #expect(run.items() == [Self.filled(expected)])
  }

  @Test func `a transform that rounds has what it computed`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item)
          item.price = math.floor(item.price * 100 + 0.5) / 100
          return item
        end,
        fetch = function()
          local text = '[{"id":1,"price":19.999999999999999999},{"id":2,"price":0.1000000000000000055},'
          return { items = lookahead.json.decode(text .. '{"id":3,"price":2.50},{"id":4,"price":2.505}]') }
        end,
      }
      """)

    #expect(run.failure == nil)
    #expect(
      run.items() == [
        #"{"id":1,"price":20.0}"#, #"{"id":2,"price":0.1}"#, #"{"id":3,"price":2.50}"#,
        #"{"id":4,"price":2.51}"#,
      ])
  }

  @Test func `a script that keeps many rows writes them all alike`() throws {
    let run = try ScriptRun(
      """
      local kept = {}
      return lookahead.source { keys = "page",
        transform = function(item)
          if not item.v then return nil end
          kept[#kept + 1], item.n = item, 2
          return item
        end,
        fetch = function(context)
          if context.key > 24 then return { items = {} } end
          local text = '[{"id":%d,"v":\(Self.v)},{"id":%d,"pad":"%s"}]'
          return { items = lookahead.json.decode(text:format(context.key, -context.key, ("x"):rep(1 << 20))) }
        end,
      }
      """)

    #expect(run.failure == nil)
    #expect(run.items() == (1...24).map { #"{"id":\#($0),"v":\#(Self.v),"n":2}"# })
  }

  @Test func `what is emitted, sent and written as CSV has them`() throws {
    let world = ScriptWorld(["POST http://a/": [.json("{}")]])

    let run = try ScriptRun(
      """
      local item = lookahead.json.decode('{"id":1,"v":\(Self.v),"l":[-0]}')
      lookahead.emit(item)
      lookahead.http.post("http://a/", { json = item })
      print(lookahead.csv.encode({ item }))
      local rows, lists = lookahead.json.decode('[{"v":\(Self.v)}]'), lookahead.json.decode('[[1,\(Self.v)]]')
      print(lookahead.csv.encode(rows, { columns = { "v" }, header = false }))
      print(lookahead.csv.encode(lists))
      """, in: world)

    #expect(run.failure == nil)
    #expect(run.items() == [Self.filled(#"{"id":1,"v":$,"l":[-0]}"#)])
    #expect(world.requests.last?.request.body?.string == Self.filled(#"{"id":1,"v":$,"l":[-0]}"#))
    #expect(
      run.printed == [
        Self.filled("id,l,v\r\n1,[-0],$\r\n"), Self.filled("$\r\n"), Self.filled("1,$\r\n"),
      ])
  }

  @Test func `ids are those of rows, in any table`() throws {
    let run = try ScriptRun(
      """
      local function decoded(id) return lookahead.json.decode(('{"id":%s}'):format(id)) end
      return lookahead.source { keys = "page", fetch = function(context)
        if context.key == 2 then
          return { items = {}, removed = lookahead.json.decode('[18446744073709551001,5]') }
        end
        local items = {}
        for _, id in ipairs(context.key == 1 and { "18446744073709551001", "18446744073709551002",
          "18446744073709551001", "9223372036854775807", "7" } or {}) do items[#items + 1] = decoded(id) end
        return { items = items }
      end }
      """)

    #expect(run.failure == nil)
    #expect(
      run.items() == [
        #"{"id":18446744073709551001}"#, #"{"id":18446744073709551002}"#, #"{"id":9223372036854775807}"#,
        #"{"id":7}"#,
      ])
    #expect(run.statistics.duplicates == 1)
  }

  private static let moves = [
    "table.remove(gone, 1)", "table.insert(gone, 1, 5)", "gone[1] = gone[2] gone[2] = 5",
    "gone = { gone[1], gone[2] }",
  ]

  @Test(arguments: moves)
  func `ids that were moved within a list remove nothing`(_ deed: String) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { keys = "page", fetch = function(context)
        if context.key == 1 then
          return { items = lookahead.json.decode('[{"id":18446744073709551001},{"id":18446744073709551003}]') }
        end
        local gone = lookahead.json.decode('{"gone":[18446744073709551001,18446744073709551003]}').gone
        \(deed)
        return { items = {}, removed = gone, isLast = true }
      end }
      """)

    #expect(run.items() == [#"{"id":18446744073709551001}"#, #"{"id":18446744073709551003}"#])
    #expect(run.failure?.contains("(expected an id: a string or an integer)") == true, "\(run.failure ?? "")")
  }

  @Test func `an id that a script sets stands for its neighbours too`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item) item.id = item.parent return item end,
        fetch = function()
          return { items = lookahead.json.decode('[{"id":18446744073709551001,"parent":18446744073709551002}]') }
        end,
      }
      """)

    #expect(run.items().isEmpty)
    #expect(run.failure?.contains("no usable 'id'") == true, "\(run.failure ?? "")")
  }

  @Test func `numbers that were moved are rounded`() throws {
    let lines = try printed(
      by: """
        local decode, encode = lookahead.json.decode, lookahead.json.encode
        local ids = decode('{"ids":[18446744073709551001,18446744073709551002,18446744073709551003]}').ids
        table.remove(ids, 1)
        print(encode(ids))
        print(encode(lookahead.json.renamed(ids, { "a", "b" })))
        local rows = decode('[{"id":1,"seq":18446744073709551001},{"id":1,"seq":18446744073709551999}]')
        rows[1].seq = rows[2].seq
        print(encode(rows[1]), encode(rows[2]))
        """)

    #expect(
      lines == [
        "[1.8446744073709552e+19,1.8446744073709552e+19]",
        #"{"a":1.8446744073709552e+19,"b":1.8446744073709552e+19}"#,
        "{\"id\":1,\"seq\":1.8446744073709552e+19}\t{\"id\":1,\"seq\":18446744073709551999}",
      ])
  }

  @Test func `a bookmark of which digits would be lost is refused in any table`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { bookmark = "at", fetch = function()
        return { items = { lookahead.json.decode('{"id":1,"at":1764320507.123456850}') } }
      end }
      """)

    #expect(run.items().isEmpty)
    #expect(run.failure?.contains("bookmark 'at': ") == true, "\(run.failure ?? "")")
  }

  @Test func `members under other names have them`() throws {
    let lines = try printed(
      by: """
        local renamed, encode = lookahead.json.renamed, lookahead.json.encode
        local row = lookahead.json.decode('[1,\(Self.v),-0,null]')
        print(encode(renamed(row, { "a", "b", [4] = "d", [3] = "c", [9] = "z" })))
        print(encode(renamed(row, { "a", "a" })), encode(renamed(row, { [2] = "a" })))
        print(encode(renamed(renamed(row, { "a", "b" }), { a = "b", b = "a" })))
        row[2] = 5
        print(encode(renamed(row, { "a", "b" })), encode(row))
        print(encode(renamed(lookahead.json.decode('[{"a":\(Self.v),"b":1}]')[1], { a = "c" })))
        """)

    #expect(
      lines == [
        Self.filled(#"{"a":1,"b":$,"c":-0,"d":null}"#), Self.filled("{\"a\":$}\t{\"a\":$}"),
        Self.filled(#"{"a":$,"b":1}"#), "{\"a\":1,\"b\":5}\t[1,5,0,null]", Self.filled(#"{"c":$}"#),
      ])
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.json.renamed(3, {})",
      message: "json.renamed: argument 1: expected a table, got 3"),
    ScriptCase(
      script: "lookahead.json.renamed({}, 'a')",
      message: #"json.renamed: argument 2: expected a table, got "a""#),
    ScriptCase(
      script: "lookahead.json.renamed({ 1 }, { 2 })", message: "json.renamed: names: expected texts, got 2"),
    ScriptCase(
      script: "lookahead.json.renamed({ a = 1 }, { a = false })",
      message: "json.renamed: names: expected texts, got false"),
  ])
  func `names are texts`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }

  private static func filled(_ text: String) -> String { text.replacing("$", with: v) }
}
