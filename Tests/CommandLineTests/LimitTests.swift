import Testing

@Suite(.waiting) struct LimitTests {
  @Test(arguments: [1, 99, 100, 101, 999])
  func `a limit is kept to the item`(limit: Int) throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--limit", "\(limit)")

    #expect(result.exitCode == 0)
    #expect(Items(lines: result.output)?.numbers == Array(1...limit))
  }

  @Test func `a limit above what there is is none`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--limit", "5000")

    #expect(result.exitCode == 0)
    #expect(Items(lines: result.output)?.count == 1000)
  }

  @Test func `pages can be limited`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead(
      "run", "feed.lua", "--max-pages", "3", "-j", "1")

    #expect(result.exitCode == 0)
    #expect(Items(lines: result.output)?.numbers == Array(1...300))
  }

  @Test(arguments: ["a.db", "a.ndjson", "out/"], [1, 5])
  func `a limit of pages brings as many new ones each time`(output: String, pages: Int) throws {
    let scratch = try Scratch(
      script: """
        local list = lookahead.source { name = "list", keys = "page", pageSize = 2 }
        function list.fetch(context)
          return { items = { { id = context.key * 2 - 1 }, { id = context.key * 2 } }, isLast = context.key == 20 }
        end
        return list
        """)
    for run in 1...3 {
      let result = try scratch.lookahead("run", "feed.lua", "-o", output, "--max-pages", "\(pages)")

      #expect(result.exitCode == 0, "\(result.errors)")
      let count =
        try output == "a.db"
        ? Int(scratch.values("SELECT count(*) AS value FROM list", in: output).first ?? "")
        : scratch.text(output == "out/" ? "out/list.ndjson" : output).split(separator: "\n").count
      #expect(count == run * pages * 2, "\(result.errors)")
    }
  }

  @Test func `a loop without end is stopped where it is`() throws {
    let scratch = try Scratch(script: "local n = 0\nwhile true do n = n + 1 end")

    let result = try scratch.lookahead("run", "feed.lua", "--max-cpu", "200ms")

    #expect(result.exitCode == 2)
    #expect(
      result.error
        == "error: feed.lua:2: the script ran longer than it may without waiting (see --max-cpu); "
        + "a loop that never ends looks like this")
  }

  @Test func `a script that takes all memory is stopped where it is`() throws {
    let scratch = try Scratch(script: "local t = {}\nwhile true do t[#t + 1] = (\"x\"):rep(100000) .. #t end")

    let result = try scratch.lookahead("run", "feed.lua", "--max-memory", "20MB")

    #expect(result.exitCode == 2)
    #expect(
      result.error == "error: feed.lua:2: the script needs more memory than it may have (see --max-memory)")
  }

  @Test(arguments: ["1", "100KB"])
  func `a script for whose text there is no memory is stopped by that limit`(most: String) throws {
    let script = "local t = { \((1...5000).map { "\"text \($0)\"" }.joined(separator: ", ")) }"

    let result = try Scratch(script: script).lookahead("run", "feed.lua", "--max-memory", most)

    #expect(result.exitCode == 2)
    #expect(result.error == "error: the script needs more memory than it may have (see --max-memory)")
  }

  @Test(arguments: [
    ["run", "feed.lua"], ["work", "feed.lua", "-o", "all/", "--parts"], ["browse", "feed.lua"],
    ["get", "http://127.0.0.1:1/"],
  ])
  func `no time is no limit of time`(command: [String]) throws {
    let result = try Command.lookahead(command + ["--max-cpu", "0s"]).within(Scratch(script: Scripts.numbers))
      .run()

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--max-cpu: expected a time that is more than none"), "\(result.errors)")
  }

  @Test func `a policy that cannot be reached ends the lab`() throws {
    let scratch = try Scratch(
      script: """
        return lookahead.policy { name = "mine", shouldBatchFetch = function()
          return ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40))
        end }
        """)

    let result = try scratch.lookahead("lab", "--policy", "feed.lua", "--sessions", "2")

    #expect(result.exitCode == 2)
    #expect(
      result.error.hasPrefix("error: the script was stopped, but has been in one long call of Lua's library"))
  }

  @Test func `a script that cannot be reached ends the process`() throws {
    let scratch = try Scratch(script: "return (\"a\"):rep(40):find((\"a?\"):rep(40) .. (\"a\"):rep(40))")

    let result = try scratch.lookahead("run", "feed.lua", "--max-cpu", "100ms")

    #expect(result.exitCode == 2)
    #expect(
      result.error.hasPrefix("error: the script was stopped, but has been in one long call of Lua's library"))
  }

  @Test func `only the sources that were asked for are read`() throws {
    let scratch = try Scratch(
      script: """
        local function source(name)
          local s = lookahead.source { name = name }
          function s.fetch() return { items = { { id = 1, from = name } } } end
          return s
        end
        return { source("one"), source("two") }
        """)

    let two = try scratch.lookahead("run", "feed.lua", "--source", "two")
    let none = try scratch.lookahead("run", "feed.lua", "--source", "three")

    #expect(two.output == "{\"from\":\"two\",\"id\":1}\n")
    #expect(none.exitCode == 64)
    #expect(none.error == "error: --source three: there is no such source (known: one, two)")
  }

  @Test func `requests can be slowed and narrowed`() throws {
    let base = Server.faults.base(run: "narrow", "items=1000/latency_ms=20")

    let result = try Scratch(script: Scripts.pages).lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "--allow-net", "-j", "2", "--rate", "100/s")

    #expect(Items(lines: result.output)?.numbers == Array(1...1000))
    #expect(try Server.faults.counts(run: "narrow").max_in_flight <= 2)
  }

  /// A list whose border Lua finds far behind its elements, and a function in which nothing of Lua runs.
  @Test func `a transform of Lua's own library ends where the script may run no longer`() throws {
    let scratch = try Scratch(
      script: """
        local items = { {}, {}, {}, {} }
        for power = 3, 44 do items[1 << power] = {} end
        for place = 5, 9 do items[place] = items[place] or {} end
        assert(#items > 1 << 40)
        return lookahead.source { transform = math.tointeger,
          fetch = function(context) context:append(items) context:complete(false) end }
        """)

    let result = try scratch.lookahead("run", "feed.lua", "--max-cpu", "200ms")

    #expect(result.exitCode == 2)
    #expect(
      result.error.contains("feed.lua:6: the script ran longer than it may without waiting"),
      "\(result.errors)")
  }
}
