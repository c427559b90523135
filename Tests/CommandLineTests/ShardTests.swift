import Foundation
import Testing

/// `lookahead partitions` and `--shard`.
@Suite(.waiting) struct ShardTests {
  @Test func `the shares of all are all, each once, and the same in every run`() throws {
    let scratch = try Scratch(script: PartedScript.text)
    let all = try PartedScript.partitions(scratch)
    var shared: [String] = []
    for index in 1...5 {
      let share = try scratch.lookahead("partitions", "feed.lua", "--shard", "\(index)/5")
      #expect(share.exitCode == 0, "\(share.errors)")
      shared += share.lines
    }

    #expect(all.count == 12)
    #expect(shared.count == 12 && Set(shared) == Set(all))
    #expect(try PartedScript.partitions(Scratch(script: PartedScript.text)) == all)
    #expect(
      all[0] == #"{"id":"rows-b6636e856f02714c","source":"rows","stream":"rows","parameters":{"account":1}}"#)
  }

  @Test func `listing fetches nothing of the partitions`() throws {
    let listed = try Scratch(script: PartedScript.text).lookahead("partitions", "feed.lua")

    #expect(!listed.errors.contains("page"), "\(listed.errors)")
  }

  @Test func `a source without partitions is one, and one that comes twice is listed once`() throws {
    let script = """
      local one, other = lookahead.source { name = "a/b" }, lookahead.source { name = "other" }
      function one.fetch() return { items = {} } end
      other.fetch = one.fetch
      return { one, other:partitions({ 1, 2, 1 }, function(n) return { n = n } end) }
      """
    let lines = try Scratch(script: script).lookahead("partitions", "feed.lua").lines

    #expect(lines.count == 3)
    #expect(lines.contains { $0.contains(#""id":"a_b-"#) && $0.hasSuffix(#""parameters":{}}"#) }, "\(lines)")
  }

  @Test func `parents are paged to know the partitions`() throws {
    let script = """
      local parents = lookahead.source { name = "parents", keys = "page" }
      function parents.fetch(context)
        return { items = { { id = context.key * 2 }, { id = context.key * 2 + 1 } }, isLast = context.key == 3 }
      end
      local rows = lookahead.source { name = "rows" }
      function rows.fetch() error("not to be fetched") end
      return rows:partitions(parents, function(parent) return { parent = parent.id } end)
      """
    let result = try Scratch(script: script).lookahead("partitions", "feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.count == 6)
  }

  @Test(arguments: [
    ("return 1", "returns no source"), ("lookahead.emit { id = 1 }", "returns no source"),
    (
      "local s = lookahead.source { name = 's' }\nfunction s.fetch() return { items = {} } end\n"
        + "return s:partitions({ 1 }, function(n) return { f = print } end)", "can't be written as JSON"
    ),
  ])
  func `what has no partitions that can be told is refused`(script: String, reason: String) throws {
    let result = try Scratch(script: script).lookahead("partitions", "feed.lua")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test(arguments: ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/2/3"])
  func `a share is one of so many`(shard: String) throws {
    let result = try Scratch(script: PartedScript.text).lookahead("run", "feed.lua", "--shard=\(shard)")

    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(result.errors.contains("--shard"))
  }

  @Test(arguments: [("id", 6), ("k", nil)] as [(String, Int?)])
  func `what handlers emit in a share takes nothing away from the others`(member: String, count: Int?) throws
  {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows" }
        function rows.fetch(context)
          lookahead.emit({ \(member) = context.parameters.n }, "side")
          return { items = { { id = context.parameters.n } } }
        end
        return rows:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { n = n } end)
        """)

    let results = try (1...2).map { share in
      try scratch.lookahead("run", "feed.lua", "-o", "all.db", "--shard", "\(share)/2")
    }

    #expect(results.allSatisfy { ($0.exitCode == 0) == (count != nil) }, "\(results.map(\.errors))")
    if let count {
      #expect(try scratch.shell("sqlite3 all.db 'SELECT count(*) FROM side'").output == "\(count)\n")
    } else {
      #expect(results.allSatisfy { $0.error.contains("leave --shard") }, "\(results.map(\.errors))")
    }
  }

  @Test(arguments: [1, 2]) func `runs of all shares bring the rows of one run`(jobs: Int) throws {
    let scratch = try Scratch(script: PartedScript.text)
    var rows: [String] = []
    for index in 1...3 {
      rows += try scratch.lookahead(
        "run", "feed.lua", "-q", "--shard", "\(index)/3", "--jobs", "\(jobs)"
      ).lines
    }

    #expect(try rows.sorted() == PartedScript.rows())
  }
}
