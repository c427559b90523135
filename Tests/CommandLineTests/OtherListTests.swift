import Testing

/// What is asked for another list, or by another script, neither goes on in the middle of the first nor takes its rows away.
@Suite(.waiting) struct OtherListTests {
  private func url(_ items: Int, _ query: String = "") -> String {
    Server.faults.base(run: "other", "items=\(items)") + "/items\(query)"
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `get with another URL does not go on where the one before stopped`(output: String) throws {
    let scratch = try Scratch(script: "")
    let first = try scratch.lookahead("get", url(250), "-o", output, "--max-pages", "2")
    let second = try scratch.lookahead("get", url(300, "?x=1"), "-o", output)

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(!second.errors.contains("going on"), "\(second.errors)")
    #expect(second.exitCode != 0 || second.summary?.hasPrefix("300 items") == true, "\(second.errors)")
  }

  @Test func `get with the same request goes on`() throws {
    let scratch = try Scratch(script: "")
    _ = try scratch.lookahead("get", url(250), "-o", "a.db", "--max-pages", "2")

    let second = try scratch.lookahead("get", url(250), "-o", "a.db")

    #expect(second.errors.contains("going on at page 3"), "\(second.errors)")
    #expect(try scratch.rows("select count(*) from items") == "250")
  }

  @Test func `a key in a URL is not kept`() throws {
    let scratch = try Scratch(script: "")

    let result = try scratch.lookahead("get", url(250, "?api_key=hunter22"), "-o", "a.db", "--max-pages", "2")
    let kept = try scratch.rows("select count(*), max(partition) from _lookahead_readings")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(kept.hasPrefix("1|{") && kept.contains("request"), "\(kept)")
    #expect(!kept.contains("hunter22"))
  }

  @Test func `a mirror of one URL leaves the rows of another`() throws {
    let scratch = try Scratch(script: "")
    _ = try scratch.lookahead("get", url(250), "-o", "a.db")

    let second = try scratch.lookahead("get", url(30, "?x=1"), "-o", "a.db", "--write", "mirror")

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try scratch.rows("select count(*) from items") == "250")
  }

  private static func script(_ name: String) -> String {
    """
    local s = lookahead.source { name = "items", keys = "page", pageSize = 2 }
    function s.fetch(c)
      return { items = { { id = "\(name)" .. c.key * 2 }, { id = "\(name)" .. c.key * 2 + 1 } }, isLast = c.key == 5 }
    end
    return s
    """
  }

  @Test(arguments: ["a.db", "a.ndjson"])
  func `another script does not go on with the reading of the first`(output: String) throws {
    let scratch = try Scratch(script: Self.script("a"))
    try scratch.write("users.lua", Self.script("b"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", output, "--max-pages", "2")

    let second = try scratch.lookahead("run", "users.lua", "-o", output)

    #expect(second.exitCode == 65)
    #expect(second.error.contains("it was begun by another script (feed.lua)"), "\(second.errors)")
    #expect(second.error.contains("--fresh begins anew"))
  }

  @Test func `a script that was renamed, or changed, goes on`() throws {
    let scratch = try Scratch(script: Self.script("a"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--max-pages", "2")
    try scratch.write("renamed.lua", Self.script("a"))
    let second = try scratch.lookahead("run", "renamed.lua", "-o", "a.db", "--max-pages", "1")
    try scratch.write("feed.lua", Self.script("a") + "\n-- changed\n")
    let third = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(third.exitCode == 0, "\(third.errors)")
    #expect(try scratch.rows("select count(*) from items") == "10")
  }
}
