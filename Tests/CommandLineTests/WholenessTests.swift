import Foundation
import Testing

/// What a run says of itself: whether it brought all that its source has.
@Suite(.waiting) struct WholenessTests {
  /// A run against a server of 1,000 items, and what its summary has to say.
  struct Trial: CustomTestStringConvertible {
    let settings: String
    var options: [String] = []
    var exit: Int32 = 0
    var items = 1000
    var missing = 0
    let isComplete: Bool

    var testDescription: String { ([settings] + options).joined(separator: " ") }
  }

  private static let trials = [
    Trial(settings: "cut_gzip=3", isComplete: true),
    Trial(settings: "no_total=1", isComplete: true),
    Trial(settings: "wrong_total=150", isComplete: false),
    Trial(settings: "dup=50", items: 980, isComplete: false),
    Trial(settings: "wrong_total=1000", isComplete: true),
    Trial(settings: "wrong_total=1300", exit: 1, missing: 300, isComplete: false),
    Trial(settings: "empty_middle=4", exit: 1, items: 900, missing: 100, isComplete: false),
    Trial(settings: "status=403", exit: 1, items: 0, isComplete: false),
    Trial(settings: "lost_redirect=3", options: ["-j", "1"], exit: 1, items: 200, isComplete: false),
    Trial(settings: "no_gzip=1", options: ["--limit", "250"], items: 250, isComplete: false),
    Trial(settings: "no_gzip=1", options: ["--max-pages", "3"], items: 300, isComplete: false),
  ]

