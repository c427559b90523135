import Paging
import Scripting
import Testing

@Suite struct IdentityTests {
  private func run(_ id: String, _ items: String) throws -> ScriptRun {
    try ScriptRun(
      "return lookahead.source { \(id) fetch = function() return { items = { \(items) } } end }")
  }

  @Test func `the id is the field of that name`() throws {
    let run = try run("", "{ id = 1 }, { id = \"x\" }, { id = 1, again = true }")

    #expect(run.items() == [#"{"id":1}"#, #"{"id":"x"}"#])
    #expect(run.statistics.duplicates == 1)
  }

  @Test func `another field may be named`() throws {
    #expect(try run("id = \"key\",", "{ key = 1 }, { key = 2 }, { key = 1 }").items().count == 2)
    #expect(
      try run("id = \"key\",", "{ key = 1 }, { id = 2 }").failure
        == "feed.lua:1: source 'feed': item 2 of the page has no usable 'key' (expected a string in UTF-8, or an integer): "
        + "name the right field with id = \"…\", give a function, or id = false when items have none")
  }

  @Test func `a function may tell it`() throws {
    let run = try run(
      "id = function(item) return item.a .. item.b end,", "{ a = 1, b = 2 }, { a = 1, b = 2 }")
    #expect(run.items().count == 1)

    #expect(
      try self.run("id = function() return {} end,", "{ a = 1 }").failure
        == "feed.lua:1: source 'feed': item 1 of the page has no usable id (expected a string in UTF-8, or an integer): "
        + "name the right field with id = \"…\", give a function, or id = false when items have none")
  }

  @Test func `members that tell it together are numbers alike in either form`() throws {
    let run = try run(
      "id = { \"a\", \"b\" },",
      "{ a = 1.0, b = \"x\" }, { a = 1, b = \"x\" }, { a = 1.5, b = \"x\" }, { a = \"1.5\", b = \"x\" }")

    #expect(run.items().count == 3)
    #expect(run.statistics.duplicates == 1)
  }

  @Test func `false keeps every item`() throws {
    #expect(try run("id = false,", "{ id = 1 }, { id = 1 }, \"text\"").items().count == 3)
  }

  @Test func `items without any id are numbered unless the script named a field`() throws {
    #expect(try run("", "{ a = 1 }, { a = 1 }, \"text\"").items().count == 3)
    #expect(
      try run("", "{ id = 1 }, { a = 1 }").failure?.contains("item 2 of the page has no usable 'id'") == true)
  }

  @Test func `an id behind items that were numbered could be one of their numbers, so it is refused`() throws
  {
    let failure = try run("", "{ a = 1 }, { a = 2 }, { id = 1 }").failure
    #expect(
      failure?.contains("item 3 of the page has an id, and 2 before it had none") == true, "\(failure ?? "")")
  }

  @Test func `numbers beyond the integers of Lua are ids by their digits`() throws {
    let run = try ScriptRun(
      """
      return lookahead.source { fetch = function()
        return lookahead.json.decode [[{"items":[{"id":9223372036854775807},{"id":9223372036854775808},
          {"id":9223372036854775809},{"id":18446744073709551615},{"id":9223372036854775808}]}]]
      end }
      """)

    #expect(
      run.items() == [
        #"{"id":9223372036854775807}"#, #"{"id":9223372036854775808}"#, #"{"id":9223372036854775809}"#,
        #"{"id":18446744073709551615}"#,
      ])
    #expect(run.statistics.duplicates == 1)
  }
}
