import Testing

/// Ids that Lua has no integer for: what stands for its neighbours too is none.
@Suite struct RoundedIDTests {
  private func run(_ declaration: String, _ items: String) throws -> ScriptRun {
    try ScriptRun(
      "return lookahead.source { \(declaration), fetch = function() return { items = lookahead.json.decode('\(items)') } end }"
    )
  }

  @Test(arguments: [
    #"[{"a":"x","n":12345678901234567890},{"a":"x","n":12345678901234567891}]"#,
    #"[{"a":"x","n":9007199254740992.0}]"#, #"[{"a":"x","n":-1e300}]"#,
  ])
  func `an id of several members has none`(items: String) throws {
    let run = try run(#"id = { "a", "n" }"#, items)

    #expect(run.items().isEmpty)
    #expect(run.failure?.contains("an item's 'n' is ") == true, "\(run.failure ?? "")")
  }

  @Test func `an item is not gone because its neighbour is`() throws {
    let run = try run(
      "isRemoved = function(item) return item.deleted end",
      #"[{"id":12345678901234567891},{"id":12345678901234567890,"deleted":true},{"id":5}]"#)

    #expect(run.items().isEmpty)
    #expect(run.failure?.contains("the id of an item: ") == true, "\(run.failure ?? "")")
  }

  @Test func `one that is told by its digits is one`() throws {
    let run = try run("maxItems = 99", #"[{"id":12345678901234567891},{"id":12345678901234567890}]"#)

    #expect(run.items().count == 2)
  }
}
