import Foundation
import Testing

/// What a run remembers of its output, as a person meets it.
@Suite(.waiting) struct RememberTests {
  /// Ten pages of ten items, without every `gone`th; `at` is the page at which the run fails.
  static let script = """
    local p = lookahead.parameters {
      version = { default = 1, partition = false }, gone = { default = 0, partition = false },
      at = { default = 0, partition = false },
    }
    local things = lookahead.source { name = "things", keys = "page", pageSize = 10 SETTINGS }
    function things.fetch(context)
      if context.key == p.at then error("closed for lunch") end
      local items = {}
      if context.key > 10 then return { items = items } end
      for place = context.key * 10 - 9, context.key * 10 do
        if p.gone == 0 or place % p.gone ~= 0 then items[#items + 1] = ITEM end
      end
      return { items = items, total = p.gone == 0 and 100 or nil, isLast = context.key == 10 }
    end
    return things
    """

  private func scratch(
    _ settings: String = "", item: String = "{ id = place, version = p.version }"
  ) throws -> Scratch {
    try Scratch(
      script: Self.script.replacing("SETTINGS", with: settings).replacing("ITEM", with: item))
  }

  @Test(arguments: ["a.db", "a.ndjson", "a.csv", "a.json", "out/"])
  func `a run that failed goes on where it stopped, and says so`(output: String) throws {
    let scratch = try scratch()

    let first = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "at=5")
    let second = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(first.exitCode == 65)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("going on at page 5: 40 items are there"))
    #expect(second.summary?.hasPrefix("60 items, 7 pages") == true, "\(second.errors)")
    switch output {
    case "a.db": #expect(try scratch.rows("select count(*), count(distinct id) from things") == "100|100")
    case "a.json": #expect(try scratch.shell("jq length a.json").output == "100\n")
    case "a.csv": #expect(try scratch.text(output).components(separatedBy: "\r\n").count == 102)
    default:
      let text = try scratch.text(output == "out/" ? "out/things.ndjson" : output)
      #expect(text.split(separator: "\n").count == 100)
    }
    #expect(try !scratch.names.contains { $0.contains(".state") || $0.hasSuffix(".partial") })
  }

  @Test func `--fresh begins anew, and --no-state never goes on`() throws {
    for option in ["--fresh", "--no-state"] {
      let scratch = try scratch()
      _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "at=5")

      let second = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", option)

      #expect(second.summary?.hasPrefix("100 items") == true)
      #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 100)
    }
  }

  @Test func `a reading does not go on with other pages than it began with`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5")
    try scratch.write(
      "feed.lua", try scratch.text("feed.lua").replacing("pageSize = 10", with: "pageSize = 20"))

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    let fresh = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--fresh")

    #expect(second.exitCode == 65)
    #expect(second.error.contains("can't go on where it stopped (page 5, 40 items are there)"))
    #expect(second.error.contains("--fresh begins anew"))
    #expect(fresh.exitCode == 0, "\(fresh.errors)")
  }

  @Test func `a script that has changed goes on with a warning`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5")
    try scratch.write("feed.lua", try scratch.text("feed.lua") + "\n-- changed")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(second.exitCode == 0)
    #expect(second.errors.contains("feed.lua and parameter at have changed since this reading began"))
  }

  @Test func `what takes part in a reading and has changed is named`() throws {
    let scratch = try scratch()
    let script = try scratch.text("feed.lua")
    let parameter = "lookahead.parameters { host = { default = \"a\", partition = false } }\n"
    try scratch.write("feed.lua", "require(\"shared.keys\")\n" + parameter + script)
    try scratch.write("shared/keys.lua", "return {}")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5", "-e", "host=b")
    try scratch.write("shared/keys.lua", "return { 1 }")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5", "-e", "host=c")
    let third = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "host=b")

    #expect(
      second.errors.contains(
        "parameter host and shared/keys.lua have changed since this reading began"), "\(second.errors)")
    #expect(third.errors.contains("parameter at and shared/keys.lua have changed since"), "\(third.errors)")
  }

  @Test func `a file that somebody changed is read anew`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "at=5")
    try scratch.write("a.ndjson", "mine\n")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(second.errors.contains("the output is not as the run before left it"))
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 100)
  }

  @Test func `rows that are gone from the source stay when readings are merged, and are counted`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "gone=8", "-e", "version=2")

    #expect(
      second.errors.contains("12 rows are no longer at the source and stay (--write mirror removes them)"))
    #expect(try scratch.rows("select version, count(*) from things group by 1") == "1|12\n2|88")
  }

  @Test(arguments: [["--write", "mirror"], []])
  func `a mirror removes them, whether the source or the command line wants it`(options: [String]) throws {
    let scratch = try scratch(options.isEmpty ? ", write = \"mirror\"" : "")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    let cut = try scratch.copy(["-e", "gone=8", "--max-pages", "3"] + options)
    #expect(cut.exitCode == 0)
    #expect(try scratch.rows("select count(*) from things") == "100")
    let second = try scratch.copy(["-e", "gone=8"] + options)

    #expect(second.errors.contains("12 rows removed that the source no longer has"), "\(second.errors)")
    #expect(try scratch.rows("select count(*), min(id) from things") == "88|1")
  }

  @Test func `a reading that began as a mirror and goes on as none has all its items`() throws {
    let scratch = try scratch()
    _ = try scratch.copy()

    _ = try scratch.copy(["-e", "version=2", "-e", "at=5", "--write", "mirror"])
    let between = try scratch.rows("select version, count(*) from things group by 1")
    let last = try scratch.copy(["-e", "version=2"])

    #expect(between == "1|100")
    #expect(last.errors.contains("going on at page 5"), "\(last.errors)")
    #expect(try scratch.rows("select version, count(*) from things group by 1") == "2|100")
  }

  @Test func `a text does not go on in another form`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "at=5")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "--tag")

    #expect(second.summary?.hasPrefix("100 items") == true, "\(second.errors)")
    let lines = try scratch.text("a.ndjson").split(separator: "\n")
    #expect(lines.count == 100 && lines.allSatisfy { $0.contains("_stream") })
  }

  @Test func `a reading that brings nothing removes nothing, unless that was typed`() throws {
    let scratch = try scratch(", write = \"mirror\"")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    let empty = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "gone=1")
    #expect(empty.errors.contains("the source brought nothing, so nothing was removed"), "\(empty.errors)")
    #expect(try scratch.rows("select count(*) from things") == "100")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "gone=1", "--write", "mirror")

    #expect(try scratch.rows("select count(*) from things") == "0")
  }

  @Test func `append keeps all readings, each with its number`() throws {
    let scratch = try scratch()
    for version in 1...3 {
      _ = try scratch.lookahead(
        "run", "feed.lua", "-o", "a.db", "-e", "version=\(version)", "--write", "append")
    }

    #expect(
      try scratch.rows("select _reading, version, count(distinct id) from things group by 1, 2")
        == "1|1|100\n2|2|100\n3|3|100")
  }

  @Test func `items without ids are not merged into rows that are there`() throws {
    let scratch = try scratch(item: "{ name = \"n\" .. place }")
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    #expect(second.exitCode == 65)
    #expect(second.error.contains("have no ids, so a new reading can't be merged"))
    #expect(second.errors.contains("0 pages") || second.summary == nil)
    let third = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--write", "mirror")

    #expect(third.exitCode == 0, "\(third.errors)")
    #expect(try scratch.rows("select count(*), count(distinct name) from things") == "100|100")
  }

  @Test func `an id of two members names an item together`() throws {
    let scratch = try scratch(
      ", id = { \"a\", \"b\" }", item: "{ a = place % 10, b = \"b\" .. place // 10, version = p.version }")
    for version in 1...2 {
      let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "version=\(version)")
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    #expect(try scratch.rows("select version, count(*) from things group by 1") == "2|100")
  }

  @Test func `an id of two members may be set behind the declaration`() throws {
    let scratch = try scratch(item: "{ a = place % 10, b = place // 10 }")
    let text = try scratch.text("feed.lua")
    try scratch.write(
      "feed.lua", text.replacing("function things", with: "things.id = { \"a\", \"b\" }\nfunction things"))

    for _ in 1...2 { #expect(try scratch.copy().exitCode == 0) }

    #expect(try scratch.rows("select count(*) from things") == "100")
  }

  @Test func `an id without one of its members is an error that names it`() throws {
    let scratch = try scratch(", id = { \"a\", \"b\" }", item: "{ a = place }")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 65)
    #expect(result.error.contains("an item has no usable 'b'"), "\(result.error)")
  }

  @Test func `parts of a source are remembered and mirrored apart`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { account = 1, count = { default = 5, partition = false } }
        local rows = lookahead.source { name = "rows" }
        function rows.fetch()
          local items = {}
          for n = 1, p.count do items[n] = { id = p.account * 100 + n } end
          return { items = items }
        end
        return rows
        """)
    for account in ["1", "2"] {
      _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "account=\(account)")
    }

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "-e", "account=2", "-e", "count=3", "--write", "mirror")

    #expect(result.errors.contains("2 rows removed"), "\(result.errors)")
    #expect(
      try scratch.rows("select group_concat(id) from (select id from rows order by id)")
        == "101,102,103,104,105,201,202,203")
    let state = try scratch.lookahead("state", "a.db")
    #expect(state.output.contains("rows{\"account\":\"2\"}"), "\(state.output)")
  }

  @Test func `a source in partitions is read for every parent, and those that are done are not read again`()
    throws
  {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { bad = { default = "", partition = false } }
        local rows = lookahead.source { name = "rows" }
        function rows.fetch(context)
          if context.parameters.shop == p.bad then error("closed") end
          return { items = { { id = context.parameters.shop .. "1" }, { id = context.parameters.shop .. "2" } } }
        end
        local shops = lookahead.source { name = "shops" }
        function shops.fetch() return { items = { { id = "a" }, { id = "b" }, { id = "c" }, { id = "d" } } } end
        return rows:partitions(shops, function(shop) return { shop = shop.id } end, { limit = 1 })
        """)

    let failed = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson", "-e", "bad=c")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(failed.exitCode == 65)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.errors.contains("read to its end already: 2 items are there"), "\(second.errors)")
    let text = try scratch.text("a.ndjson")
    #expect(
      text.split(separator: "\n").sorted().map(String.init)
        == ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"].map { "{\"id\":\"\($0)\"}" })
  }

  @Test func `a source that is read again and again is followed, and rows of others stay`()
    throws
  {
    let scratch = try Scratch(
      script: """
        local turn = 0
        local rows = lookahead.source { name = "rows" }
        function rows.fetch()
          turn = turn + 1
          local items = {}
          for n = 1, 4 + turn do items[n] = { id = n, turn = n == 2 and turn or nil } end
          if turn == 3 then table.remove(items, 1) end
          return { items = items }
        end
        return rows
        """)
    _ = try scratch.shell(
      "sqlite3 a.db 'create table rows (id integer primary key); insert into rows values (3), (77)'")

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "--refresh", "1ms", "--refreshes", "2", "--adopt")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try scratch.rows("select group_concat(id) from (select id from rows order by id)") == "2,3,4,5,6,7,77")
    #expect(try scratch.rows("select turn from rows where id = 2") == "3")
  }

  @Test func `a part that is named twice is read once`() throws {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows" }
        function rows.fetch(context)
          lookahead.sleep(0.01)
          return { items = { { id = context.parameters.shop } } }
        end
        return rows:partitions({ "a", "b", "a" }, function(shop) return { shop = shop } end)
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.ndjson")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.text("a.ndjson").split(separator: "\n").count == 2)
  }

  @Test func `a run that was thought dead writes nothing once another one has taken its output`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "things", pageSize = 1 }
        function things.fetch(context)
          local page = context.key or 1
          if page == 5 then
            local db = lookahead.sqlite.open("a.db", { readOnly = false })
            db:execute("update _lookahead_state set value = value + 1 where name = 'epoch'")
            db:close()
          end
          lookahead.sleep(0.01)
          return { items = { { id = page } }, nextKey = page < 10 and page + 1 or nil }
        end
        return things
        """)

    let result = try scratch.copy(["--allow-write"])

    #expect(result.exitCode == 73, "\(result.errors)")
    #expect(result.error.contains("another run has taken it over"), "\(result.errors)")
    #expect(try scratch.rows("select max(id) < 6 from things") == "1")
  }

  @Test func `a replay of a run that went on has its items`() throws {
    let scratch = try scratch()
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "-e", "at=5")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "a.db", "--record", "r.jsonl")

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl", "-o", "b.ndjson")

    #expect(second.exitCode == 0)
    #expect(replay.exitCode == 0, "\(replay.errors)")
    #expect(try scratch.text("b.ndjson").split(separator: "\n").count == 60)
  }
}

extension Scratch {
  /// Runs the script into `a.db`.
  func copy(_ options: [String] = []) throws -> CommandResult {
    try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + options).within(self).run()
  }

  /// What a query of `a.db` finds.
  func rows(_ query: String) throws -> String {
    try shell("sqlite3 a.db \"\(query)\"").output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
