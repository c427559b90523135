import Testing

/// Which partition is which: told by the values of its parameters, and by nothing else that a script has seen.
@Suite(.waiting) struct PartitionNameTests {
  /// Partitions of two parameters, of which the handler reads in JSON with the members the other way round; one stops the run if asked.
  private static let script = #"""
    local given = lookahead.parameters { stop = { default = 0, partition = false }, first = { default = 1, partition = false } }
    local rows = lookahead.source { name = "rows", id = "id", keys = "page", bookmark = "at", maxInFlight = 1 }
    function rows.fetch(context)
      if context.parameters.repo == 12 and given.stop == 1 then error("stopped") end
      local seen = lookahead.json.decode('{"repo":"r","org":{"z":1,"a":2}}')
      if context.bookmark then return { items = {} } end
      return { items = { { id = context.parameters.repo .. ":" .. context.key, at = context.key, name = seen.repo } },
        isLast = context.key == 2 }
    end
    local list = {}
    for number = given.first, 20 do list[#list + 1] = number end
    return rows:partitions(list, function(number) return { org = { a = "o", z = 1 }, repo = number } end)
    """#

  private func ids(in scratch: Scratch, _ output: String) throws -> [String] {
    try scratch.shell("cat \(output) | grep -o '\"id\":\"[0-9:]*\"' | sort").lines
  }

  @Test(arguments: ["rows.ndjson", "all/"])
  func `a run that goes on knows the partitions of the run before`(output: String) throws {
    let scratch = try Scratch(script: Self.script)
    let stopped = try scratch.lookahead("run", "feed.lua", "-o", output, "-e", "stop=1")
    let whole = try scratch.lookahead("run", "feed.lua", "-o", output)
    let found = try ids(in: scratch, output == "all/" ? "all/rows.ndjson" : output)

    #expect(stopped.exitCode != 0)
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(found.count == 40)
    #expect(Set(found).count == 40)
  }

  @Test func `partitions keep their bookmarks when another one comes before them, and with --jobs`() throws {
    let scratch = try Scratch(script: Self.script)
    let first = try scratch.lookahead("run", "feed.lua", "-o", "rows.ndjson", "-e", "first=2")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "rows.ndjson")
    let third = try scratch.lookahead("run", "feed.lua", "-o", "rows.ndjson", "--jobs", "2")
    let found = try ids(in: scratch, "rows.ndjson")

    #expect([first, second, third].map(\.exitCode) == [0, 0, 0], "\(third.errors)")
    #expect(found.count == 40)
    #expect(Set(found).count == 40)
  }

  @Test func `a part whose run was killed behind its end is read on by the next run`() throws {
    let scratch = try Scratch(
      script: #"""
        local given = lookahead.parameters { upTo = { default = 20, partition = false } }
        local rows = lookahead.source { name = "rows", id = "id", bookmark = "id" }
        function rows.fetch(context)
          local items = {}
          for id = (context.bookmark or 0) + 1, given.upTo do items[#items + 1] = { id = id } end
          return { items = items }
        end
        return rows:partitions({ 1 }, function(number) return { part = number } end)
        """#)
    let first = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts")
    // As a kill between the note that the part is whole and the end of its state leaves it.
    let left = try scratch.shell(
      "sqlite3 all/parts/*.state \"UPDATE _lookahead_state SET value = 1 WHERE name = 'isOpen'\"")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "all/", "--parts", "-e", "upTo=50")
    let collected = try scratch.lookahead("collect", "all/", "-o", "rows.ndjson")

    #expect([first, second].map(\.exitCode) == [0, 0], "\(second.errors)")
    #expect(left.exitCode == 0, "\(left.errors)")
    #expect(try scratch.shell("cat rows.ndjson").lines.count == 50, "\(collected.errors)")
  }

  @Test func `a workflow whose steps were done before comes to its end`() throws {
    let scratch = try Scratch(
      script: #"""
        local rows = lookahead.source { name = "rows", id = "id" }
        function rows.fetch() return { items = { { id = 1 }, { id = 2 } } } end
        lookahead.step("read", function() for item in rows:items() do lookahead.emit(item) end end)
        lookahead.step("note", function() lookahead.fs.write("note.txt", "done") end)
        """#)
    let denied = try scratch.lookahead("run", "feed.lua", "-o", "rows.ndjson")
    let whole = try scratch.lookahead("run", "feed.lua", "-o", "rows.ndjson", "--allow-write=note.txt")

    #expect(denied.exitCode == 77)
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(try scratch.shell("cat rows.ndjson").lines.count == 2)
  }

  @Test(arguments: [
    "", "--no-state -o a.ndjson && cat a.ndjson", "--jobs 2", "--format json | tr -d '[]' | grep .",
  ])
  func `a partition that is listed twice is read once`(options: String) throws {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows", keys = "page" }
        function rows.fetch(context) return { items = { { id = context.parameters.n } }, isLast = true } end
        return rows:partitions({ 1, 2, 2, 1 }, function(n) return { n = n } end)
        """)

    let result = try scratch.shell("lookahead run feed.lua \(options)")

    #expect(result.lines.count { $0.contains("\"id\"") } == 2, "\(result.output)")
    #expect(result.errors.contains("is listed more than once, and read once"), "\(result.errors)")
  }

  @Test func `enough items are no error where more partitions wait than are read at once`() throws {
    let scratch = try Scratch(
      script: """
        local rows, list = lookahead.source { name = "rows", keys = "page" }, {}
        function rows.fetch(context)
          lookahead.sleep(0.01)
          return { items = { { id = context.parameters.n } }, isLast = true }
        end
        for n = 1, 30 do list[n] = n end
        return rows:partitions(list, function(n) return { n = n } end)
        """)

    let result = try scratch.lookahead("run", "feed.lua", "--limit", "7")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 7)
  }

  @Test(arguments: ["rows:itemSet()", "rows:partitions({ 1 }, function(n) return { n = n } end)"])
  func `what is no list is not taken for an empty one`(parents: String) throws {
    let scratch = try Scratch(
      script: """
        local rows = lookahead.source { name = "rows", fetch = function() return { items = {} } end }
        return rows:partitions(\(parents), function(n) return { n = n } end)
        """)

    let result = try scratch.lookahead("run", "feed.lua")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains("source:partitions: argument 1: expected a list"), "\(result.errors)")
  }
}
