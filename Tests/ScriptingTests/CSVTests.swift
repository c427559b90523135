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

  @Test(arguments: [
    "0.1 + 0.2", "12345678.123456789", "2^53 + 0.0", "1764234000.123456", "1 / 3", "123456789012345.0",
    "1e300", "-5e-324",
    "1", "9007199254740993", "-0.0", "true",
  ])
  func `a cell has the digits that JSON has`(_ value: String) throws {
    let lines = try printed(
      by: """
        local value = \(value)
        local text = lookahead.csv.encode({ { value, value } }, { header = false })
        print(text == lookahead.json.encode(value):gsub(".*", "%0,%0", 1) .. "\\r\\n", text)
        """)

    #expect(lines.first?.hasPrefix("true") == true, "\(lines)")
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

  /// What other programs write: nothing of it is lost or changed.
  @Test(arguments: [
    ("id,name\\r1,one\\r2,two\\r", "", #"[{"id":"1","name":"one"},{"id":"2","name":"two"}]"#),
    ("id,name\\r1,one\\r\\r2,\\\"t\\rw\\\"", "", #"[{"id":"1","name":"one"},{"id":"2","name":"t\rw"}]"#),
    ("id,name\\n1,o\\rn,\\n", "header = false", #"[["id","name"],["1","o\rn",""]]"#),
    ("a,b\\n1\\r,2\\r\\r\\n", "", #"[{"a":"1\r","b":"2\r"}]"#),
    ("a,b\\r\\n\\\"1\\r\\n2\\\",3\\r\\n", "", #"[{"a":"1\r\n2","b":"3"}]"#),
    ("\\xEF\\xBB\\xBFid\\n1", "", #"[{"id":"1"}]"#),
    ("\\xEF\\xBB\\xBF\\\"id\\\"\\n1", "", #"[{"id":"1"}]"#),
    ("id\\n1", "columns = { 'x' }, header = true", #"[{"x":"1"}]"#),
    ("a,a\\n1,2", "columns = { 'x', 'y' }, header = true", #"[{"x":"1","y":"2"}]"#),
    ("a,b\\n1\\n1,2,3,4\\n", "ragged = true", #"[{"a":"1"},{"_rest":["3","4"],"a":"1","b":"2"}]"#),
    ("id\\n\\x80\\xE9", "encoding = 'windows-1252'", #"[{"id":"€é"}]"#),
    ("id\\n1\\n\\\"\\\"\\n", "", #"[{"id":"1"},{"id":""}]"#),
  ])
  func `a text of another program is read as it is`(text: String, options: String, rows: String) throws {
    let decoded = try printed(
      by: "print(lookahead.json.encode(lookahead.csv.decode(\"\(text)\", { \(options) })))")

    #expect(decoded == [rows])
  }

  /// What can't be read as it is meant is an error with its place.
  @Test(arguments: [
    ("id,name,id\\n1,a,2", "", "line 1, column 3: the name \"id\" is that of column 1 too"),
    ("a,b\\n1,2,3\\n", "", "line 2, column 3: expected 2 fields, as there are names, got 3: ragged = true"),
    (
      "a,b\\n\\n1\\n", "",
      "line 3, column 2: expected a field for each of 2 names, got 1, without \"b\": ragged = true"
    ),
    ("a,_rest\\n1,2,3\\n", "ragged = true", "those beyond have no place"),
    (
      "a,b\\n1,caf\\xE9\\n", "",
      "line 2, column 2: bytes that are no UTF-8 (E9 …): encoding = \"windows-1252\""
    ),
    ("\\xFF\\xFEi\\0d\\0", "", "line 1: the text is UTF-16"),
    ("a,b\\r1,2\\n3,4", "", "line 2, column 2: the line ends with LF, and line 1 with CR alone"),
    ("a,b\\r1,2\\r\\n3,4", "", "line 2, column 2: the line ends with CRLF, and line 1 with CR alone"),
    (
      "a\\n\\\"b\\\"\\rc\\n", "",
      "line 2, column 1: expected a separator or a line end behind the quoted field"
    ),
  ])
  func `what can't be read as it is meant is told with its line and column`(
    text: String, options: String, message: String
  ) throws {
    let error = try failure(of: "lookahead.csv.decode(\"\(text)\", { \(options) })")

    #expect(error?.hasPrefix("feed.lua:1: csv.decode: line ") == true)
    #expect(error?.contains(message) == true, "\(error ?? "")")
  }

  @Test func `an error names the file and the line in it, and quoted line ends stay as they are`() throws {
    let world = ScriptWorld()
    world.files["/scripts/a.csv"] = "id,text\r\n1,\"a\r\nb\"\r\n2\r\n"
    let run = try ScriptRun(
      """
      local seen = {}
      print(pcall(function()
        for row in lookahead.csv.rows("a.csv", { ragged = SOON }) do seen[#seen + 1] = row.text end
      end))
      for row in lookahead.csv.rows("a.csv", { ragged = true }) do print(lookahead.json.encode(row)) end
      """.replacing("SOON", with: "false"), in: world)

    #expect(
      run.printed.first?.contains("csv.rows: a.csv: line 4, column 2: expected a field for each of 2 names")
        == true)
    #expect(run.printed.dropFirst() == [#"{"id":"1","text":"a\r\nb"}"#, #"{"id":"2"}"#])
  }

  @Test func `a text is not taken for the mark of an encoding`() throws {
    let lines = try printed(
      by: """
        local back = lookahead.csv.decode(lookahead.csv.encode { { "\\u{FEFF}x", "y" } }, { header = false })
        print(back[1][1] == "\\u{FEFF}x", back[1][2])
        """)

    #expect(lines == ["true\ty"])
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
      message: "csv.decode: unknown key 'sep' (known: columns, encoding, header, ragged, separator)"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\", { separator = \"ab\" })",
      message: "csv.decode: separator: expected one character, and no quote or line end"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\", { encoding = \"ebcdic\" })",
      message: "csv.decode: encoding: expected \"utf-8\" or \"windows-1252\", got \"ebcdic\""),
    ScriptCase(
      script: "lookahead.csv.decode(\"\", { columns = { \"a\", \"a\" } })",
      message: "csv.decode: columns: the name \"a\" is there twice"),
    ScriptCase(
      script: "lookahead.csv.decode(\"a\\nb\\n\\\"c\")",
      message:
        "csv.decode: line 3, column 1: the quoted field that begins here has no end: expected a \" before a separator or a line "
        + "end (and \"\" for a \" in it)"),
    ScriptCase(
      script: "lookahead.csv.decode(\"\\\"a\\\"b\")",
      message:
        "csv.decode: line 1, column 1: expected a separator or a line end behind the quoted field, got \"b\" (a \" in it is "
        + "written \"\")"),
    ScriptCase(
      script: "lookahead.csv.encode(\"a\")", message: "csv.encode: argument 1: expected a list, got \"a\""),
    ScriptCase(
      script: "lookahead.csv.encode { { a = 1 }, 3 }",
      message: "csv.encode: row 2: expected a table, got number"),
    ScriptCase(
      script: "lookahead.csv.encode { { 1 }, { 0 / 0 } }",
      message: "csv.encode: row 2: nan can't be written as JSON"),
    ScriptCase(
      script: "lookahead.csv.encode { { print } }",
      message: "csv.encode: row 1: a function can't be written as JSON"),
  ])
  func `misuse is told at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }

  /// What an encoder leaves out, nobody misses.
  @Test(arguments: [
    "{ { a = 1, [1] = 2 } }", "{ { 1, 2 }, { a = 3 } }", "{ { a = 3 }, { 1, 2 } }", "{ { [5] = 3 } }",
  ])
  func `a row that can't be written whole is refused`(rows: String) throws {
    let message = try #require(try failure(of: "lookahead.csv.encode(\(rows))"))
    #expect(message.contains("it has elements"), "\(message)")
  }

  @Test func `names that only look the same are two columns`() throws {
    let lines = try printed(by: #"print(lookahead.csv.encode { { ["\u{e9}"] = 1, ["e\u{301}"] = 2 } })"#)

    #expect(lines.first.map { Array($0.utf8) } == Array("e\u{301},\u{e9}\r\n2,1\r\n".utf8))
  }
}
