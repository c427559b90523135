import Paging
import Scripting
import Testing

@Suite struct LimitTests {
  @Test func `a limit ends a source behind that many items`() throws {
    let run = try ScriptRun(numbers + "return numbers(1000)") { $0.limit = 25 }

    #expect(run.items().count == 25)
    #expect(run.statistics.items == 25)
    #expect(run.statistics.inFlight == 0)
    #expect(run.failure == nil)
    #expect(run.isFinished)
  }

  @Test func `a limit ends a script that emits, which is no failure`() throws {
    let script = """
      for id = 1, 10 do lookahead.emit { id = id } lookahead.sleep(1) end
      print("never")
      """

    let run = try ScriptRun(script) { $0.limit = 3 }

    #expect(run.items().count == 3)
    #expect(run.failure == nil)
    #expect(run.printed.isEmpty)
    #expect(run.seconds == 2)
  }

  @Test func `streams behind the limit are not begun`() throws {
    let run = try ScriptRun(
      """
      lookahead.emit({ id = 1 }, "a")
      lookahead.emit({ id = 2 }, "b")
      lookahead.emit({ id = 3 }, "c")
      """
    ) { $0.limit = 2 }

    #expect(run.world.deliveries.map(\.delivery.stream) == ["a", "b"])
  }

  @Test func `a limit of pages ends a source and a loop`() throws {
    let source = try ScriptRun(numbers + "return numbers(1000)") { $0.maxPages = 3 }
    #expect(source.items().count == 30)
    #expect(source.failure == nil)
    #expect(source.statistics.inFlight == 0)

    let loop = try ScriptRun(
      numbers + "local n = 0 for item in numbers(1000):items() do n = n + 1 end print(n)"
    ) { $0.maxPages = 3 }
    #expect(loop.printed == ["30"])
    #expect(loop.isFinished)
    #expect(loop.statistics.inFlight == 0)
  }

  @Test func `an interrupt keeps what was delivered and ends the rest`() throws {
    let world = ScriptWorld(["GET http://a/1": [.json("[1,2]")]])
    world.neverAnswers = { call in
      if case .http(let request) = call { request.url == "http://a/2" } else { false }
    }
    let run = try ScriptRun(
      """
      for page = 1, 3 do
        for _, id in ipairs(lookahead.http.get("http://a/" .. page):json()) do lookahead.emit { id = id } end
      end
      """, in: world)
    #expect(!run.isFinished)

    run.interrupt()

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(run.isFinished)
    #expect(run.failure == "interrupted")
    #expect(run.trace.contains { $0.hasPrefix("  cancel ") })
  }

  @Test func `an interrupt waits for the sink to take what it was given`() throws {
    let world = ScriptWorld()
    world.sinkDelay = .seconds(5)
    world.neverAnswers = { if case .http = $0 { true } else { false } }
    let run = try ScriptRun(
      """
      local guard <close> = setmetatable({}, { __close = function() lookahead.emit { id = 2 } end })
      lookahead.emit { id = 1 }
      lookahead.http.get("http://a/")
      """, in: world)

    run.interrupt()

    #expect(run.items() == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(run.isFinished)
  }

  @Test func `settings of the command line win over the source's own`() throws {
    let world = ScriptWorld(["GET http://a/": [.status(503)]])
    let script = """
      return lookahead.source { retries = 9, timeout = 5, keys = "page", fetch = function()
        return lookahead.http.get("http://a/"):json()
      end }
      """

    let run = try ScriptRun(script, in: world) { options in
      options.overrides.retries = 1
      options.overrides.timeout = .seconds(2)
      options.overrides.width = .pages(1)
    }

    #expect(run.world.requests.count == 2)
    #expect(run.world.requests.allSatisfy { $0.request.timeout == .seconds(2) })
  }

  @Test func `a dry run shows its requests and sends none`() throws {
    let run = try ScriptRun("lookahead.http.post(\"http://a/b\", { json = { 1 } })") { $0.isDryRun = true }

    #expect(run.printed == ["would send POST http://a/b"])
    #expect(run.world.requests.isEmpty)
    #expect(run.code == "cancelled")
  }

  @Test(arguments: [1, 2, 5, 9])
  func `no page is asked for beyond a limit of pages, however many may be in flight`(limit: Int) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { keys = "page", pageSize = 10, fetch = function(context)
        print(context.key)
        lookahead.sleep(1)
        local items = {}
        for id = 1, 10 do items[id] = { id = context.key * 10 + id } end
        return { items = items, total = 1000 }
      end }
      """
    ) {
      $0.maxPages = limit
      $0.overrides.width = .pages(8)
    }

    #expect(run.printed == (1...limit).map { "\($0)" })
    #expect(run.items().count == 10 * limit)
    #expect(run.failure == nil && run.isFinished)
  }

  @Test(arguments: 1...8)
  func `a limit of pages is reached though pages have gaps and come in any order`(limit: Int) throws {
    let run = try ScriptRun(
      """
      return lookahead.source { keys = "offset", pageSize = 10, maxInFlight = 4, fetch = function(context)
        lookahead.sleep(1 + context.key * 7 % 3)
        local items = {}
        for id = context.key, math.min(99, context.key + math.min(context.size, 6) - 1) do
          items[#items + 1] = { id = id }
        end
        return { items = items, total = 100 }
      end }
      """
    ) { $0.maxPages = limit }

    #expect(run.statistics.pages == limit)
    #expect(run.failure == nil && run.isFinished)
    #expect(run.items() == (0..<run.items().count).map { "{\"id\":\($0)}" })
  }

  @Test func `a dry run tells what it would do to a database, and does nothing to it`() throws {
    let run = try ScriptRun(
      """
      local db = lookahead.sqlite.open("a.db")
      db:execute("delete from t")
      lookahead.fs.write("a.txt", "text")
      db:query("select 1")
      """
    ) { $0.isDryRun = true }

    #expect(run.printed.count == 3)
    for (line, word) in zip(run.printed, ["delete from t", "a.txt", "select 1"]) {
      #expect(line.contains(word))
    }
    #expect(run.code == "cancelled")
  }
}
