import Foundation
import Testing

/// How far a run in partitions is: how many there are, as soon as that is known.
@Suite(.waiting) struct PartitionProgressTests {
  /// Thirty partitions, from a table or from another source, whose list is read as the partitions are.
  private func script(_ parents: String) -> String {
    """
    local p = lookahead.parameters { wait = { default = 0.0, partition = false } }
    local rows = lookahead.source { name = "rows", keys = "page" }
    function rows.fetch(context)
      if p.wait > 0 then lookahead.sleep(p.wait) end
      return { items = { { id = context.parameters.n } }, isLast = true }
    end
    local parents = lookahead.source { name = "parents", keys = "offset", pageSize = 10 }
    function parents.fetch(context)
      local items = {}
      for n = context.key + 1, math.min(30, context.key + 10) do items[#items + 1] = { id = n } end
      return { items = items, isLast = context.key >= 20 }
    end
    local list = {}
    for n = 1, 30 do list[n] = { id = n } end
    return rows:partitions(\(parents), function(parent) return { n = parent.id } end, { limit = 2 })
    """
  }

  private func totals(_ scratch: Scratch) throws -> [String: Any]? {
    let page = try scratch.text("run.html")
    let json = try #require(page.firstMatch(of: /<script type="application\/json" id="data">(.*?)<\/script>/))
      .output.1
    let data = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    return (data["totals"] as? [String: Any])?["partitions"] as? [String: Any]
  }

  @Test(arguments: ["list", "parents"], [[], ["--jobs", "2"], ["--no-state"]])
  func `in the end all are counted, whoever has listed and read them`(parents: String, options: [String])
    throws
  {
    let scratch = try Scratch(script: script(parents))
    let line = ["run", "feed.lua", "-o", "out.ndjson", "--report", "run.html"] + options

    let result = try Command.lookahead(line).within(scratch).run()
    let totals = try #require(try totals(scratch))

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(totals["listed"] as? Int == 30 && totals["done"] as? Int == 30)
    #expect(totals["isListed"] as? Bool == true)
  }

  @Test func `a share of them is all that a shard has`() throws {
    let counts = try (1...2).map { shard in
      let scratch = try Scratch(script: script("list"))
      _ = try scratch.lookahead(
        "run", "feed.lua", "-o", "all/", "--parts", "--shard", "\(shard)/2", "--report", "run.html")
      let totals = try #require(try totals(scratch))
      #expect(totals["listed"] as? Int == totals["done"] as? Int)
      return totals["done"] as? Int ?? 0
    }

    #expect(counts.reduce(0, +) == 30)
  }

  @Test func `what an earlier run has read is done, and a source besides leaves no count of what is left`()
    throws
  {
    let scratch = try Scratch(script: script("list"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "out.db")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "out.db", "--report", "run.html")
    let again = try #require(try totals(scratch))
    let both = try Scratch(
      script: script("list").replacing("return rows:", with: "local parted = rows:")
        + "\nreturn { parted, parents }")
    _ = try both.lookahead("run", "feed.lua", "-o", "out.db", "--report", "run.html")
    let besides = try #require(try totals(both))

    #expect(again["done"] as? Int == 30)
    #expect(besides["done"] as? Int == 30 && besides["left"] == nil)
  }

  @Test(arguments: [
    ("list", #""partitions":\d+,"partitions_total":30,.*"seconds_left":\d+"#),
    ("parents", #""partitions":\d+,"items_per_second""#),
  ])
  func `a log tells how many, and how long yet only if all are known`(parents: String, pattern: String)
    throws
  {
    let scratch = try Scratch(script: script(parents))

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "out.ndjson", "-e", "wait=0.5", "--log-format", "json")
    let progress = try #require(result.errors.split(separator: "\n").first { $0.contains("in_flight") })

    #expect(try progress.firstMatch(of: Regex(pattern)) != nil, "\(progress)")
  }
}
