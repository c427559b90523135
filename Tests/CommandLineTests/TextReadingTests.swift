import Foundation
import Testing

/// Readings of one source, one after another, into texts.
@Suite(.waiting) struct TextReadingTests {
  @Test(arguments: ["a.csv", "out/"])
  func `a text grows by a column in one reading, and the next one adds to it`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { reading = { default = 1, partition = false } }
        local things = lookahead.source { name = "things", bookmark = "at" }
        function things.fetch()
          local items = {}
          for place = 1, 3 do
            items[place] = { id = place, at = p.reading * 10 + place, late = p.reading == 2 and place or nil }
          end
          return { items = items }
        end
        return things
        """)

    for reading in 1...3 {
      let result = try scratch.lookahead(
        "run", "feed.lua", "-o", output, "--format", "csv", "-e", "reading=\(reading)")
      #expect(result.exitCode == 0, "\(result.error)")
    }

    #expect(
      try scratch.text(output == "out/" ? "out/things.csv" : output)
        == """
        at,id,late
        11,1,
        12,2,
        13,3,
        21,1,1
        22,2,2
        23,3,3
        31,1,
        32,2,
        33,3,

        """.replacing("\n", with: "\r\n"))
  }

  @Test(arguments: ["a.csv", "out/"])
  func `half a page with a new column is read again whole`(output: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { fails = { default = false, partition = false } }
        local things = lookahead.source { name = "things", keys = "page", pageSize = 4, retries = 0, maxInFlight = 1 }
        function things.fetch(context)
          local first = context.key * 4 - 3
          context:append { { id = first, late = context.key == 2 and "late" or nil }, { id = first + 1 } }
          if context.key == 2 and p.fails then error("closed for lunch") end
          context:append { { id = first + 2 }, { id = first + 3 } }
          context:complete(context.key < 3)
        end
        return things
        """)
    let options = ["-o", output, "--format", "csv"]

    let failed = try Command.lookahead(["run", "feed.lua", "-e", "fails=true"] + options).within(scratch)
      .run()
    let second = try Command.lookahead(["run", "feed.lua"] + options).within(scratch).run()

    #expect(failed.exitCode == 65 && second.exitCode == 0, "\(failed.error) \(second.errors)")
    #expect(
      try scratch.text(output == "out/" ? "out/things.csv" : output)
        == "id,late\r\n" + (1...12).map { "\($0),\($0 == 5 ? "late" : "")\r\n" }.joined())
  }

  @Test(arguments: ["", "update _lookahead_state set value = 'another start' where name = 'boot'"])
  func `a text that readings add to is never replaced by the last of them`(cut: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { reading = { default = 1, partition = false } }
        local things = lookahead.source { name = "things", bookmark = "at", retries = 0 }
        function things.fetch(context)
          if context.key == 2 then error("closed for lunch") end
          return { items = { { id = p.reading, at = p.reading } }, nextKey = p.reading == 2 and 2 or nil }
        end
        return things
        """)
    func run(_ reading: Int, _ more: String = "") throws -> CommandResult {
      try scratch.shell("lookahead run feed.lua -o a.ndjson -e reading=\(reading) \(more)")
    }
    _ = try run(1)
    _ = try run(2)
    let before = try scratch.text("a.ndjson")
    // Where the machine stayed up, somebody has changed what was written.
    _ = try scratch.shell(
      cut.isEmpty
        ? "for file in a.ndjson*; do case $file in *state*) ;; *) echo changed > $file ;; esac; done"
        : "sqlite3 a.ndjson.state \"\(cut)\"")

    let (third, fourth) = (try run(3), try run(3))

    for result in [third, fourth] {
      #expect(result.exitCode == 73 && result.errors.contains("nothing is added to it"), "\(result.errors)")
    }
    #expect(try scratch.text("a.ndjson") == (cut.isEmpty ? "changed\n" : before))
    #expect(try run(3, "--fresh").exitCode == 0)
  }
}
