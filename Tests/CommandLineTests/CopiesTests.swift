import Foundation
import Testing

/// A run whose partitions are read on several threads ends as a run on one does.
@Suite(.waiting) struct CopiesTests {
  /// Forty partitions of up to nine pages.
  private static let partitioned = """
    local p = lookahead.parameters { base = { default = "" }, fault = { default = 0 }, wait = { default = 0.0 } }
    print("the top")
    local accounts = {}
    for number = 1, 40 do accounts[number] = number end
    local rows = lookahead.source { name = "rows", keys = "page" }
    function rows.fetch(context)
      local account = context.parameters.account
      if account == p.fault and context.key == 2 then error("account " .. account .. " is broken") end
      if p.wait > 0 then lookahead.sleep(p.wait) end
      local items = {}
      for n = 1, 10 do items[n] = { id = account * 1000 + context.key * 10 + n, account = account } end
      return { items = items, isLast = context.key > account % 9 }
    end
    return rows:partitions(accounts, function(account) return { account = account } end)
    """

  private static let jobs = ["1", "2", "3", "auto"]

  private func rows(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

  @Test func `each thread has random numbers of its own`() throws {
    let scratch = try Scratch(
      script: """
        local rows, accounts = lookahead.source { name = "rows", keys = "page", pageSize = 5 }, {}
        function rows.fetch(context)
          local items = {}
          for n = 1, 5 do items[n] = { id = math.random(1 << 50) } end
          return { items = context.key <= 3 and items or {} }
        end
        for number = 1, 40 do accounts[number] = number end
        return rows:partitions(accounts, function(account) return { account = account } end)
        """)

    for jobs in ["1", "4"] {
      let result = try scratch.lookahead("run", "feed.lua", "--jobs", jobs, "-o", "rows\(jobs).db")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try scratch.shell("sqlite3 rows\(jobs).db 'select count(*) from rows'").output == "600\n")
    }
  }

  @Test func `all threads together bring the same rows`() throws {
    var known: [[String]] = []
    for jobs in Self.jobs {
      let scratch = try Scratch(script: Self.partitioned)
      let text = try scratch.lookahead("run", "feed.lua", "--jobs", jobs, "--summary", "s.json")
      let table = try scratch.shell(
        "lookahead run feed.lua --jobs \(jobs) -o rows.db 2> /dev/null && sqlite3 rows.db 'SELECT id, account FROM rows'"
      )

      #expect(text.exitCode == 0, "\(text.errors)")
      #expect(text.errors.components(separatedBy: "the top").count == 2, "\(text.errors)")
      known.append(rows(text.output) + rows(table.output))
      let summary = try scratch.text("s.json")
      #expect(summary.contains("\"items\":\(rows(text.output).count)"), "\(summary)")
      #expect(summary.contains("\"complete\":true"), "\(summary)")
    }

    #expect(known[0].count > 3000)
    #expect(known.allSatisfy { $0 == known[0] })
  }

