import Testing

/// Readings that were begun and with which nobody goes on.
@Suite(.waiting) struct LeftReadingTests {
  /// Ten pages of ten items; the run fails at page `at`.
  private static func script(_ names: String..., ending: String) -> String {
    """
    local p = lookahead.parameters { at = { default = 0, partition = false } }
    local function source(name)
      local new = lookahead.source { name = name, keys = "page", pageSize = 10, retries = 0 }
      function new.fetch(context)
        if context.key == p.at then error("closed for lunch") end
        local items = {}
        for place = context.key * 10 - 9, context.key * 10 do items[#items + 1] = { id = place } end
        return { items = items, total = 100, isLast = context.key == 10 }
      end
      return new
    end
    \(names.map { "local \($0) = source(\"\($0)\")" }.joined(separator: "\n"))
    \(ending)
    """
  }

  private static func partitions(of list: String) -> String {
    script(
      "items",
      ending: "return items:partitions(\(list), function(n) return { n = n } end, { limit = 1 })")
  }

  @Test(arguments: ["a.ndjson", "a.csv", "a.json", "out/"])
  func `a text with half of a source that is called otherwise now is refused, and left as it is`(
    output: String
  ) throws {
    let scratch = try Scratch(script: Self.script("old", ending: "return old"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "at=5")
    let before = try scratch.shell(
      "cat a.csv a.json a.ndjson out/* 2> /dev/null | sha256sum; ls *.partial out/*.partial"
    ).output
    try scratch.write("feed.lua", Self.script("new", ending: "return new"))

    let renamed = try scratch.lookahead("run", "feed.lua", "-o", output)
    let after = try scratch.shell(
      "cat a.csv a.json a.ndjson out/* 2> /dev/null | sha256sum; ls *.partial out/*.partial"
    ).output
    let fresh = try scratch.lookahead("run", "feed.lua", "-o", output, "--fresh")

    #expect(renamed.exitCode == 65, "\(renamed.errors)")
    #expect(
      renamed.error.contains(
        "has 40 items of the source 'old' (stopped at page 5), which the script no longer returns (it returns new)"
      ),
      "\(renamed.errors)")
    #expect(renamed.error.contains("--fresh begins anew"))
    #expect(before == after)
    #expect(fresh.exitCode == 0 && fresh.summary?.hasPrefix("100 items") == true, "\(fresh.errors)")
  }

  @Test func `a text is as it was once the source has its name again`() throws {
    let scratch = try Scratch(script: Self.script("old", ending: "return old"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "at=5")
    try scratch.write("feed.lua", Self.script("new", ending: "return new"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")
    try scratch.write("feed.lua", Self.script("old", ending: "return old"))

    let again = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(again.errors.contains("going on at page 5: 40 items are there"), "\(again.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 100)
  }

  @Test func `a source that was read to its end by the run that goes on is one of them`() throws {
    let scratch = try Scratch(
      script: Self.script("one", "two", ending: "two.needs = nil return { one, two }"))
    try scratch.write(
      "feed.lua",
      Self.script(
        "one", "two",
        ending: "local fetch = two.fetch\nfunction two.fetch(context)\n"
          + "if context.key == 3 then error(\"closed\") end return fetch(context) end\nreturn { one, two }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--tag")
    try scratch.write("feed.lua", Self.script("uno", "two", ending: "return { uno, two }"))

    let renamed = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--tag")

    #expect(
      renamed.exitCode == 65 && renamed.error.contains("items of the source 'one'"), "\(renamed.errors)")
  }

  @Test func `a source that is not chosen stays where it is`() throws {
    let scratch = try Scratch(script: Self.script("one", "two", ending: "return { one, two }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "out/", "--max-pages", "4")

    let one = try scratch.lookahead("run", "feed.lua", "-o", "out/", "--source", "one")
    let both = try scratch.lookahead("run", "feed.lua", "-o", "out/")

    #expect(one.exitCode == 0 && !one.errors.contains("left unfinished"), "\(one.errors)")
    #expect(both.errors.contains("going on at page 5: 40 items are there"), "\(both.errors)")
    #expect(!both.errors.contains("read to its end already"), "\(both.errors)")
    #expect(try scratch.text("out/one.ndjson").split(separator: "\n").count == 100)
    #expect(try scratch.text("out/two.ndjson").split(separator: "\n").count == 100)
  }

  @Test func `a table that a source has left, as it is called otherwise now, is told of`() throws {
    let scratch = try Scratch(script: Self.script("old", ending: "return old"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5")
    try scratch.write("feed.lua", Self.script("new", ending: "return new"))

    let renamed = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--summary", "s.json")

    #expect(renamed.exitCode == 0, "\(renamed.errors)")
    #expect(
      renamed.errors.contains(
        "the reading of old was left unfinished at page 5: the script returns no source of that name any more; "
          + "its 40 items stay"), "\(renamed.errors)")
    #expect(try scratch.shell("jq .readingsLeft s.json").output == "1\n")
  }

  @Test func `a mirror says which parts it does not mirror any more`() throws {
    func list(_ list: String) -> String {
      Self.partitions(of: list).replacing(
        "{ id = place }", with: "{ id = context.parameters.n * 1000 + place }")
    }
    let scratch = try Scratch(script: list("{ 1, 2, 3 }"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--write", "mirror")
    let same = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--write", "mirror")
    try scratch.write("feed.lua", list("{ 1 }"))

    let fewer = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--write", "mirror")

    #expect(!same.errors.contains("no longer among"), "\(same.errors)")
    #expect(fewer.exitCode == 0)
    #expect(fewer.errors.contains("their 200 rows stay"), "\(fewer.errors)")
    #expect(
      fewer.errors.contains(
        "2 parts of the source that earlier runs have read are no longer among those that are read"),
      "\(fewer.errors)")
  }

  @Test func `runs for one account each are no list`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { account = { default = 1 } }
        local rows = lookahead.source { name = "rows", write = "mirror" }
        function rows.fetch() return { items = { { id = p.account * 10 }, { id = p.account * 10 + 1 } } } end
        return rows
        """)
    for account in [1, 2, 1, 2] {
      let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "account=\(account)")
      #expect(!result.errors.contains("no longer among"), "\(result.errors)")
    }
    #expect(try scratch.values("SELECT count(*) AS value FROM rows", in: "a.db") == ["4"])
  }

  @Test(arguments: ["a.ndjson", "a.db"])
  func `a part that is no longer listed is told of, and the next run is another`(output: String) throws {
    let scratch = try Scratch(script: Self.partitions(of: "{ 1, 2 }"))
    try scratch.write(
      "feed.lua",
      try scratch.text("feed.lua").replacing(
        "== p.at", with: "== p.at and context.parameters.n == 2"))
    _ = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "at=5")
    try scratch.write("feed.lua", Self.partitions(of: "{ 1 }"))

    let second = try scratch.lookahead("run", "feed.lua", "-o", output)
    let third = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(
      second.errors.contains(
        "the reading of items{\"n\":2} was left unfinished at page 5: that part is no longer among those that are read"
      ),
      "\(second.errors)")
    #expect(!third.errors.contains("left unfinished"), "\(third.errors)")
    #expect(third.summary?.hasPrefix("100 items") == true, "\(third.errors)")
  }
}
