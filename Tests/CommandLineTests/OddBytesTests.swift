import Testing

/// Strings of a script that are not UTF-8. What is written for their bytes would be written for others too: two ids would be one.
@Suite struct OddBytesTests {
  @Test(
    arguments: [
      #"lookahead.emit { id = 1, name = "caf\xe9" }"#,
      #"lookahead.emit { id = 1, ["caf\xe9"] = 1 }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = "caf\xe9" } } } end }"#,
      #"return lookahead.source { fetch = function() return { items = { { n = 1 } } } end, id = function() return "caf\xe9" end }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = 1 } }, nextKey = "caf\xe9" } end }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = 1 } }, removed = { "caf\xe9" } } end }"#,
      #"lookahead.step("caf\xe9", function() lookahead.emit { id = 1 } end)"#,
      #"lookahead.step("one", function() return "caf\xe9" end)"#,
      #"local db = lookahead.sqlite.open(":memory:") db:query("select ?", { "caf\xe9" })"#,
      #"local db = lookahead.sqlite.open(":memory:") db:execute("select '\xe9'")"#,
      #"lookahead.prefetcher { fetch = print }:get("caf\xe9")"#,
      #"lookahead.source { fetch = function() return { items = {} } end }:itemSet():contains("caf\xe9")"#,
      #"lookahead.csv.encode { { "caf\xe9" } }"#, #"lookahead.json.encode { "caf\xe9" }"#,
      #"lookahead.emit({ id = 1 }, "caf\xe9")"#,
      #"return lookahead.source { name = "s", fetch = function() return { items = {} } end }:with { of = "caf\xe9" }"#,
    ], ["a.db", "a.ndjson"])
  func `a string that is not UTF-8 is no data`(script: String, output: String) throws {
    let scratch = try Scratch(script: script)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains("UTF-8"), "\(result.errors)")
    #expect(result.errors.contains("error: feed.lua:1"), "\(result.errors)")
  }

  @Test func `it can be printed, hashed, written as base64 and to a file`() throws {
    let scratch = try Scratch(
      script: #"""
        local odd = "caf\xe9"
        print(odd)
        lookahead.log.info("read " .. odd, { what = odd })
        lookahead.emit { id = 1, hash = lookahead.hash.sha256(odd), bytes = lookahead.base64.encode(odd) }
        lookahead.fs.write("odd.txt", odd)
        """#)

    let result = try scratch.lookahead("run", "feed.lua", "--allow-write=.")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains(#""bytes":"Y2Fm6Q==""#), "\(result.output)")
    #expect(try scratch.shell("od -An -tx1 odd.txt").output.contains("63 61 66 e9"))
  }
}
