import Lua
import Paging
import Scripting
import Testing

@Suite struct ErrorTests {
  @Test func `a failure of the world is a table that shows as its message and place`() throws {
    let world = ScriptWorld()
    world.database = { _ in
      .failed(HostFailure(.denied, "reading a.db is not allowed", needs: "--allow-read=/scripts/a.db"))
    }
    let run = try ScriptRun(
      """
      local ok, err = pcall(lookahead.sqlite.open, "a.db")
      print(type(err), err.code, err.message, err.needs, err.isTransient, getmetatable(err))
      local function open() lookahead.sqlite.open("a.db") end
      print(select(2, pcall(open)))
      """, in: world)

    let message = "reading a.db is not allowed (allow it with --allow-read=/scripts/a.db)"
    #expect(
      run.printed == [
        "table\tdenied\t\(message)\t--allow-read=/scripts/a.db\tfalse\tfalse", "feed.lua:3: \(message)",
      ])
  }

  @Test func `try turns failures of the world into results, and nothing else`() throws {
    let lines = try printed(
      by: """
        print(lookahead.try(function(...) return ... end, 1, nil, 3))
        local text, err = lookahead.try(lookahead.fs.read, "none.txt")
        print(text, err.code, err)
        print(pcall(lookahead.try, error, "mine"))
        print(pcall(lookahead.try, lookahead.fs.read, 3))
        lookahead.try(3)
        """)

    #expect(
      lines == [
        "1\tnil\t3", "nil\tnotFound\tfeed.lua:2: there is no file /scripts/none.txt", "false\tmine",
        "false\tfeed.lua:5: fs.read: argument 1: expected a string, got 3",
        "feed.lua:6: lookahead.try: expected a function, got integer",
      ])
  }

  @Test func `a place is found behind tail calls too`() throws {
    let inMain = "return lookahead.fs.read(\"none.txt\")"
    #expect(try failure(of: inMain) == "feed.lua:1: there is no file /scripts/none.txt")

    let inHandler = """
      return lookahead.source {
        fetch = function()
          return lookahead.fs.read("none.txt")
        end,
      }
      """
    #expect(try failure(of: inHandler) == "feed.lua:2: there is no file /scripts/none.txt")

    let inTask = """
      local function read(name)
        return lookahead.fs.read(name)
      end
      lookahead.map({ "none.txt" }, 2, read)
      """
    #expect(try failure(of: inTask) == "feed.lua:1: there is no file /scripts/none.txt")
  }

  @Test func `a place is kept when an error passes through tasks and sources`() throws {
    let script = """
      local task = lookahead.spawn(function()
        local text = lookahead.fs.read("none.txt")
      end)
      task:wait()
      """
    #expect(try failure(of: script) == "feed.lua:2: there is no file /scripts/none.txt")

    let loop = """
      local source = lookahead.source { fetch = function()
        local text = lookahead.fs.read("none.txt")
      end }
      local ok, err = pcall(function() for _ in source:items() do end end)
      print(err.code, err)
      """
    #expect(try printed(by: loop) == ["notFound\tfeed.lua:2: there is no file /scripts/none.txt"])
  }

  @Test func `errors of a script's own end the run as they are`() throws {
    let table = try ScriptRun("error { code = \"mine\", message = \"no luck\", count = 3 }")
    #expect(table.failure == "no luck")
    #expect(table.code == "mine")
    #expect(table.workflow.failure?.fields == ["count": .integer(3)])

    #expect(try failure(of: "\nerror(\"plain\")") == "feed.lua:2: plain")
    #expect(try failure(of: "error(\"plain\", 0)") == "plain")
    #expect(
      try failure(of: "local x = nil + 1") == "feed.lua:1: attempt to perform arithmetic on a nil value")
    let shown = "error(setmetatable({}, { __tostring = function() return \"shown\" end }))"
    #expect(try failure(of: shown) == "shown")
  }

  @Test func `a script that is no Lua is refused at its line`() throws {
    #expect(try failure(of: "local a = 1\nlocal = 2") == "feed.lua:2: <name> expected near '='")
    #expect(try failure(of: "#!/usr/bin/env lookahead\nlocal = 2") == "feed.lua:2: <name> expected near '='")
  }

  @Test func `an error comes with the places that led to it`() throws {
    let run = try ScriptRun(
      "local function inner()\n  error(\"oh\")\nend\nlocal function outer()\n  inner()\nend\nouter()")

    #expect(run.workflow.failure?.traceback.contains("feed.lua:5:") == true)
    #expect(run.workflow.failure?.traceback.contains("feed.lua:7:") == true)
  }

  @Test(arguments: [
    ("error({ 1 })", "a table"), ("error()", "nil"), ("error(true)", "a boolean"),
    ("error(print)", "a function"), ("lookahead.spawn(function() error({}) end):wait()", "a table"),
  ])
  func `what is raised and says nothing is told with its place`(call: String, value: String) throws {
    #expect(
      try failure(of: "local function f()\n  \(call)\nend\nf()\nprint(1)")
        == "feed.lua:2: the script raised \(value) (an error is a text, or a table with a message)")
  }

  @Test func `what is raised and says something is told as it is`() throws {
    #expect(try failure(of: "error({ message = 'hm' })") == "hm")
    #expect(
      try failure(of: "error(setmetatable({}, { __tostring = function() return 'mine' end }))") == "mine")
    #expect(try failure(of: "error(42, 0)") == "42")
  }
}