  @Test(arguments: trials)
  func `the summary says whether all is there, and so does the exit code`(trial: Trial) throws {
    let base = Server.faults.base(run: "whole-\(trial.settings.hashValue)", "items=1000/\(trial.settings)")
    let arguments = [
      "run", "scripts/sources/page_number.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1",
      "--summary", "-",
      "-o", "/dev/null", "-q",
    ]

    let result = try Command.lookahead(arguments + trial.options).run()

    let totals = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.errors)")
    #expect(result.exitCode == trial.exit, "\(result.errors)")
    #expect(totals["exitCode"] as? Int32 == trial.exit)
    #expect(totals["items"] as? Int == trial.items)
    #expect(totals["missing"] as? Int == trial.missing)
    #expect(totals["complete"] as? Bool == trial.isComplete)
    #expect(result.errors.isEmpty == (trial.exit == 0))
  }

  @Test(arguments: [
    "for item in source:items() do lookahead.emit(item) end",
    """
    local set = source:itemSet()
    while not set.lastPageAlreadyFetched do set:fetchNextPage() end
    for _, item in ipairs(set.items) do lookahead.emit(item) end
    """,
  ])
  func `a loop of a script is as whole as its sources are`(_ loop: String) throws {
    let scratch = try Scratch(
      script: """
        local parameters = lookahead.parameters { base = "" }
        local source = lookahead.source { name = "parents", keys = "page", pageSize = 100 }
        function source.fetch(context)
          local answer = lookahead.http.get(parameters.base .. "/items",
            { query = { page = context.key, per_page = context.size } }):json()
          return { items = answer.items, total = answer.total }
        end
        \(loop)
        """)
    func run(_ settings: String) throws -> CommandResult {
      let base = Server.faults.base(run: "loop-\(loop.count)-\(settings)", "items=300/\(settings)")
      return try scratch.lookahead("run", "feed.lua", "--param", "base=\(base)", "--allow-net")
    }

    let right = try run("no_gzip=1")
    let short = try run("wrong_total=500")

    #expect(right.exitCode == 0)
    #expect(short.exitCode == 1)
    #expect(short.lines.count == 300)
    #expect(
      short.error.hasPrefix("error: source 'parents' says that it has 500 items, and only 300 came"),
      "\(short.errors)")
    #expect(short.summary?.hasPrefix("300 items, 5 pages, 200 missing, ") == true, "\(short.errors)")
  }

  @Test func `a handler that forgets its key has not read the list`() throws {
    let scratch = try Scratch(
      script: """
        local parameters = lookahead.parameters { base = "" }
        local source = lookahead.source { name = "items", keys = "page", pageSize = 100 }
        function source.fetch(context)
          local answer = lookahead.http.get(parameters.base .. "/items?per_page=" .. context.size):json()
          return { items = answer.items, total = answer.total }
        end
        return source
        """)
    let base = Server.faults.base(run: "forgetful", "items=400")

    let result = try scratch.lookahead("run", "feed.lua", "--param", "base=\(base)", "--allow-net")

    #expect(result.exitCode == 1)
    #expect(
      result.error.hasPrefix("error: source 'items' says that it has 400 items, and only 100 came"),
      "\(result.errors)")
  }

  @Test(arguments: [404: 0, 400: 0, 403: 1, 429: 75, 503: 75] as [Int: Int32])
  func `a page behind the total that is refused ends a source, and a server that is busy does not`(
    status: Int, exit: Int32
  ) throws {
    let scratch = try Scratch(
      script: """
        local parameters = lookahead.parameters { base = "" }
        local source = lookahead.source { name = "list", keys = "page", pageSize = 2 }
        function source.fetch(context)
          if context.key > 3 then lookahead.http.get(parameters.base .. "/items") end
          return { items = { { id = context.key * 2 }, { id = context.key * 2 + 1 } }, total = 6 }
        end
        return source
        """)
    let base = Server.faults.base(run: "behind-\(status)", "items=1/status=\(status)")

    let result = try scratch.lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "--allow-net", "--retries", "0")

    #expect(result.exitCode == exit, "\(result.errors)")
    #expect(result.lines.count == 6)
    let isTold = result.errors.contains("info: the page behind the total was refused: taken for the end")
    #expect(isTold == (status == 400), "\(result.errors)")
  }

  /// Thirty items, of which the first five go before the third page is asked for.
  private static let shrinking = """
    local p = lookahead.parameters { goes = { default = false, partition = false } }
    local list = {}
    for n = 1, 30 do list[n] = { id = n } end
    local things = lookahead.source { name = "things", pageSize = 5, maxInFlight = 1 KEYS }
    function things.fetch(context)
      local page = context.key or 1
      if p.goes and page == 3 then list = table.move(list, 6, 30, 1, {}) end
      local items = table.move(list, page * 5 - 4, math.min(#list, page * 5), 1, {})
      return { items = items, total = #list, NEXT }
    end
    return things
    """

  @Test func `a list that gets shorter while it is counted may miss items, and removes none from a copy`()
    throws
  {
    let scratch = try Scratch(
      script: Self.shrinking.replacing("KEYS", with: ", keys = \"page\"").replacing("NEXT", with: ""))
    _ = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    let shorter = try scratch.lookahead(
      "run", "feed.lua", "-o", "a.db", "-e", "goes=true", "--write", "mirror", "--summary", "s.json")

    #expect(shorter.exitCode == 0, "\(shorter.errors)")
    #expect(
      shorter.errors.contains(
        "source 'things': its total fell by 5 while it was read, so up to 5 items may have moved to pages that were read already"
      ),
      "\(shorter.errors)")
    #expect(shorter.summary?.contains("up to 5 may be missed") == true, "\(shorter.errors)")
    #expect(try scratch.shell("jq -c '[.mayMiss, .complete, .missing]' s.json").output == "[5,false,0]\n")
    #expect(try scratch.rows("select count(*) from things") == "30")
  }

  /// A page number is no cursor, whoever names it.
  @Test(arguments: [
    ("page + 1", "context.key", true), ("('x'):rep(page + 1)", "context.key and #context.key", false),
  ])
  func `a total that falls is told where pages move with it, also where the source counts them`(
    next: String, page: String, moves: Bool
  ) throws {
    let scratch = try Scratch(
      script: """
        local things = lookahead.source { name = "things", pageSize = 5 }
        function things.fetch(context)
          local page, items = \(page) or 1, {}
          for n = page * 5 - 4, page * 5 do items[#items + 1] = { id = n } end
          return { items = items, total = page < 3 and 30 or 25, nextKey = page < 6 and \(next) or nil }
        end
        return things
        """)

    let shorter = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(shorter.errors.contains("its total fell by 5") == moves, "\(shorter.errors)")
  }

  @Test func `items that came again in the place of others are told`() throws {
    let base = Server.faults.base(run: "moved", "items=1000/dup=50")

    let result = try Command.lookahead([
      "run", "scripts/sources/page_number.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1",
    ]).run()

    #expect(result.exitCode == 0)
    #expect(
      result.errors.contains(
        "says that it has 1,000 items, and 1,000 came, 20 of them again, so that 980 are there: "),
      "\(result.errors)")
  }

  @Test func `an empty body is tried again, and a page for people is not`() throws {
    func requests(_ name: String) throws -> Int {
      let base = Server.faults.base(run: "again-\(name)", "items=100/\(name)=1")
      _ = try Command.lookahead([
        "run", "scripts/sources/page_number.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1",
        "--retries", "2",
        "-q",
      ]).run()
      return try Server.faults.counts(run: "again-\(name)").requests
    }

    let (empty, people) = (try requests("no_body"), try requests("html"))

    #expect(empty == 3)
    #expect(people == 1)
  }

  /// Item 3 is edited before the second page is asked for, so that 11 moves to the first one; the fourth page fails at first.
  @Test(arguments: ["page", "cursor"], [false, true])
  func `items edited while they are counted may hide others: that is told, also by a run that goes on`(
    keys: String, fails: Bool
  ) throws {
    let scratch = try Scratch(
      script: """
        local s = lookahead.source { name = "s", keys = "\(keys)", pageSize = 10, maxInFlight = 1, retries = 0,
          bookmark = "t" }
        function s.fetch(context)
          local page = \(keys == "page" ? "context.key" : "context.key and #context.key or 1")
          if page == 4 and lookahead.fs.exists("fails") then return context:fail("down", { transient = true }) end
          local list, items = {}, {}
          for n = 1, 30 do if n ~= 3 or page == 1 then list[#list + 1] = { id = n, t = n } end end
          if #list == 29 then list[30] = { id = 3, t = 31 } end
          for _, item in ipairs(list) do if item.t >= (context.bookmark or 0) then items[#items + 1] = item end end
          items = table.move(items, page * 10 - 9, page * 10, 1, {})
          return { items = items, nextKey = #items > 0 and ("x"):rep(page + 1) or nil }
        end
        return s
        """)
    let run = "lookahead run feed.lua -A -o a.db --summary s.json 2>> errors"

    let result = try scratch.shell(
      "\(fails ? "touch fails; \(run); rm fails errors;" : "") \(run); echo $?; jq -c '[.mayMiss, .complete, .missing]' s.json; "
        + "grep -c '1 of its items came again, newer, while it was read, so up to 1 item may have moved' errors"
    )

    let counts = keys == "page"
    #expect(
      result.lines == ["0", counts ? "[1,false,0]" : "[0,true,0]", counts ? "1" : "0"],
      "\(result.output) \(result.errors)")
  }
}
