import Testing

/// A source that pages through a JSON file, as a person runs it.
@Suite struct JSONFileTests {
  private static let script = """
    local parameters = lookahead.parameters { file = { default = "a.json", partition = false } }
    local items = lookahead.source { name = "items", pageSize = 100 }
    function items.fetch(context)
      return lookahead.json.page(parameters.file,
        { at = "data.items", key = context.key, size = context.size })
    end
    return items
    """

  private static func text(_ count: Int, before: String = "") -> String {
    let items = (1...count).map { #"{"id":\#($0),"price":\#($0).50,"text":"],\\\"[\#($0)"}"# }
    return #"{"before":{"items":[\#(before)]},"data":{"items":["# + items.joined(separator: ",\n") + "]}}\n"
  }

  private func scratch(_ text: String) throws -> Scratch {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("a.json", text)
    return scratch
  }

  @Test(arguments: ["", "gz", "zst"])
  func `every item is there as it was written, once`(packing: String) throws {
    let scratch = try scratch(Self.text(2345))
    let pack = ["": "true", "gz": "gzip a.json", "zst": "zstd -q --rm a.json"][packing]!
    let file = packing.isEmpty ? "a.json" : "a.json.\(packing)"

    let result = try scratch.shell(
      "jq -c .data.items[].text a.json > expected && \(pack) && lookahead run feed.lua -e file=\(file) -o a.ndjson -q "
        + "&& jq -c .text a.ndjson | cmp - expected && grep -c '\"price\":[0-9]*[.]50,' a.ndjson")

    #expect(result.output == "2345\n", "\(result.errors)")
    #expect(result.exitCode == 0)
  }

  @Test(arguments: ["a.json", "a.json.gz"])
  func `a run that was stopped goes on at its place in the file`(file: String) throws {
    let scratch = try scratch(Self.text(1000))
    if file.hasSuffix("gz") { _ = try scratch.shell("gzip a.json") }
    let first = try scratch.lookahead(
      "run", "feed.lua", "-e", "file=\(file)", "-o", "o.ndjson", "--max-pages", "4")

    let second = try scratch.lookahead("run", "feed.lua", "-e", "file=\(file)", "-o", "o.ndjson")

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(second.summary?.hasPrefix("600 items, 6 pages") == true, "\(second.errors)")
    #expect(
      try scratch.shell("jq -c .id o.ndjson | sort -nu | wc -l; wc -l < o.ndjson").output == "1000\n1000\n")
  }

  @Test
  func `a file that has changed while a run was stopped is read from its start, and known items come once`()
    throws
  {
    let scratch = try scratch(Self.text(1000))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "o.ndjson", "--max-pages", "4")
    try scratch.write("a.json", Self.text(1010, before: "1,2,3"))

    let second = try scratch.lookahead("run", "feed.lua", "-o", "o.ndjson")

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.summary?.hasPrefix("610 items") == true, "\(second.errors)")
    #expect(
      try scratch.shell("jq -c .id o.ndjson | sort -nu | wc -l; wc -l < o.ndjson").output == "1010\n1010\n")
  }

  @Test(arguments: [
    (#"{"data":{"items":[{"id":1},{"id":2}"#, "byte 36"),
    (#"{"data":{"items":[{"id":1},{"id":2]}}"#, "a.json"),
    (#"{"data":{"items":[{"id":1},{"id":tru}]}}"#, "at the start"), (#"{"data":{"item":[]}}"#, "'items'"),
    ("{\"data\":{\"items\":[{\"id\":1,\"a\":\"\u{1}\"}]}}", "at the start"),
  ])
  func `a file that is cut or broken ends the run with its place`(text: String, place: String) throws {
    let scratch = try scratch(text)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "o.ndjson")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains("a.json"), "\(result.errors)")
    #expect(result.errors.contains(place), "\(result.errors)")
    #expect(try !scratch.names.contains("o.ndjson"))
  }

  @Test func `the same run is replayed without the file`() throws {
    let scratch = try scratch(Self.text(250))
    let result = try scratch.shell(
      """
      lookahead run feed.lua -q --record r.jsonl > a && mv a.json b.json && lookahead run feed.lua -q --replay r.jsonl > b \
      && cmp a b && wc -l < b
      """)

    #expect(result.output == "250\n", "\(result.errors)")
  }
}
