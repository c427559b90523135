import Testing

/// Parts to which each run adds its rows.
@Suite(.waiting) struct AddedPartTests {
  private static let script = """
    local p = lookahead.parameters { turn = { default = 1, partition = false } }
    local rows = lookahead.source { name = "rows" }
    function rows.fetch(context) return { items = { { id = context.parameters.part .. p.turn } } } end
    return rows:partitions({ "a", "b" }, function(part) return { part = part } end)
    """
  private static let run = "lookahead run feed.lua -q -o all/ --parts --append"
  private static let collect = "lookahead collect all/ -o all.ndjson; sort all.ndjson"
  private static let two = ["a1", "a2", "b1", "b2"].map { #"{"id":"\#($0)"}"# }

  @Test func `parts of another form are not added to, and stay as they are`() throws {
    let scratch = try Scratch(script: Self.script)

    let refused = try scratch.shell(
      "\(Self.run); \(Self.run) -e turn=2 --tag; echo $?; cat all/parts/*.1.ndjson | sort")
    let added = try scratch.shell("\(Self.run) -e turn=2; \(Self.collect)")

    #expect(refused.lines == ["73", #"{"id":"a1"}"#, #"{"id":"b1"}"#], "\(refused.output) \(refused.errors)")
    #expect(refused.errors.contains("is not as the last reading left it, so nothing is added"))
    #expect(added.lines == Self.two, "\(added.errors)")
  }

  @Test func `parts that somebody has changed are not added to`() throws {
    let result = try Scratch(script: Self.script).shell(
      """
      \(Self.run); for part in all/parts/*.ndjson; do sed -i s/1/3/ $part; done
      \(Self.run) -e turn=2; echo $?; cat all/parts/*.1.ndjson | sort
      """)

    #expect(result.lines == ["73", #"{"id":"a3"}"#, #"{"id":"b3"}"#], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("is not as the last reading left it, so nothing is added"))
  }
}
