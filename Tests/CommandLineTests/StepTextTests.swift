import TestSupport
import Testing

/// Texts to which steps have emitted, and what has become of them before the run goes on.
@Suite(.waiting) struct StepTextTests {
  /// Three steps, of which the third fails as long as `stop` is there; before them, an item if `early` is.
  private static let script = """
    if lookahead.fs.exists("early") then
      lookahead.emit { s = 0 }
      lookahead.sleep(0.05)
    end
    for k = 1, 3 do
      lookahead.step("s" .. k, function()
        if k == 3 and lookahead.fs.exists("stop") then error("stop") end
        lookahead.emit { s = k }
      end)
    end
    """

  @Test(arguments: [
    "rm o.ndjson.partial", "sed -i s/1/7/ o.ndjson.partial", "options=--tag",
    "sqlite3 o.ndjson.state \"update _lookahead_state set value = 'other' where name = 'boot'\"",
  ])
  func `what steps have emitted is not lost in silence`(fault: String) throws {
    let run = "lookahead run feed.lua -A -q -o o.ndjson"
    let result = try Scratch(script: Self.script).shell(
      "echo old > old; touch stop; lookahead run feed.lua -A -q -o o.ndjson > first 2>&1; mv o.ndjson o.ndjson.partial 2> errors; "
        + "rm stop; \(fault); \(run) $options; echo $?; \(run) $options --fresh; wc -l < o.ndjson")

    #expect(result.lines.suffix(2) == ["73", "3"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("steps that are done had items in it"), "\(result.errors)")
  }

  @Test(arguments: ["o.ndjson", "o.csv", "o.json", "o.ndjson.gz", "o/"])
  func `what comes before the first step leaves those that are done where they are`(output: String) throws {
    let run = "lookahead run feed.lua -A -q -o \(output)"
    let result = try Scratch(script: Self.script).shell(
      "touch early stop; \(run) > first 2>&1; rm stop; \(run); echo $?; (zcat -f \(output) 2> errors || cat o/*) | grep -o '[0-3]' | sort -u | tr -d '\\n'"
    )

    #expect(result.lines == ["0", "0123"], "\(result.output) \(result.errors)")
  }

  @Test func `a mirror of items without ids that goes on with nothing takes the place of what was there`()
    throws
  {
    let script = """
      local n = lookahead.fs.exists("fewer") and 1 or 4
      local s = lookahead.source { name = "s", keys = "page", pageSize = 1, write = "mirror", maxInFlight = 1, retries = 0 }
      function s.fetch(context)
        if context.key > n and lookahead.fs.exists("stop") then error("stop") end
        return { items = context.key <= n and { { v = n .. "-" .. context.key } } or {}, total = n }
      end
      return s
      """
    let run = "lookahead run feed.lua -A -q -o o.db"
    let result = try Scratch(script: script).shell(
      "\(run); touch fewer stop; \(run) > first 2>&1; rm stop; \(run); echo $?; sqlite3 o.db 'select v from s'; \(run); echo $?"
    )

    #expect(result.lines == ["0", "1-1", "0"], "\(result.output) \(result.errors)")
  }
}
