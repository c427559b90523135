import Items
import Lua
import Paging
import Scripting
import Testing

@Suite struct PromptPrintingTests {
  @Test(arguments: [
    ("nil", "nil"), ("true", "true"), ("-3", "-3"), ("2^53", "9007199254740992.0"), ("0.1", "0.1"),
    ("1/0", "inf"), ("lookahead.null", "null"), ("{}", "{}"), ("print", "function (built in)"),
    ("coroutine.create(print)", "coroutine"), ("function() end", "function prompt:1:1"),
    (
      "{ 1, 2, nil, 4, a = 'x', [true] = 1, [2.5] = 0, ['b c'] = {} }",
      "{ 1, 2, nil, 4, [2.5] = 0, [true] = 1, a = \"x\", [\"b c\"] = {} }"
    ),
    ("{ { { { 1 } } } }", "{ { { {…} } } }"),
    ("'a\\n\\t\\27[31m\\\"\\\\\\0\\255\u{202E}é'", "\"a\\n\\t\\x1B[31m\\\"\\\\\\x00\\xFF\\u{202E}é\""),
  ])
  func `values are shown as they would be written`(_ text: String, _ shown: String) throws {
    #expect(try PromptRig().text(text) == shown)
  }

  @Test func `long strings are cut with their size, at a character`() throws {
    let rig = try PromptRig()

    #expect(rig.text("string.rep('é', 200)") == "\"" + String(repeating: "é", count: 100) + "…\" (400 bytes)")
    #expect(rig.text("string.rep('é', 20)") { $0.stringLimit = 5 } == "\"éé…\" (40 bytes)")
  }

  @Test func `a list of records takes a line for each field where that is asked for`() throws {
    let rig = try PromptRig()

    let shown = rig.text("{ { id = 1, name = 'a' }, { id = 2 } }") { $0.isVertical = true }

    #expect(shown == "{\n  {\n    id = 1,\n    name = \"a\",\n  },\n  {\n    id = 2,\n  },\n}")
  }

  @Test func `a text that is written out is no way to a value`() throws {
    #expect(try PromptRig().workflow.value(at: "\"abc\"") == nil)
  }

  @Test func `a cycle is called by the way to it`() throws {
    let rig = try PromptRig()
    rig.enter("t = { list = { {} } } t.list[1].back = t t.list[1].me = t.list[1]")

    #expect(rig.text("t") == "{ list = { { back = <cycle to _>, me = <cycle to _.list[1]> } } }")
  }

  @Test func `a table that does not fit takes a line for each entry`() throws {
    let rig = try PromptRig()

    let shown = rig.text("{ title = string.rep('x', 30), inner = { a = 1, b = string.rep('y', 30) }, n = 1 }")
    { $0.width = 60 }

    #expect(
      shown == """
        {
          inner = { a = 1, b = "\(String(repeating: "y", count: 30))" },
          n = 1,
          title = "\(String(repeating: "x", count: 30))",
        }
        """)
  }

  @Test func `what is beyond the limit is counted`() throws {
    let rig = try PromptRig()
    rig.enter("many = {} for i = 1, 100 do many[i] = i many['k' .. i] = i end")

    #expect(rig.text("many") { $0.items = 3 } == "{ 1, 2, 3, … 197 more }")
    #expect(rig.text("{ a = 1, b = 2, c = 3 }") { $0.items = 2 } == "{ a = 1, b = 2, … 1 more }")
  }

  @Test func `records are aligned as columns, and wide ones cut`() throws {
    let rig = try PromptRig()
    rig.enter("rows = { { id = 1, name = 'Ann', tags = { 'a' } }, { id = 22, name = '日本', extra = true } }")

    #expect(
      rig.text("rows") { $0.cellWidth = { $0.value > 0x2000 ? 2 : 1 } } == """
           id  extra  name  tags
        1   1         Ann   { "a" }
        2  22  true   日本
        """)
    #expect(
      rig.text("rows") { $0.width = 20 } == """
           id  extra  name
        1   1         Ann
        2  22  true   日本
        … columns not shown…
        """)
    #expect(rig.text("rows") { $0.isVertical = true }.hasPrefix("{\n  {\n    id = 1,"))
  }

  @Test func `rows of a document are shown without being made`() throws {
    let items = (1...30).map { "{\"id\":\($0),\"place\":{\"x\":\($0)}}" }.joined(separator: ",")
    let rig = try PromptRig()
    rig.enter("rows = lookahead.json.decode('[\(items)]')")

    let shown = rig.text("rows") { $0.items = 2 }

    #expect(
      shown == """
           id  place
        1   1  { x = 1 }
        2   2  { x = 2 }
        … 28 more
        """)
    #expect(rig.workflow.value(at: "rows").map { rig.workflow.inspect($0).type } == "rows")
  }

  @Test func `objects of the host show what they were made of`() throws {
    let rig = try PromptRig()
    rig.enter("local feed = lookahead.source { name = 'feed', pageSize = 5, fetch = print }")

    #expect(rig.text("feed") == "source { fetch = function (built in), name = \"feed\", pageSize = 5 }")
    #expect(rig.text("lookahead.spawn(print)") == "task (finished)")
    #expect(rig.text("lookahead.collection { data = { { 1, 2 } } }") == "collection { data = { { 1, 2 } } }")
    #expect(
      rig.text("feed:itemSet()")
        == "itemSet {\n  count = 0,\n  isFetching = false,\n  lastFetchedPage = 0,\n  totalPages = 0,\n"
        + "  lastPageAlreadyFetched = false,\n}")
    #expect(rig.text("select(2, pcall(lookahead.fs.read, 'none'))").hasPrefix("error {"))
  }

  @Test func `nothing of the script is called, and nothing reaches the terminal`() throws {
    let rig = try PromptRig()
    rig.enter(
      """
      local function bad() print('called') error('called') end
      trap = setmetatable({ x = '\\27]0;title\\7' }, { __index = bad, __tostring = bad, __pairs = bad, __len = bad,
        __name = '\\27[2J', __newindex = bad, __eq = bad, __lt = bad, __concat = bad, __call = bad })
      list = { trap, trap, ['\\27c'] = trap }
      """)

    for path in ["trap", "list"] {
      let shown = rig.text(path)
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
      _ = rig.completions(path + ".")
      _ = rig.workflow.value(at: path).map { rig.workflow.inspect($0) }
      _ = rig.workflow.value(at: path + ".a.b")
    }
    #expect(rig.printed == [])
  }

  @Test func `colours are by kind, and only when asked for`() throws {
    let rig = try PromptRig()

    #expect(
      rig.text("{ a = 1 }") { $0.isColored = true } == "{ \u{1B}[1ma\u{1B}[0m = \u{1B}[36m1\u{1B}[0m }")
  }

  @Test func `a table that branches without end is cut`() throws {
    let rig = try PromptRig()
    rig.enter("t = { 'leaf' } for _ = 1, 60 do t = { t, t } end")

    #expect(rig.text("t") { $0.depth = 100 }.split(separator: "\n").count < 4000)
  }

  @Test func `the view of a policy shows all its fields`() throws {
    let rig = try PromptRig(
      """
      local seen
      local feed = lookahead.source { pageSize = 2, shouldBatchFetch = function(view) seen = view return view.hint end,
        fetch = function() return { items = { { id = 1 } } } end }
      return feed
      """)
    rig.enter("for _ in feed:items() do end")

    let shown = rig.text("seen") { $0.items = 30 }

    #expect(shown.hasPrefix("view {") && shown.contains("pageSize = 2,"))
    #expect(shown.contains("latency = view {"))
  }
}