  @Test(arguments: ["1", "3"]) func `what a handler does behind its answer is done on every thread`(
    jobs: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { fault = { default = 0 } }
        local rows, accounts = lookahead.source { name = "rows" }, {}
        function rows.fetch(context)
          local account = context.parameters.account
          context:append { { id = account } }
          context:complete(false)
          lookahead.sleep(0.1)
          if account == p.fault then error("account " .. account .. " is broken") end
          lookahead.emit({ id = account }, "details")
        end
        for number = 1, 12 do accounts[number] = number end
        return rows:partitions(accounts, function(account) return { account = account } end)
        """)

    let whole = try scratch.lookahead("run", "feed.lua", "--jobs", jobs, "--tag")
    let broken = try scratch.lookahead("run", "feed.lua", "--jobs", jobs, "--tag", "-e", "fault=12")

    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(rows(whole.output).count == 24, "\(whole.output)")
    #expect(broken.exitCode != 0)
    #expect(broken.error.contains("account 12 is broken"), "\(broken.errors)")
  }

  @Test func `a script that fails on another thread fails as on one`() throws {
    func ending(_ jobs: String) throws -> (String, Int32) {
      let result = try Scratch(script: Self.partitioned).lookahead(
        "run", "feed.lua", "-e", "fault=7", "--jobs", jobs)
      return (result.error, result.exitCode)
    }
    let (alone, together) = (try ending("1"), try ending("2"))

    #expect(alone.0.contains("account 7 is broken"))
    #expect(together.0 == alone.0)
    #expect(together.1 == alone.1)
  }

  @Test func `a task that fails on another thread when all is read fails the run`() throws {
    let script = """
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context)
        lookahead.spawn(function() lookahead.sleep(0.05) error("too late") end)
        return { items = { { id = context.parameters.n } } }
      end
      return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
      """
    let scratch = try Scratch(script: script)
    let (alone, together) = (
      try scratch.lookahead("run", "feed.lua"), try scratch.lookahead("run", "feed.lua", "--jobs", "2")
    )

    #expect(alone.error.contains("too late"))
    #expect(together.error == alone.error)
    #expect(together.exitCode == alone.exitCode)
  }

  /// What a handler leaves behind makes a request when all partitions are read.
  private static let leaving = """
    local p = lookahead.parameters { base = { required = true }, path = { default = "/items?page=1" } }
    local rows = lookahead.source { name = "rows" }
    function rows.fetch(context)
      local n = context.parameters.n
      lookahead.spawn(function()
        lookahead.sleep(0.1 * n)
        lookahead.emit({ n = n, status = lookahead.http.get(p.base .. p.path).status }, "late")
      end)
      return { items = { { id = n } } }
    end
    return rows:partitions({ 1, 2, 3 }, function(n) return { n = n } end)
    """

  @Test(arguments: ["1", "2", "3"])
  func `a task that goes on when all is read asks for what it wants, on every thread`(jobs: String) throws {
    let scratch = try Scratch(script: Self.leaving)
    let base = Server.faults.base(run: "copies", "items=30")

    let result = try scratch.lookahead(
      "run", "feed.lua", "--jobs", jobs, "--tag", "--allow-net=127.0.0.1", "-e", "base=\(base)")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(rows(result.output).filter { $0.contains("\"status\":200") }.count == 3, "\(result.output)")
  }

  @Test func `a step that each thread would do is refused`() throws {
    let script = """
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context)
        local n = context.parameters.n
        return { items = { { id = n, token = lookahead.step("token", function() return "by " .. n end) } } }
      end
      return rows:partitions({ 1, 2, 3, 4 }, function(n) return { n = n } end)
      """
    let scratch = try Scratch(script: script)

    let alone = try scratch.lookahead("run", "feed.lua", "--jobs", "1")
    let together = try scratch.lookahead("run", "feed.lua", "--jobs", "2")

    #expect(alone.lines.count == 4)
    #expect(alone.lines.allSatisfy { $0.contains(#""token":"by 1""#) }, "\(alone.output)")
    #expect(together.exitCode != 0)
    #expect(together.error.contains("read with run, without --jobs"), "\(together.errors)")
  }

  /// What goes on behind the end of the script.
  private static let begun = [
    "local t = lookahead.spawn(function() lookahead.sleep(0.2) names = { 'a', 'b' } end)\nlookahead.sleep(0.01)",
    "local t = lookahead.spawn(function() lookahead.sleep(0.01) names = { 'a', 'b' } end)",
    "local d = lookahead.prefetcher { fetch = function(id) lookahead.sleep(0.05) return id end }\nd:prefetch { 1 }\n"
      + "names = { 'a', 'b' }\nlocal t = { wait = function() d:get(1) end }\nlookahead.sleep(0.01)",
    "local other = lookahead.source { name = 'o', fetch = function(c) return { items = { { id = 'a' }, { id = 'b' } } } end }\n"
      + "local it = other:items()\nit()\nnames = { 'a', 'b' }\nlocal t = { wait = function() it() end }",
  ]

  @Test(arguments: CopiesTests.begun, ["1", "2"])
  func `what a script has begun and not ended goes on, and one thread reads`(begun: String, jobs: String)
    throws
  {
    let scratch = try Scratch(
      script: """
        local rows, names = lookahead.source { name = "rows" }, nil
        \(begun)
        function rows.fetch(c)
          t:wait()
          return { items = { { id = c.parameters.n, name = names[c.parameters.n] } } }
        end
        return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
        """)

    for output in ["-", "o\(jobs).ndjson"] {
      let result = try scratch.lookahead("run", "feed.lua", "--jobs", jobs, "-o", output, "--fresh")

      #expect(result.exitCode == 0, "\(result.errors)")
      let text = output == "-" ? result.output : try scratch.text(output)
      #expect(rows(text) == [#"{"id":1,"name":"a"}"#, #"{"id":2,"name":"b"}"#], "\(text)")
      #expect(result.errors.contains("reads on one thread") == (jobs == "2"), "\(result.errors)")
    }
  }

  @Test func `a run that failed on one of the threads goes on`() throws {
    let scratch = try Scratch(script: Self.partitioned)
    let first = try scratch.lookahead("run", "feed.lua", "-o", "rows.db", "--jobs", "2", "-e", "fault=39")
    let second = try scratch.lookahead("run", "feed.lua", "-o", "rows.db", "--jobs", "2")
    let whole = try Scratch(script: Self.partitioned).shell(
      "lookahead run feed.lua -o rows.db 2> /dev/null && sqlite3 rows.db 'SELECT id, account FROM rows'")
    let found = try scratch.shell("sqlite3 rows.db 'SELECT id, account FROM rows'")

    #expect(first.exitCode != 0)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(rows(found.output) == rows(whole.output))
  }

  @Test func `a rate holds for all threads together`() throws {
    let base = Server.faults.base(run: "copies-rate", "items=20")
    let script = """
      local p = lookahead.parameters { base = { required = true } }
      local pages = lookahead.source { name = "pages", keys = "page", pageSize = 10 }
      function pages.fetch(context)
        local page = lookahead.http.get(p.base .. "/items", { query = { page = context.key, per_page = 10 } }):json()
        return { items = page.items, total = page.total }
      end
      return pages:partitions({ 1, 2, 3, 4, 5, 6 }, function(n) return { n = n } end, { limit = 6 })
      """
    let began = Date()
    let result = try Scratch(script: script).lookahead(
      "run", "feed.lua", "-e", "base=\(base)", "--allow-net", "--rate", "10/s", "--jobs", "3", "-o",
      "rows.ndjson")
    let took = Date().timeIntervalSince(began)

    let requests = try Server.faults.counts(run: "copies-rate").requests
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(requests >= 12)
    // No run is faster than its rate.
    #expect(took >= Double(requests - 11) / 10, "\(requests) requests in \(took) s")
  }

  @Test func `an interrupt ends all threads, and keeps what was written`() throws {
    var command = Command.lookahead(["run", "feed.lua", "--jobs", "2", "-e", "wait=0.02"])
    command.isToBeInterrupted = { $0.lines.count >= 100 }
    let result = try command.within(Scratch(script: Self.partitioned)).run()

    #expect(result.exitCode == 130)
    #expect(result.lines.count >= 100)
    #expect(result.error == "error: interrupted; what was written is kept")
  }

  @Test func `threads that compute are interrupted`() throws {
    let script = """
      local rows = lookahead.source { name = "rows" }
      function rows.fetch() print("busy") while true do end end
      return rows:partitions({ 1, 2, 3 }, function(n) return { n = n } end)
      """
    var command = Command.lookahead(["run", "feed.lua", "--jobs", "2"])
    command.isToBeInterrupted = { $0.errors.components(separatedBy: "busy").count > 2 }
    let result = try command.within(Scratch(script: script)).run()

    #expect(result.exitCode == 130)
    #expect(result.error == "error: interrupted; what was written is kept")
  }

  @Test func `variables that change while partitions are read are named`() throws {
    let script = """
      local pages, seen, same, log = 0, { deep = {} }, { 1, 2 }, lookahead.log
      local function count() pages = pages + 1 end
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context)
        count()
        seen.deep[context.parameters.n] = same[1]
        return { items = { { id = context.parameters.n } } }
      end
      return rows:partitions({ 1, 2, 3 }, function(n) return { n = n } end)
      """
    let scratch = try Scratch(script: script)
    let (alone, together) = (
      try scratch.lookahead("run", "feed.lua"), try scratch.lookahead("run", "feed.lua", "--jobs", "2")
    )

    #expect(!alone.errors.contains("changes its"))
    #expect(together.errors.contains("changes its variables pages, seen while it reads partitions"))
    #expect(together.exitCode == 0 && rows(together.output) == rows(alone.output))
  }

  @Test func `a script that only reads its variables is told nothing`() throws {
    let result = try Scratch(script: Self.partitioned).lookahead("run", "feed.lua", "--jobs", "2")

    #expect(!result.errors.contains("changes its"), "\(result.errors)")
  }

  @Test func `what a script asked for before it returned is not asked again`() throws {
    let base = Server.faults.base(run: "copies-top", "items=7")
    let script = """
      local p = lookahead.parameters { base = { required = true } }
      local count = #lookahead.http.get(p.base .. "/items"):json().items
      local accounts = {}
      for n = 1, count do accounts[n] = n end
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context) return { items = { { id = context.parameters.n, count = count } } } end
      return rows:partitions(accounts, function(n) return { n = n } end)
      """
    let result = try Scratch(script: script).lookahead(
      "run", "feed.lua", "-e", "base=\(base)", "--allow-net", "--jobs", "2")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(rows(result.output) == (1...7).map { "{\"count\":7,\"id\":\($0)}" })
    #expect(try Server.faults.counts(run: "copies-top").requests == 1)
  }

  @Test func `a script that another thread can't repeat says so`() throws {
    let base = Server.faults.base(run: "copies-order", "items=7")
    let script = """
      local p = lookahead.parameters { base = { required = true } }
      local names = {}
      for n = 1, 12 do names[{}] = n end
      for _, n in pairs(names) do lookahead.http.get(p.base .. "/items", { query = { page = n } }) end
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context) return { items = { { id = context.parameters.n } } } end
      return rows:partitions({ 1, 2 }, function(n) return { n = n } end)
      """
    let result = try Scratch(script: script).lookahead(
      "run", "feed.lua", "-e", "base=\(base)", "--allow-net", "--jobs", "2")

    #expect(result.exitCode != 0)
    #expect(result.error.contains("on another thread the script does not do what it did on the first"))
    // By chance one of the two threads had the order of the first: what it read is right.
    #expect(["", "{\"id\":1}\n", "{\"id\":2}\n"].contains(result.output), "\(result.output)")
  }

  @Test func `parameters that no text can carry are read on the first thread`() throws {
    let script = """
      local rows = lookahead.source { name = "rows" }
      function rows.fetch(context) return { items = { { id = context.parameters.n, of = context.parameters.of(1) } } } end
      return rows:partitions({ 1, 2, 3 }, function(n) return { n = n, of = function(m) return n + m end } end)
      """
    let scratch = try Scratch(script: script)
    let (alone, together) = (
      try scratch.lookahead("run", "feed.lua"), try scratch.lookahead("run", "feed.lua", "--jobs", "2")
    )

    #expect(together.exitCode == alone.exitCode, "\(together.errors)")
    #expect(rows(together.output) == rows(alone.output))
  }

  @Test(arguments: ["0", "-1", "many", "1.5", "100000"])
  func `threads are a number or auto`(jobs: String) throws {
    let result = try Scratch(script: Self.partitioned).lookahead("run", "feed.lua", "--jobs=\(jobs)")

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--jobs"))
  }
}
