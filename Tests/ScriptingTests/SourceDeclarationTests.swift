import Scripting
import Testing

@Suite struct SourceDeclarationTests {
  @Test(arguments: cases("sources") as [ScriptCase])
  func `a wrong declaration says what is wrong and where`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }

  @Test func `every key is taken`() throws {
    let run = try ScriptRun(
      """
      local function f() end
      for _, keys in ipairs { "cursor", "page", "offset" } do
        lookahead.source {
          name = "issues", id = "number", keys = keys, pageSize = 10, leadingScreens = 1.5, fetch = f,
          shouldBatchFetch = f, firstKey = 3, maxInFlight = 1, initialPageSize = 20, prefetchDistance = 5,
          merge = "replace", maxItems = 100, transform = f, prefetchItem = f, timeout = 3, retries = 2,
          backoff = { base = 1, cap = 2, jitter = "none" }, rateLimit = { requests = 0.5, per = 1 },
          needs = { net = { "a" }, read = { "b" }, write = { "c" }, env = { "d" } }, parameters = { a = 1 },
          types = { a = "timestamp", b = "decimal(38,0)", c = "decimal(18, 2)", d = "json" },
        }
      end
      """)

    #expect(run.failure == nil)
    #expect(run.workflow.declarations.sources.map(\.keys) == ["cursor", "page", "offset"])
    let first = run.workflow.declarations.sources[0]
    #expect(first.name == "issues")
    #expect(first.pageSize == 10)
    #expect(first.hasFetch)
    #expect(first.needs == ["net": ["a"], "read": ["b"], "write": ["c"], "env": ["d"]])
  }

  @Test func `senseless but large numbers are bounded instead of trapping`() throws {
    let script = """
      local source = lookahead.source {
        timeout = math.huge, backoff = { base = 1e300, cap = math.huge }, rateLimit = { requests = 1e-300, per = 1e300 },
        fetch = function(context) context:fail("later", { retryAfter = math.huge }) end,
      }
      return source
      """

    #expect(try failure(of: script) == "source 'feed': later")
  }

  @Test func `what is not given has its default`() throws {
    let run = try ScriptRun("local s = lookahead.source {} print(s.name, s.pageSize, s)")

    #expect(run.printed == ["feed\tnil\tsource: feed"])
    let declared = run.workflow.declarations.sources[0]
    #expect(declared.keys == "cursor")
    #expect(declared.pageSize == 20)
    #expect(!declared.hasFetch)
    #expect(declared.needs.isEmpty)
  }

  @Test func `keys may be set after the declaration and are checked in the same way`() throws {
    let script = """
      local source = lookahead.source { name = "issues" }
      source.pageSize = 5
      function source.fetch(context) return { items = { { id = context.size } } } end
      for item in source:items() do print(item.id, source.pageSize) end
      """
    #expect(try printed(by: script) == ["5\t5"])

    let wrong = "local s = lookahead.source { name = \"a b\" }\ns."
    #expect(
      try failure(of: wrong + "pageSize = 0")
        == "feed.lua:2: source 'a b': pageSize: expected an integer of at least 1, got 0")
    #expect(
      try failure(of: wrong + "shouldBatchFetsh = print")
        == "feed.lua:2: source 'a b': unknown key 'shouldBatchFetsh' (did you mean 'shouldBatchFetch'?)")
    #expect(
      try failure(of: wrong + "item = 3")?
        .hasPrefix("feed.lua:2: source 'a b': unknown key 'item' (known: backoff, bookmark, fetch,") == true)
  }

  @Test func `keys cannot be set once the source is read`() throws {
    let script = """
      local source = lookahead.source { fetch = function() return { items = {} } end }
      for _ in source:items() do end
      source.pageSize = 3
      """

    #expect(
      try failure(of: script)
        == "feed.lua:3: source 'feed' is being read: pageSize can only be set while declaring")
  }

  @Test func `reading an unknown field names the nearest one`() throws {
    #expect(
      try failure(of: "local s = lookahead.source {}\nprint(s.pageSise)")
        == "feed.lua:2: source 'feed' has no 'pageSise' (did you mean 'pageSize'?)")
  }

  @Test(arguments: [
    ("s:item()", "source 'feed' has no 'item' (did you mean 'items'?)"),
    ("s:itemset()", "source 'feed' has no 'itemset' (did you mean 'itemSet'?)"),
    ("s:itemSet():fetchNextpage()", "an item set has no 'fetchNextpage' (did you mean 'fetchNextPage'?)"),
    ("s:itemSet():contain(1)", "an item set has no 'contain' (did you mean 'contains'?)"),
  ])
  func `calling an unknown method names the nearest one`(_ call: String, _ message: String) throws {
    #expect(
      try failure(of: "local s = lookahead.source { fetch = print }\n\(call)") == "feed.lua:2: \(message)")
  }

  @Test func `a source without a handler says how to write one`() throws {
    #expect(
      try failure(of: "return lookahead.source { name = \"issues\" }")
        == "feed.lua:1: source 'issues' has no fetch handler: declare function issues.fetch(context)")
    #expect(
      try failure(of: "return lookahead.source { name = \"my issues\" }")
        == "feed.lua:1: source 'my issues' has no fetch handler: declare function source.fetch(context)")
  }

  @Test(arguments: ["items", "pages", "with"])
  func `methods called with a dot say how to call them`(_ method: String) throws {
    #expect(
      try failure(of: "local s = lookahead.source {}\ns.\(method)()")
        == "feed.lua:2: source:\(method): expected a source (write source:\(method)(…), not source.\(method)(…))"
    )
  }
}
