import TestSupport
import Testing

/// Texts behind readings that came to an end, and not to all that their source says to have.
@Suite(.waiting) struct FailedReadingTests {
  /// Items 1 to 4, behind a bookmark if `bookmark` is there; one more is said to be there as long as `odd` is.
  private static let script = """
    local marks = lookahead.fs.exists("marks")
    local function source(name, isOdd)
      local s = lookahead.source { name = name, bookmark = marks and "id" or nil }
      function s.fetch(context)
        local items = {}
        for id = 1, lookahead.fs.exists("more") and 4 or 2 do
          if not context.bookmark or id > context.bookmark then items[#items + 1] = { id = id } end
        end
        return { items = items, total = #items + (isOdd and lookahead.fs.exists("odd") and 1 or 0) }
      end
      return s
    end
    if lookahead.fs.exists("two") then return { source("a", false), source("b", true) } end
    return source("s", true)
    """

  @Test(arguments: ["o.ndjson", "o.ndjson.gz", "o.csv", "o.json"], ["", "more"])
  func `what a failed reading brought is not there twice`(output: String, grown: String) throws {
    let run = "lookahead run feed.lua -A -q -o \(output) 2>> errors"
    let result = try Scratch(script: Self.script).shell(
      "touch odd; \(run); \(run); touch . \(grown); \(run); rm odd; \(run); echo $?; zcat -f \(output) | grep -c '[1-4]'"
    )

    #expect(result.lines == ["0", grown.isEmpty ? "2" : "4"], "\(result.output) \(result.errors)")
  }

  @Test(arguments: ["o.ndjson", "o.ndjson.zst", "o.csv", "o/"])
  func `nor is it where the next reading comes behind`(output: String) throws {
    let run = "lookahead run feed.lua -A -q -o \(output) 2>> errors"
    let result = try Scratch(script: Self.script).shell(
      "touch marks; \(run); touch more odd; \(run); echo $?; \(run); echo $?; rm odd; \(run); echo $?; cd o 2> errors; "
        + "(zstdcat -f o.ndjson.zst 2> errors || cat o.csv 2> errors || cat *.ndjson) | grep -o '[1-4]' | tr -d '\\n'"
    )

    #expect(result.lines == ["1", "1", "0", "1234"], "\(result.output) \(result.errors)")
  }

  @Test func `a text of two sources is written anew where one of them has failed`() throws {
    let run = "lookahead run feed.lua -A -q --tag -o o.ndjson 2>> errors"
    let result = try Scratch(script: Self.script).shell(
      "touch two odd; \(run); rm odd; \(run); echo $?; sort -u o.ndjson | wc -l; wc -l < o.ndjson")

    #expect(result.lines == ["0", "4", "4"], "\(result.output) \(result.errors)")
  }

  @Test func `what can't be taken back is said to be there`() throws {
    let run = "lookahead run feed.lua -A -q --tag -o o.ndjson"
    let result = try Scratch(script: Self.script).shell(
      "touch marks two; \(run); touch more odd; \(run) 2> errors; rm odd; \(run); echo $?; wc -l < o.ndjson")

    #expect(result.lines == ["73", "4"], "\(result.output) \(result.errors)")
    #expect(
      result.errors.contains(
        "source 'b' is read anew, and what it brought to o.ndjson before can't be taken out"),
      "\(result.errors)")
  }

  @Test func `a step that emits nothing keeps no text from being written anew`() throws {
    let run = "lookahead run token.lua -A -q -o o.ndjson"
    let scratch = try Scratch(script: Self.script)
    try scratch.write("token.lua", "lookahead.step('token', function() return 1 end)\n" + Self.script)
    let result = try scratch.shell("touch odd; \(run) 2> errors; rm odd; \(run); echo $?; wc -l < o.ndjson")

    #expect(result.lines == ["0", "2"], "\(result.output) \(result.errors)")
  }

  /// The script emits, and so do handlers of a source that is whole when another fails before its first page; `marks` adds one whose
  /// items come behind those of before, and `parts` has two parts fail.
  private static let emitting = """
    lookahead.emit({ id = 0 }, "details")
    local list = lookahead.source { name = "list", keys = "page", maxInFlight = 1 }
    function list.fetch(context)
      lookahead.emit({ id = context.key }, "details")
      return { items = { { id = context.key } }, isLast = context.key == 3 }
    end
    local other = lookahead.source { name = "other", retries = 0 }
    function other.fetch(context)
      lookahead.sleep(0.3)
      if lookahead.fs.exists("down") then error("down", 0) end
      return { items = { { id = context.parameters.part or 1 } } }
    end
    if lookahead.fs.exists("parts") then
      return { list, other:partitions({ 1, 2 }, function(part) return { part = part } end) }
    end
    return { list, other }
    """

  @Test(arguments: [
    ("-o o/", ""), ("-o o/", "parts"), ("-o o/ --format csv", ""),
    ("-o o/ --compress gzip", ""), ("-o o/ --jobs 2", "parts"), ("-o o.ndjson --tag", ""),
    ("-o o.ndjson --tag", "parts"),
  ])
  func `what a failed run has emitted is not there twice`(output: String, more: String) throws {
    let run = "lookahead run emitting.lua -A -q \(output)"
    let scratch = try Scratch(script: "")
    try scratch.write("emitting.lua", Self.emitting)
    let result = try scratch.shell(
      "touch down \(more); for i in 1 2 3; do \(run) 2>> errors; echo $?; done; rm down; \(run); echo $?; "
        + "if [ -d o ]; then zcat -f o/details.*; else grep details o.ndjson; fi | grep -c '[0-3]'")

    #expect(result.lines == ["65", "65", "65", "0", "4"], "\(result.output) \(result.errors)")
  }

  @Test func `what a failed run has read to its end is read again`() throws {
    let script = """
      local function source(name)
        local s = lookahead.source { name = name, retries = 0 }
        function s.fetch(context)
          if name == "b" and lookahead.fs.exists("down") then error("down") end
          return { items = { { id = name, v = lookahead.fs.exists("more") and "new" or "old" } } }
        end
        return s
      end
      return { source("a"), source("b") }
      """
    let run = "lookahead run feed.lua -A -q --tag -o o.ndjson"
    let result = try Scratch(script: script).shell(
      "touch down; \(run) 2> errors; rm down; touch more; \(run); echo $?; grep -c new o.ndjson; grep -c old o.ndjson"
    )

    #expect(result.lines == ["0", "2", "0"], "\(result.output) \(result.errors)")
  }
}
