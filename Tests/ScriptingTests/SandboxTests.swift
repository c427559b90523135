import Lua
import Scripting
import Testing

@Suite struct SandboxTests {
  @Test func `globals that were not declared are refused`() throws {
    #expect(
      try failure(of: "\nfound = 3")
        == "feed.lua:2: 'found' is not declared: write local found (scripts share nothing through globals)")
    #expect(try failure(of: "function helper() end")?.contains("'helper' is not declared") == true)
    #expect(try failure(of: "missing()") == "feed.lua:1: attempt to call a nil value (global 'missing')")
  }

  @Test(arguments: [
    "io", "debug", "package", "dofile", "loadfile", "warn", "os.execute", "os.exit", "os.remove", "os.getenv",
    "os.tmpname", "os.rename", "os.setlocale", "string.dump",
  ])
  func `what reaches out of the sandbox is absent`(_ name: String) throws {
    #expect(try printed(by: "print(\(name))") == ["nil"])
  }

  @Test func `nothing that a script can reach is the host's`() throws {
    let lines = try printed(
      by: """
        local seen = {}
        local function walk(value, path)
          local kind = type(value)
          if kind ~= "table" and kind ~= "userdata" and kind ~= "function" or seen[value] then return end
          seen[value] = true
          if kind == "table" and path:find("debug$") or path:find("host") or path:find("misuse") then print(path) end
          local meta = getmetatable(value)
          if type(meta) == "table" then print("a metatable at " .. path) end
          if kind ~= "table" then return end
          for key, inner in next, value do walk(inner, path .. "." .. tostring(key)) end
        end
        walk(_G, "_G")
        for _, name in ipairs { "lookahead", "string", "table", "math", "coroutine", "os", "utf8", "require", "load" } do
          walk(_G[name], name)
        end
        local source = lookahead.source {}
        walk(source, "source")
        walk(lookahead.policy.ramp(), "policy")
        walk(lookahead.spawn(function() end), "task")
        walk(lookahead.parameters {}, "parameters")
        walk(select(2, pcall(lookahead.fs.read, "none")), "error")
        walk("text", "string")
        walk(lookahead.machine.batchContext(), "context")
        walk(lookahead.machine.indexMap(3), "map")
        print(load("return _G == ...")(_G), getmetatable(_G), getmetatable(""))
        """)

    #expect(lines == ["true\tfalse\tfalse"])
  }

  @Test func `chunks that a script loads see its own globals, as text only`() throws {
    let lines = try printed(
      by: """
        print(load("return lookahead")() == lookahead, load("return x", "name", "t", { x = 3 })())
        print(load("x = 1")  ~= nil, pcall(load("x = 1")))
        print(load("\\27Lua"))
        """)

    #expect(lines[0] == "true\t3")
    #expect(lines[1].hasPrefix("true\tfalse\t"))
    #expect(lines[1].contains("'x' is not declared"))
    #expect(lines[2].contains("attempt to load a binary chunk"))
  }

  @Test func `the clock is the host's`() throws {
    let run = try ScriptRun(
      """
      print(os.time(), os.clock(), os.date("!%Y-%m-%d %H:%M:%S"), lookahead.now())
      lookahead.sleep(90.5)
      print(os.time(), os.clock(), os.date("!%H:%M:%S"), lookahead.now())
      print(os.date("!%Y", 0), os.time { year = 2020, month = 1, day = 2, hour = 12 } - os.time { year = 2020, month = 1, day = 1, hour = 12 })
      print(os.difftime(5, 3), os.date("!*t").year)
      os.time({})
      """
    ) { $0.startedAt = 1_795_252_200.75 }

    #expect(
      run.outcome == [
        "1795252200\t0.0\t2026-11-21 09:10:00\t0.0", "1795252290\t90.5\t09:11:30\t90.5", "1970\t86400",
        "2.0\t2026",
        "feed.lua:6: field 'year' missing in date table",
      ])
  }

  @Test func `random numbers follow the seed`() throws {
    func numbers(_ seed: UInt64) throws -> [String] {
      try ScriptRun("print(math.random(1 << 40), math.random(1 << 40))") { $0.seed = seed }.printed
    }

    #expect(try numbers(1) == numbers(1))
    #expect(try numbers(1) != numbers(2))
  }

  @Test func `a script that uses up its time or memory is stopped`() throws {
    let loop = try ScriptRun("while true do end") { $0.budget.burst = .milliseconds(50) }
    #expect(loop.failure == "the script ran longer than its time budget")
    #expect(loop.isFinished)

    let memory = try ScriptRun("local t = {} while true do t[#t + 1] = (\"x\"):rep(1000) .. #t end") {
      $0.budget.memory = 16 << 20
    }
    #expect(memory.failure?.contains("memory") == true)
    #expect(memory.isFinished)
  }

  @Test func `values show what they are`() throws {
    let script = """
      print(lookahead.null, lookahead.policy.ramp(), lookahead.policy { shouldBatchFetch = print })
      print(lookahead.source { name = "issues" }, lookahead.spawn(print))
      """

    #expect(
      try printed(by: script) == ["null\tpolicy: ramp\tpolicy: of a script", "source: issues\ttask", ""])
  }
}
