import Testing

/// What is in a row of a table, whatever came before.
@Suite(.waiting) struct TableRowTests {
  @Test func `a value of another type keeps it, also in a table of several parts`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "things", keys = "page", parameters = { n = 0 } }
        function things.fetch(context)
          local n = context.parameters.n
          return { items = { { id = n, zip = n == 1 and 4567 or "0456" } }, isLast = true }
        end
        return things:partitions({ 1, 2, 3 }, function(n) return { n = n } end, { limit = 1 })
        """)

    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(
      try scratch.rows("select zip, typeof(zip), _partition from things order by id")
        == "4567|integer|1\n0456|text|2\n0456|text|3")
  }

  @Test(arguments: [1, 2])
  func `a row is its item: what only an earlier one had goes, in whatever order they come`(
    order: Int
  ) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { night = { default = 1, partition = false }, order = { default = 1, partition = false } }
        local things = lookahead.source { name = "things", keys = "page", pageSize = 1 }
        local full, bare = { id = 1, name = "one", size = 1.5 }, { id = 1, name = "two" }
        local other = { id = 2, name = "other", size = 2.5 }
        function things.fetch(context)
          local items = p.night == 1 and { full, other } or p.order == 1 and { bare, other } or { other, bare }
          return { items = { items[context.key] }, isLast = context.key == 2 }
        end
        return things
        """)

    for night in 1...2 {
      _ = try scratch.lookahead(
        "run", "feed.lua", "-o", "a.db", "-e", "night=\(night)", "-e", "order=\(order)")
      if night == 1 { _ = try scratch.shell("sqlite3 a.db 'create index sizes on things (size)'") }
    }

    #expect(try scratch.rows("select id, name, size from things order by id") == "1|two|\n2|other|2.5")
  }

  @Test func `a column that somebody has added keeps what is in it`() throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "things", keys = "page" }
        function things.fetch() return { items = { { id = 1, name = "one" } }, isLast = true } end
        return things
        """)
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")
    _ = try scratch.shell(
      "sqlite3 a.db \"alter table things add column note text; update things set note = 'mine'\"")

    let again = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try scratch.rows("select id, name, note from things") == "1|one|mine")
  }

  /// What the copy keeps of a row must not be what an item says of itself.
  @Test func `members named as columns of ours have columns of their own`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { most = { default = 3, partition = false } }
        local rows = lookahead.source { name = "rows" }
        function rows.fetch(context)
          local items, part = {}, context.parameters.part
          for n = 1, part == 1 and p.most or 3 do
            items[n] = { id = part * 10 + n, _partition = "{\\"part\\":2}", _Reading = 1, _stream = "x" }
          end
          return { items = items }
        end
        return rows:partitions({ 1, 2 }, function(part) return { part = part } end)
        """)

    for options in [[], ["-e", "most=2", "--write", "mirror"]] {
      let result = try Command.lookahead(["run", "feed.lua", "-o", "a.db"] + options).within(scratch).run()
      #expect(result.exitCode == 0, "\(result.errors)")
    }

    #expect(
      try scratch.rows(
        "select group_concat(id), count(distinct _partition), max(_partition_2), max(_reading_2) from rows")
        == "11,12,21,22,23|2|{\"part\":2}|1")
  }
}
