import Foundation
import Testing

@Suite(.waiting) struct RefreshTests {
  /// A table that others change, read in one page.
  private static let cities = """
    local cities, database = lookahead.source { name = "cities", keys = "offset", pageSize = 100 }
    function cities.fetch(context)
      database = database or lookahead.sqlite.open("cities.db")
      return { items = database:query("select id, name from cities order by name limit ? offset ?",
        { context.size, context.key }) }
    end
    return cities
    """

  /// 2,000 items that are others in every reading, each with the number of its reading, which is printed at its beginning.
  private static let turns = """
    local turns = lookahead.source { name = "turns", keys = "offset", pageSize = 2000 }
    function turns.fetch(context)
      local items, turn = {}, context.generation
      if context.key > 0 then return { items = items } end
      print("reading " .. turn)
      for id = turn * 100, turn * 100 + 1999 do items[#items + 1] = { id = id, turn = turn } end
      return { items = items }
    end
    return turns
    """

  private func withCities() throws -> Scratch {
    let scratch = try Scratch(script: Self.cities)
    _ = try scratch.shell(
      "sqlite3 cities.db \"create table cities (id integer primary key, name text); "
        + "insert into cities values (1, 'Aachen'), (2, 'Bonn'), (3, 'Celle')\"")
    return scratch
  }

