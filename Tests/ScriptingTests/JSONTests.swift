import Testing

@Suite struct JSONTests {
  @Test func `values are decoded and encoded again`() throws {
    let lines = try printed(
      by: """
        local value = lookahead.json.decode('{"b":[1,2.5,"x",true,null],"a":{},"big":9007199254740993,"list":[]}')
        print(math.type(value.big), value.b[5] == lookahead.null, #value.b)
        print(lookahead.json.encode(value))
        print(lookahead.json.encode({ y = {}, x = lookahead.json.array {} }))
        print(lookahead.json.encode({ 1, { a = 2 } }, { pretty = true }))
        """)

    #expect(
      lines == [
        "integer\ttrue\t5", #"{"b":[1,2.5,"x",true,null],"a":{},"big":9007199254740993,"list":[]}"#,
        #"{"x":[],"y":{}}"#, "[\n  1,\n  {\n    \"a\": 2\n  }\n]",
      ])
  }

  @Test func `a text that is no JSON says where`() throws {
    let lines = try printed(
      by: """
        local ok, err = pcall(lookahead.json.decode, "[1,\\n  2,\\n  x]")
        print(err.code, err.line, err.column)
        lookahead.json.decode("[1,\\n  2,\\n  x]")
        """)

    #expect(lines.first == "parse\t3\t3")
    #expect(lines.last?.hasPrefix("feed.lua:3: json.decode: line 3, column 3: ") == true)
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.json.decode(3)", message: "json.decode: argument 1: expected a string, got 3"),
    ScriptCase(
      script: "lookahead.json.encode(print)", message: "json.encode: a function can't be written as JSON"),
    ScriptCase(
      script: "lookahead.json.encode({}, { prety = true })",
      message: "json.encode: unknown key 'prety' (did you mean 'pretty'?)"),
    ScriptCase(script: "lookahead.json.array(3)", message: "json.array: argument 1: expected a table, got 3"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }

  /// Written anew, `1.50` would become `1.5`.
  @Test(arguments: [
    "local _ = item.user.id", "if item.list[1] then end",
    "for _, each in ipairs(item.list) do local _ = each end",
    "item.user.id = item.user.id", "local _ = item.empty, item.none",
  ])
  func `what a script only reads of an item is written as it came`(deed: String) throws {
    let text =
      #"{"id":1,"user":{"id":1,"price":1.50,"big":12345678901234567890},"list":[1.0,{"a":1e2}],"empty":{},"none":[]}"#
    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item) \(deed) return item end,
        fetch = function() return lookahead.http.get("http://a/"):json() end,
      }
      """, in: ScriptWorld(["GET http://a/": [.json(#"{"items":[\#(text)]}"#)]]))

    #expect(run.failure == nil)
    #expect(run.items() == [text])
  }

  @Test func `what a script changes within a member is written as it has it`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source {
        transform = function(item)
          if item.id == 1 then item.user.name = "b" end
          if item.id == 2 then item.user.name = nil end
          if item.id == 3 then item.user.more = 1 end
          if item.id == 4 then item.list[2] = 5 end
          return item
        end,
        fetch = function() return lookahead.http.get("http://a/"):json() end,
      }
      """,
      in: ScriptWorld([
        "GET http://a/": [
          .json(
            #"{"items":[{"id":1,"user":{"name":"a"}},{"id":2,"user":{"name":"a"}},{"id":3,"user":{"name":"a"}},{"id":4,"list":[1]}]}"#
          )
        ]
      ]))

    #expect(
      run.items() == [
        #"{"id":1,"user":{"name":"b"}}"#, #"{"id":2,"user":{}}"#, #"{"id":3,"user":{"name":"a","more":1}}"#,
        #"{"id":4,"list":[1,5]}"#,
      ])
  }
}
