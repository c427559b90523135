import Foundation
import Testing

/// The pages that a worker and a manifest tell of a partition.
@Suite(.waiting) struct ToldPageTests {
  private static let outputs = [["-o", "all/", "--parts"], ["-o", "all.db"]]

  /// Partitions of three pages, of one, and of none with items.
  private static let script = """
    local rows = lookahead.source { name = "rows", keys = "page" }
    function rows.fetch(context)
      local pages = context.parameters.last
      local items = {}
      for n = 1, pages > 0 and 10 or 0 do items[n] = { id = pages * 1000 + context.key * 10 + n } end
      return { items = lookahead.json.array(items), isLast = context.key >= pages }
    end
    return rows:partitions({ 3, 1, 0 }, function(last) return { last = last } end)
    """

  @Test(arguments: outputs)
  func `a partition has as many pages as its source gave, also where it was read before`(output: [String])
    throws
  {
    let scratch = try Scratch(script: Self.script)
    let line = "lookahead partitions feed.lua | lookahead work feed.lua \(output.joined(separator: " "))"

    for isNew in [true, false] {
      let events = try scratch.shell(line).lines.map { object($0) }.filter {
        $0["event"] as? String == "done"
      }
      let pages = events.filter { $0["isNew"] as? Bool == isNew }.compactMap { $0["pages"] as? Int }.sorted()

      #expect(pages == [1, 1, 3], "\(events)")
    }
  }

  @Test(arguments: [1, 2]) func `a manifest has the pages of each part`(jobs: Int) throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      "lookahead run feed.lua -q -o all/ --parts --jobs \(jobs); grep -o 'pages.:[0-9]*' all/manifest.json | sort"
    )

    #expect(result.lines == [1, 1, 3].map { "pages\":\($0)" }, "\(result.output) \(result.errors)")
  }

  @Test(arguments: outputs)
  func `pages that a worker read before it was killed are counted, and those that are read again once`(
    output: [String]
  ) throws {
    let scratch = try Scratch(script: PartedScript.text)
    let line = PartedScript.line(of: 7, in: try PartedScript.partitions(scratch))
    let first = try Workshop(scratch, words: ["feed.lua"] + output + ["-e", "hold=7"])
    first.order(line)
    #expect(first.read(untilItSays: "page 4 of 7"))
    #expect(first.read { $0.name == "position" })
    first.signal(SIGKILL)
    _ = first.finish()
    let second = try Workshop(scratch, words: ["feed.lua"] + output)
    second.order(line)
    #expect(second.read { $0.name == "done" }, "\(second.sayings)")
    _ = second.finish()

    #expect(second.events.first { $0.name == "done" }?.count("pages") == 6)
  }
}