  @Test func `what others change is told as operations until an interrupt`() throws {
    let scratch = try withCities()
    var command = Command.lookahead(["run", "feed.lua", "--changes", "--refresh", "50ms"])
    nonisolated(unsafe) var isChanged = false
    command.isToBeInterrupted = { sofar in
      if sofar.lines.count == 3, !isChanged {
        isChanged = true
        _ = try? scratch.shell(
          "sqlite3 cities.db \"begin; delete from cities where id = 1; update cities set name = 'Zeitz' where id = 2; "
            + "insert into cities values (9, 'Duisburg'); commit\"")
      }
      return sofar.lines.count >= 7
    }

    let result = try command.within(scratch).run()

    #expect(
      result.output == """
        {"op":"insert","stream":"cities","at":0,"id":1,"item":{"id":1,"name":"Aachen"}}
        {"op":"insert","stream":"cities","at":1,"id":2,"item":{"id":2,"name":"Bonn"}}
        {"op":"insert","stream":"cities","at":2,"id":3,"item":{"id":3,"name":"Celle"}}
        {"op":"delete","stream":"cities","at":0,"id":1}
        {"op":"move","stream":"cities","from":0,"to":1,"id":2}
        {"op":"insert","stream":"cities","at":1,"id":9,"item":{"id":9,"name":"Duisburg"}}
        {"op":"update","stream":"cities","at":2,"id":2,"item":{"id":2,"name":"Zeitz"}}

        """)
    #expect(result.exitCode == 130)
  }

  @Test func `a table is its source after each refresh`() throws {
    let scratch = try Scratch(script: Self.turns)

    for times in [1, 3] {
      let result = try scratch.lookahead(
        "run", "feed.lua", "-o", "copy\(times).db", "--refresh", "1ms", "--refreshes", "\(times)")

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.summary?.contains("\(times) refresh") == true)
      let turn = times + 1
      #expect(
        try scratch.shell(
          "sqlite3 copy\(times).db 'select count(*), min(id), max(id), min(turn), max(turn) from turns'"
        ).output
          == "2000|\(turn * 100)|\(turn * 100 + 1999)|\(turn)|\(turn)\n")
    }
  }

  @Test(arguments: 2...9)
  func `a kill leaves the table of one reading`(turn: Int) throws {
    let scratch = try Scratch(script: Self.turns)
    var command = Command.lookahead(["run", "feed.lua", "-o", "copy.db", "--refresh", "1ms"])
    command.isToBeInterrupted = { sofar in
      guard sofar.errors.contains("reading \(turn)\n") else { return false }
      return try! scratch.shell("sqlite3 copy.db 'select count(*) from turns'").output != ""
    }
    command.signals = [SIGKILL]

    let result = try command.within(scratch).run()

    let table = try scratch.shell(
      "sqlite3 copy.db 'pragma integrity_check; select count(*), count(distinct turn), max(id) - min(id) from turns'"
    )
    #expect(result.exitCode == SIGKILL)
    #expect(table.output == "ok\n2000|1|1999\n", "\(table.errors)")
  }

  @Test func `without changes a text gets what is new and what differs`() throws {
    let script = """
      local source = lookahead.source {}
      function source.fetch(context)
        if context.generation == 1 then return { items = { { id = 1 }, { id = 2 } } } end
        return { items = { { id = 3 }, { id = 1, seen = true } } }
      end
      return source
      """

    let result = try Scratch(script: script).lookahead(
      "run", "feed.lua", "--refresh", "1ms", "--refreshes", "2", "--summary", "-")

    #expect(
      result.lines.dropLast() == ["{\"id\":1}", "{\"id\":2}", "{\"id\":3}", "{\"id\":1,\"seen\":true}"])
    let summary = object(result.lines.last ?? "")
    #expect(summary["refreshes"] as? Int == 2)
    #expect(summary["removed"] as? Int == 1)
    #expect(summary["items"] as? Int == 4)
  }

  @Test func `a pause of an hour is interrupted`() throws {
    let scratch = try withCities()
    var command = Command.lookahead(["run", "feed.lua", "--refresh", "1h"])
    command.isToBeInterrupted = { $0.lines.count == 3 }

    let result = try command.within(scratch).run()

    #expect(result.exitCode == 130)
    #expect(result.error == "error: interrupted; what was written is kept")
  }

  @Test(arguments: [(2, Int32(0)), (3, 65)])
  func `a run has failed when its last refresh has`(failing: Int, exitCode: Int32) throws {
    let script = """
      local source = lookahead.source {}
      function source.fetch(context)
        if context.generation == \(failing) then error("closed for lunch") end
        return { items = { { id = context.generation } } }
      end
      return source
      """
    let scratch = try Scratch(script: script)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "--refresh", "1ms", "--refreshes", "2")

    #expect(result.exitCode == exitCode)
    #expect(result.errors.contains("a refresh failed: what was read before stays") == (failing == 2))
    #expect(result.errors.contains("closed for lunch"))
    #expect(try scratch.shell("sqlite3 a.db 'select id from feed'").output == (failing == 2 ? "3\n" : "2\n"))
  }

  @Test(arguments: [
    (["--changes", "-o", "a.db"], "--changes: a database is kept up to date by what happened"),
    (["--changes", "--format", "csv"], "--changes: a CSV has rows and no operations; write lines of JSON"),
    (["--changes", "-o", "a.csv"], "or keep a table up to date (-o FILE.db)"),
    (["--refreshes", "2"], "--refreshes: say how long to wait between them, as --refresh 30s"),
    (["--refresh", "1s", "--refreshes", "0"], "--refreshes 0: expected 1 or more"),
    (["--refresh", "0s"], "--refresh: expected a time that is more than none, as 30s"),
    (["--refresh", "1s", "--max-pages", "2"], "a source has to be read to its end to tell what changed"),
  ])
  func `what makes no sense is refused`(arguments: [String], message: String) throws {
    let scratch = try Scratch(script: Self.turns)

    let result = try Command.lookahead(["run", "feed.lua"] + arguments).within(scratch).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(!scratch.has("a.csv"))
  }

  @Test func `a script without a source can't be read again`() throws {
    let result = try Scratch(script: Scripts.streams).lookahead("run", "feed.lua", "--tag", "--refresh", "1s")

    #expect(result.exitCode == 64)
    #expect(
      result.error
        == "error: --refresh: the script returns no source to read again (return a source, or a list of them)"
    )
  }

  /// It would write over what the readings before have left.
  @Test func `a refresh makes no history`() throws {
    let scratch = try Scratch(
      script: "return lookahead.source { fetch = function() return { items = { { id = 1 } } } end }")

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "--refresh", "10ms", "--refreshes", "1", "--write", "append")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains("run it again for each reading"), "\(result.errors)")
  }

  @Test(arguments: ["context:complete(false)", "return { items = {}, isLast = true }"])
  func `a reading may append items without ids again, which another attempt may not`(ending: String) throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", id = false }
        function s.fetch(context) context:append { { n = 1 }, { n = 2 } } \(ending) end
        return s
        """)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "--refresh", "10ms", "--refreshes", "2")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.rows("select count(*) from s") == "2")
  }
}
