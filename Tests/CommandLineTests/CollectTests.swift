import TestSupport
import Testing

/// What `lookahead collect` makes of parts, beside what a run writes itself.
@Suite(.waiting) struct CollectTests {
  /// A source of four items, and what it declares; on the second turn its page is another.
  private func script(_ declaration: String, _ page: String) -> String {
    """
    local p = lookahead.parameters { turn = { default = 1, partition = false } }
    local items = lookahead.source { name = "items", \(declaration) }
    function items.fetch()
      local list = {}
      for i = 1, 4 do list[i] = { a = i % 2, b = i, id = i, u = i * 10, price = i + 0.5 } end
      if p.turn == 2 then \(page) end
      return { items = list }
    end
    return items
    """
  }

  private static let newer =
    "return { items = { { id = 4, b = 4, a = 9, u = 40 }, { id = 5, b = 5, u = 50 } }"
  private static let identities = [
    ("", "2"), ("id = 'b',", "2"), ("id = { 'id', 'b' },", "'[2,2]'"),
    ("id = function(i) return 'x' .. i.id end,", "'x2'"), ("id = function(i) return i.id + 10 end,", "12"),
  ]
  private static let cases = identities.flatMap { identity, second in
    let since = "\(identity) bookmark = 'u', isRemoved = function(i) return i.gone end"
    return [
      (identity, "list[4].a = 9"), (since, "return { items = {} }"),
      (since, "\(newer) }"), (since, "\(newer), removed = { \(second) } }"),
      (since, "return { items = {}, removed = { \(second) } }"),
      (since, "return { items = { { id = 2, b = 2, u = 60, gone = true }, { id = 2, b = 2, u = 70 } } }"),
      (since, "return { items = { { id = 4, b = 4, u = 60, gone = true }, { id = 6, b = 6, u = 60 } } }"),
    ]
  }

  @Test(arguments: cases)
  func `collecting makes the table that a run makes, also of what is gone and of ids that are made`(
    declaration: String, page: String
  ) throws {
    let result = try Scratch(script: script(declaration, page)).shell(
      """
      set -e
      for turn in 1 2; do
        lookahead run feed.lua -q -e turn=$turn -o direct.db
        lookahead run feed.lua -q -e turn=$turn -o all/ --parts
        lookahead collect all/ -o same.db 2> /dev/null
      done
      lookahead collect all/ -o anew.db 2> /dev/null
      for db in direct same anew; do
        sqlite3 $db.db "SELECT name, type, pk FROM pragma_table_info('items') ORDER BY name" > $db
        sqlite3 $db.db "SELECT * FROM items ORDER BY u, b" >> $db
      done
      diff direct same; diff direct anew; cat direct
      """)

    #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
    #expect(result.output.contains("|INTEGER|0\n"), "\(result.output)")
  }

  @Test(arguments: ["id = false,", "write = 'append',"])
  func `rows that are only counted are counted where they are collected, too`(declaration: String) throws {
    let result = try Scratch(script: script(declaration, "return { items = {} }")).shell(
      """
      lookahead run feed.lua -q -o all/ --parts; lookahead run feed.lua -q -o all/ --parts
      lookahead collect all/ -o all.db; sqlite3 all.db 'SELECT _id, id FROM items'
      """)

    let turns = declaration.contains("append") ? 2 : 1
    #expect(result.lines.count == turns * 4 && result.lines.last == "\(turns * 4)|4", "\(result.output)")
  }

  @Test(arguments: [
    ("made", "5"), ("made", "{ 1, 2 }"), ("made", "'text'"), ("made", "{ _lookahead_item = 1 }"),
    ("made", "{ _lookahead_removed = 1 }"), ("made", "{ _lookahead_id = 'y', a = 1 }"),
    ("'id'", "{ _lookahead_removed = 1, id = 2 }"), ("'id'", "{ _lookahead_item = 1, id = 2 }"),
  ])
  func `items come back as they were, whatever they are, and are called as lines of parts have it`(
    id: String, item: String
  ) throws {
    let script =
      "local function made() return 'x' end return lookahead.source { name = 'items', id = \(id), fetch = function() return { items = { \(item) } } end }"
    let result = try Scratch(script: script).shell(
      """
      lookahead run feed.lua -q -o direct.ndjson && lookahead run feed.lua -q -o all/ --parts &&
      lookahead collect all/ -o all.ndjson 2> /dev/null && cmp direct.ndjson all.ndjson
      """)

    #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
  }

