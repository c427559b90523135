import Testing

/// A source that pages through a JSON file, as a person runs it.
@Suite(.waiting) struct JSONFileTests {
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

  @Test(arguments: [
    (#"{"data":{"items":[{"id":1},{"id":2}"#, "byte 36"),
    (#"{"data":{"items":[{"id":1},{"id":2]}}"#, "a.json"),
    (#"{"data":{"items":[{"id":1},{"id":tru}]}}"#, "byte 34: expected a value"),
    (#"{"data":{"item":[]}}"#, "'items'"),
    ("{\"data\":{\"items\":[{\"id\":1,\"a\":\"\u{1}\"}]}}", "byte 32: "),
    (
      #"{"data":{"items":[{"id":1},"# + "\n" + #"{"id":2, "a":"\ud800"}]}}"#,
      "byte 43: half of a surrogate pair"
    ),
    ("{\"data\":{\"items\":[\n\n {\"id\":1,\n\"a\":1e999}]}}", "byte 35: a number too large"),
  ])
  func `a file that is cut or broken ends the run with its place`(text: String, place: String) throws {
    let scratch = try scratch(text)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "o.ndjson")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains("a.json"), "\(result.errors)")
    #expect(result.errors.contains(place), "\(result.errors)")
    #expect(try !scratch.names.contains("o.ndjson"))
  }

  @Test(arguments: [
    ("a.json", ": > a.json", "a.json, byte 1: expected a list"),
    ("a.json", "echo > a.json", "expected a list"),
    ("a.json.gz", ": > a.json.gz", "ends in the middle"),
    ("a.ndjson.zst", ": > a.ndjson.zst", "ends in the middle"),
    ("a.ndjson", ": > a.ndjson", nil), ("a.jsonl", "echo > a.jsonl", nil),
    ("a.ndjson.gz", "printf '' | gzip > a.ndjson.gz", nil),
    ("a.json.gz", "(echo '[' | gzip; echo ']' | gzip; head -c 100000 /dev/zero) > a.json.gz", nil),
    ("a.json.gz", "(head -c 512 /dev/zero; echo '[]' | gzip) > a.json.gz", "damaged"),
    ("a.json.gz", "(echo '[]' | gzip; head -c 512 /dev/zero; echo x) > a.json.gz", "damaged"),
    ("a.json", "echo '[]' > a.json", nil),
  ])
  func `nothing is a list only where a file may be empty`(file: String, making: String, error: String?) throws
  {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "t", id = "id" }
        function s.fetch(c) return lookahead.json.page("\(file)", { key = c.key, size = c.size }) end
        return s
        """)
    _ = try scratch.shell(making)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "o.ndjson", "--allow-read")

    #expect((result.exitCode == 0) == (error == nil), "\(result.errors)")
    if let error { #expect(result.errors.contains(error), "\(result.errors)") }
  }

  @Test func `a member whose name has a dot is reached by a pointer`() throws {
    let scratch = try Scratch(
      script: #"""
        local s = lookahead.source { name = "t", id = "id" }
        function s.fetch(c) return lookahead.json.page("a.json", { at = "/a.b/~1~0/", key = c.key }) end
        return s
        """#)
    try scratch.write("a.json", #"{"a":0,"a.b":{"/~":{"":[{"id":1}]}}}"#)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "-", "--allow-read")

    #expect(result.lines == [#"{"id":1}"#], "\(result.errors)")
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
