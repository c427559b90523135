import Paging
import Scripting
import Testing

@Suite struct CSVTests {
  @Test func `rows are tables by the names of the first line`() throws {
    let lines = try printed(
      by: """
        local rows = lookahead.csv.decode("id,name\\r\\n1,\\"a \\"\\"quoted\\"\\", b\\nc\\"\\r\\n\\n2,\\n")
        print(#rows, rows[1].id, rows[1].name, rows[2].id, rows[2].name)
        """)

    #expect(lines == ["2\t1\ta \"quoted\", b\nc\t2\t"])
  }

  @Test func `without a header they are lists, and columns may be named`() throws {
    let lines = try printed(
      by: """
        local rows = lookahead.csv.decode("1;2\\n3;4", { header = false, separator = ";" })
        print(#rows, rows[1][2], rows[2][1])
        rows = lookahead.csv.decode("1,2\\n3,4", { columns = { "a", "b" } })
        print(#rows, rows[1].a, rows[2].b)
        """)

    #expect(lines == ["2\t2\t3", "2\t1\t4"])
  }

  @Test func `rows are encoded with their names sorted, or in the order of the columns`() throws {
    let lines = try printed(
      by: """
        local rows = { { id = 1, name = "a,b" }, { id = 2, tags = { 1 }, none = lookahead.null }, { name = "x\\"y" } }
        print(lookahead.csv.encode(rows))
        print(lookahead.csv.encode(rows, { columns = { "name", "id" }, header = false, separator = "\\t" }))
        print(lookahead.csv.encode({ { 1, "b" }, { 2 } }))
        """)

    #expect(
      lines == [
        "id,name,none,tags\r\n1,\"a,b\",,\r\n2,,,[1]\r\n,\"x\"\"y\",,\r\n",
        "a,b\t1\r\n\t2\r\n\"x\"\"y\"\t\r\n",
        "1,b\r\n2\r\n",
      ])
  }

  @Test func `a file is read in portions that may end anywhere`() throws {
    let world = ScriptWorld()
    world.files["/scripts/a.csv"] = "id,text\n" + (1...2500).map { "\($0),\"line\n\($0)\"\n" }.joined()
    let run = try ScriptRun(
      """
      local n, sum = 0, 0
      for row in lookahead.csv.rows("a.csv") do
        n, sum = n + 1, sum + row.id
        assert(row.text == "line\\n" .. row.id)
      end
      print(n, sum)
      """, in: world)

    #expect(run.printed == ["2500\t3126250"])
    #expect(run.failure == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what is encoded is decoded as it was`(_ seed: UInt64) throws {
    let lines = try ScriptRun(
      """
      local pieces = { "a", "é", ",", "\\"", "\\n", "\\r\\n", " ", ";", "", "0", "\\t", "\\r" }
      for round = 1, 20 do
        local rows, columns = {}, { "a", "b \\"c\\"", "d,e" }
        for row = 1, math.random(0, 8) do
          rows[row] = {}
          for _, column in ipairs(columns) do
            local parts = {}
            for part = 1, math.random(0, 6) do parts[part] = pieces[math.random(#pieces)] end
            rows[row][column] = table.concat(parts)
          end
          rows[row].a = "x" .. rows[row].a
        end
        local text = lookahead.csv.encode(rows, { columns = columns })
        local back = lookahead.csv.decode(text)
        assert(#back == #rows, text)
        for row = 1, #rows do
          for _, column in ipairs(columns) do
            if back[row][column] ~= rows[row][column] then print(lookahead.json.encode { rows[row], back[row] }) end
          end
        end
      end
      """
    ) { $0.seed = seed }.outcome

    #expect(lines == [])
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.csv.decode()", message: "csv.decode: argument 1: expected a string, got nothing"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\", { sep = \";\" })",
      message: "csv.decode: unknown key 'sep' (known: columns, header, separator)"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\", { separator = \"ab\" })",
      message: "csv.decode: separator: expected one character"),
    ScriptCase(
      script: "lookahead.csv.decode(\"a\\nb\\n\\\"c\")",
      message: "csv.decode: line 3: a quoted field has no end"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\\\"a\\\"b\")",
      message: "csv.decode: line 1: text after the end of a quoted field"),
    ScriptCase(
      script: "lookahead.csv.encode(\"a\")", message: "csv.encode: argument 1: expected a table, got \"a\""),
    ScriptCase(
      script: "lookahead.csv.encode { { a = 1 }, 3 }",
      message: "csv.encode: row 2: expected a table, got number"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }
}