  @Test(arguments: ["TERM", "KILL"])
  func `a part whose last page alone is missing still says what names its items`(signal: String) throws {
    let scratch = try Scratch(
      script: """
        local items = lookahead.source { name = "items", keys = "page", pageSize = 2, maxInFlight = 1 }
        function items.fetch(context)
          if context.key == 1 then return { items = { { id = 1 }, { id = 2 } } } end
          if not lookahead.fs.exists("go") then lookahead.log.info("the last page") end
          while not lookahead.fs.exists("go") do lookahead.sleep(0.005) end
          return { items = {} }
        end
        return items
        """)
    let result = try scratch.shell(
      """
      run="lookahead run feed.lua -o all/ --parts --progress never --allow-read"
      $run 2> first & until grep -q 'the last page' first; do sleep 0.01; done
      until ls all/parts/*.ndjson.state > /dev/null 2>&1; do sleep 0.01; done
      kill -\(signal) $!; wait; touch go; $run &&
      lookahead collect all/ -o all.db && lookahead collect all/ -o all.db && sqlite3 all.db .dump
      """)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains("INSERT INTO items VALUES(2);"), "\(result.output)")
    #expect(try scratch.text("all/manifest.json").contains(#""idField":"id""#))
  }

  @Test(.enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
  func `columns have the types that the source declares`() throws {
    let scratch = try Scratch(
      script: script(
        "types = { price = 'decimal(18,2)', b = 'text', never = 'date' }", "return { items = {} }"))
    try scratch.write(
      "columns.lua",
      "for row in lookahead.database.open(lookahead.parameters { file = 'x' }.file):rows('select column_name, data_type "
        + "from duckdb_columns() where table_name = \\'items\\' order by all') do lookahead.emit(row) end")
    var command = Command.shell(
      """
      lookahead run feed.lua -q -o direct.duckdb && lookahead run feed.lua -q -o all/ --parts &&
      lookahead collect all/ -o all.duckdb 2> /dev/null &&
      for file in direct all; do lookahead run columns.lua -q -e file=$file.duckdb --allow-read > $file.txt; done
      diff direct.txt all.txt && cat all.txt
      """
    ).within(scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.output) \(result.errors)")
    #expect(result.output.contains("DECIMAL(18,2)") && result.output.contains("never"), "\(result.output)")
  }

  @Test func `a text that is collected has no lines of items that are gone`() throws {
    let result = try Scratch(
      script: """
        local p = lookahead.parameters { turn = { default = 1, partition = false } }
        return lookahead.source { name = "items", bookmark = "u", isRemoved = function(item) return item.gone end,
          fetch = function()
            if p.turn == 2 then return { items = { { id = 1, u = 2, gone = true } } } end
            return { items = { { id = 1, u = 1 }, { id = 2, u = 1 } } }
          end }
        """
    ).shell(
      """
      for turn in 1 2; do lookahead run feed.lua -q -e turn=$turn -o all/ --parts; done
      lookahead collect all/ -o all.ndjson; lookahead collect all/ -o all.db; sqlite3 all.db 'SELECT id FROM items'; cat all.ndjson
      """)

    #expect(!result.errors.contains("stays"), "\(result.errors)")
    #expect(result.lines == ["2", #"{"id":2,"u":1}"#])
  }

  @Test(arguments: ["a", "b", "c", "d"])
  func `of an id that parts have in turn the row counts that the latest run brought`(salt: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { turn = { default = 1, partition = false } }
        local s = lookahead.source { name = "items", bookmark = "u" }
        local turns = {
          { { { id = "X", u = 1, text = 1 } }, { { id = "Y", u = 1, text = 1 } } },
          { { { id = "Y", u = 2, text = 2 } }, { { id = "X", u = 2, text = 2 } } },
          { {}, { { id = "Z", u = 3, text = 3 } } },
          { { { id = "X", u = 4, text = 4 } }, { { id = "Y", u = 4, text = 4 } } },
          { {}, {} },
        }
        function s.fetch(context) return { items = lookahead.json.array(turns[p.turn][context.parameters.account]) } end
        return s:partitions({ 1, 2 }, function(account) return { account = account, salt = "\(salt)" } end)
        """)

    let result = try scratch.shell(
      """
      for turn in 1 2 3 4 5; do
        lookahead run feed.lua -q -e turn=$turn -o all/ --parts && lookahead collect all/ -o all.db 2> /dev/null
        rm -f new.*; lookahead collect all/ -o new.db 2> /dev/null; lookahead collect all/ -o new.csv 2> /dev/null
        for file in all new; do
          sqlite3 $file.db "select group_concat(id || text, ' ') from (select * from items order by id)"
        done
        tail -2 new.csv | tr -d '\\r' | sort | paste -sd ' '
      done
      """)

    let rows = ["X1 Y1", "X2 Y2", "X2 Y2 Z3", "X4 Y4 Z3", "X4 Y4 Z3"]
    let last = ["X,1,1 Y,1,1", "X,2,2 Y,2,2", nil, "X,4,4 Y,4,4", "X,4,4 Y,4,4"]
    for (turn, lines) in stride(from: 0, to: 15, by: 3).map({ Array(result.lines.dropFirst($0).prefix(3)) })
      .enumerated()
    {
      #expect(lines.prefix(2) == [rows[turn], rows[turn]], "\(result.output) \(result.errors)")
      if let last = last[turn] { #expect(lines.last == last, "\(result.output)") }
    }
  }

  /// It began anew as its state was damaged, was stopped by an error, and went on.
  @Test func `where the lines of an earlier run ended is believed only where they are there`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters {
          turn = { default = 1, partition = false }, fails = { default = false, partition = false },
        }
        local s = lookahead.source { name = "items", bookmark = "u", keys = "page", pageSize = 1 }
        local turns = { { "a", "b" }, { "c", "d", "e" } }
        function s.fetch(context)
          if p.fails and context.key == 3 then error("stopped") end
          local id = turns[p.turn][context.key]
          return { items = { { id = id, u = p.turn, text = ("x"):rep(p.turn * 20) } }, isLast = context.key == #turns[p.turn] }
        end
        return s:partitions({ 1 }, function(account) return { account = account } end)
        """)

    let result = try scratch.shell(
      """
      lookahead run feed.lua -q -o all/ --parts && lookahead collect all/ 2> /dev/null
      for state in all/parts/*.state; do printf damaged > $state; rm -f $state-wal; done
      lookahead run feed.lua -q -e turn=2 -e fails=true -j 1 -o all/ --parts 2> /dev/null
      lookahead run feed.lua -q -e turn=2 -j 1 -o all/ --parts
      lookahead collect all/ -o all.db && sqlite3 all.db 'SELECT id FROM items ORDER BY id'
      """)

    #expect(result.lines == ["c", "d", "e"], "\(result.errors)")
  }

  @Test(arguments: ["1, 2", "2, 1"], ["a", "b", "c", "d"])
  func `what a part says is gone is its own row, whichever part comes first`(order: String, salt: String)
    throws
  {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { turn = { default = 1, partition = false } }
        local s = lookahead.source { name = "items", bookmark = "u", isRemoved = function(item) return item.gone end }
        local turns = {
          { { { id = "a", u = 1 } }, { { id = "Y", u = 1, text = "old" }, { id = "b", u = 1 } } },
          { { { id = "Y", u = 6, text = "moved" } }, { { id = "Y", u = 5, gone = true } } },
        }
        function s.fetch(context) return { items = turns[p.turn][context.parameters.account] } end
        return s:partitions({ \(order) }, function(account) return { account = account, salt = "\(salt)" } end, { limit = 1 })
        """)

    let result = try scratch.shell(
      """
      for turn in 1 2; do
        lookahead run feed.lua -q -e turn=$turn -o all/ --parts && lookahead collect all/ -o all.db 2> /dev/null
      done
      lookahead collect all/ -o new.db && lookahead collect all/ -o new.ndjson
      for file in all new; do sqlite3 $file.db "select group_concat(id || coalesce(text, ''), ' ') from (select * from items order by id)"; done
      cut -c1-9 new.ndjson | sort | tr -d '\\n'
      """)

    #expect(
      result.lines == ["Ymoved a b", "Ymoved a b", #"{"id":"Y"{"id":"a"{"id":"b""#], "\(result.errors)")
  }
}
