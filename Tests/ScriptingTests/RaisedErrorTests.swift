import Testing

/// Errors of a script's own come out of tasks, prefetchers and sources as they were raised.
@Suite struct RaisedErrorTests {
  /// Ways to call `f`, which raises, and to catch what comes of it.
  private static let ways = [
    "pcall(f)", "pcall(task.wait, task)", "pcall(lookahead.all, { f })", "pcall(lookahead.map, { 1 }, 1, f)",
    "pcall(lookahead.all, { function() lookahead.all { f } end })",
    "pcall(details.get, details, 1)",
    "pcall(function() for _ in source:items() do end end)", "pcall(set.fetchNextPage, set)",
  ]

  private static func printed(_ way: String, raising value: String, _ shown: String) throws -> [String] {
    try ScriptRun(
      """
      local raised = \(value)
      local function f() lookahead.sleep(1) error(raised, 0) end
      local task, details = lookahead.spawn(f), lookahead.prefetcher { fetch = f }
      local source = lookahead.source { fetch = f }
      local set = source:itemSet()
      local _, e = \(way)
      pcall(task.wait, task)
      print(\(shown))
      """
    ).outcome
  }

  @Test(arguments: ways) func `a table is the one that was raised`(way: String) throws {
    let quota = "{ kind = \"quota\", wait = 5, parts = { 7 } }"
    #expect(
      try Self.printed(way, raising: quota, "e == raised, e.kind, e.parts[1]") == ["true\tquota\t7"])
    let shown = "setmetatable({}, { __tostring = function() return \"mine\" end })"
    #expect(try Self.printed(way, raising: shown, "e == raised, e") == ["true\tmine"])
    let message = "{ message = \"no\", wait = 5 }"
    #expect(try Self.printed(way, raising: message, "e == raised, e.wait") == ["true\t5"])
  }

  @Test(arguments: ways) func `what is no table is what was raised`(way: String) throws {
    #expect(try Self.printed(way, raising: "false", "e") == ["false"])
    #expect(try Self.printed(way, raising: "\"text\"", "e") == ["text"])
  }

  @Test(arguments: ways.dropFirst()) func `a table with a code is a failure with all its fields`(way: String)
    throws
  {
    #expect(
      try Self.printed(
        way, raising: "{ code = \"quota\", message = \"slow down\", wait = 5, parts = { 7 } }",
        "e.code, e.message, e, e.wait, e.parts[1]") == ["quota\tslow down\tslow down\t5\t7"])
  }

  @Test func `a run that fails says what was raised`() throws {
    let run = try ScriptRun(
      "lookahead.spawn(function()\n  error { kind = \"quota\" }\nend)\nlookahead.sleep(1)")

    #expect(
      run.failure == "feed.lua:2: the script raised a table (an error is a text, or a table with a message)")
  }
}
