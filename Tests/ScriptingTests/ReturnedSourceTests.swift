import Paging
import Scripting
import Testing

@Suite struct ReturnedSourceTests {
  private let two = """
    local function make(name)
      return lookahead.source { name = name, fetch = function() return { items = { { id = name } } } end }
    end
    return { make "a", make "b" }
    """

  @Test(arguments: [("", nil), ("name = 'numbers',", "numbers"), ("name = 'feed',", nil)])
  func `a source goes to the stream of its name, and without one where the script's own items go`(
    name: String, stream: String?
  ) throws {
    let run = try ScriptRun(
      "return lookahead.source { \(name) fetch = function() return { items = { { id = 1 } } } end }")

    #expect(run.items(stream) == [#"{"id":1}"#])
  }

  @Test func `a source is read to its end`() throws {
    let run = try ScriptRun(numbers + "return numbers(35)")

    #expect(run.items("numbers").count == 35)
    #expect(run.items("numbers").last == #"{"id":35}"#)
    #expect(run.statistics.pages >= 4)
  }

  @Test func `a list of sources makes a stream of each`() throws {
    let run = try ScriptRun(two)

    #expect(run.items("a") == [#"{"id":"a"}"#])
    #expect(run.items("b") == [#"{"id":"b"}"#])
    #expect(run.items().count == 2)
  }

  @Test func `several values are as a list of them`() throws {
    let run = try ScriptRun(two.replacing("{ make \"a\", make \"b\" }", with: "make \"a\", make \"b\""))

    #expect(run.items("a") == [#"{"id":"a"}"#])
    #expect(run.items("b") == [#"{"id":"b"}"#])
  }

  @Test func `sources may be chosen by name`() throws {
    let run = try ScriptRun(two) { $0.sources = ["b"] }
    #expect(run.items("a").isEmpty)
    #expect(run.items("b").count == 1)

    let wrong = try ScriptRun(two) { $0.sources = ["c"] }
    #expect(wrong.failure == "--source c: there is no such source (known: a, b)")
    #expect(wrong.code == "usage")
  }

  @Test func `two sources of one name are refused`() throws {
    let script = two.replacing("make \"b\"", with: "make \"a\"")

    #expect(
      try failure(of: script) == "two of the returned sources are called 'a': give each a name of its own")
  }

  @Test func `a list with something else in it is refused`() throws {
    let script = two.replacing("make \"b\"", with: "3")

    #expect(
      try failure(of: script) == "the script returned a list of sources whose element 2 is a number")
  }

  @Test(arguments: ["3", "{}", "{ 1, 2 }", "print", "nil"])
  func `other results are nothing to read`(_ result: String) throws {
    let run = try ScriptRun("return \(result)")

    #expect(run.failure == nil)
    #expect(run.isFinished)
  }

  @Test func `pages arrive in order whatever order they come in`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { keys = "page", pageSize = 2, fetch = function(context)
        lookahead.sleep(context.key % 3)
        if context.key > 9 then return { items = {} } end
        return { items = { { id = 2 * context.key }, { id = 2 * context.key + 1 } }, total = 18 }
      end }
      """)

    #expect(run.items() == (2...19).map { "{\"id\":\($0)}" })
  }

  @Test func `what was under way when a page failed is delivered`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { keys = "page", pageSize = 1, retries = 0, fetch = function(context)
        if context.key == 4 then error("no page 4") end
        lookahead.sleep(context.key == 1 and 0 or 5)
        return { items = { { id = context.key } }, total = 10 }
      end }
      """)

    #expect(run.items() == [1, 2, 3].map { "{\"id\":\($0)}" })
    #expect(run.failure == "feed.lua:2: no page 4")
  }

  @Test func `a check declares and reads nothing`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { name = "issues", fetch = function() print("fetched") return { items = {} } end }
      lookahead.spawn(function() lookahead.sleep(1) print("slept") end)
      return source
      """
    ) { $0.isCheck = true }

    #expect(run.printed.isEmpty)
    #expect(run.failure == nil)
    #expect(run.workflow.declarations.sources.map(\.name) == ["issues"])
    #expect(run.workflow.declarations.isLoaded)
  }

  @Test func `a check ends where the script would wait`() throws {
    let run = try ScriptRun("lookahead.source { name = \"a\" }\nlookahead.sleep(1)\nerror(\"never\")") {
      $0.isCheck = true
    }

    #expect(run.failure == nil)
    #expect(!run.workflow.declarations.isLoaded)
    #expect(run.workflow.declarations.sources.map(\.name) == ["a"])
  }
}
