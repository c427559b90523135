import Lua
import Paging
import Scripting
import Testing

@Suite struct PromptScriptTests {
  private let script = """
    #!/usr/bin/env lookahead
    local page <const>, count = 10, 0
    local feed = lookahead.source { name = "feed", keys = "offset", pageSize = page }
    local function item(id) count = count + 1 return { id = id, name = "n" .. id } end
    function feed.fetch(context)
      lookahead.sleep(1)
      local items = {}
      for id = context.key + 1, math.min(35, context.key + context.size) do items[#items + 1] = item(id) end
      return { items = items }
    end
    return feed
    """

  @Test func `the script's own locals live on, and its functions see what a line changes`() throws {
    let rig = try PromptRig(script)

    #expect(rig.shown("page, count, item(7).name") == ["10", "0", "\"n7\""])
    rig.enter("count = 100 item(1)")
    #expect(rig.shown("count") == ["101"])
    #expect(rig.failures == [])
  }

  @Test func `what the script returned is _, and each source is known by its name`() throws {
    let rig = try PromptRig(script)

    #expect(rig.shown("_ == feed") == ["true"])
    #expect(rig.workflow.promptSources.map(\.name) == ["feed"])
    rig.enter("other = lookahead.source { name = 'second', fetch = item }")
    #expect(rig.workflow.promptSources.map(\.name) == ["feed", "second"])
  }

  @Test func `a line reads a source and waits for its pages`() throws {
    let rig = try PromptRig(script)
    let line = rig.begin("local n = 0 for i in feed:items() do n = n + i.id end return n, lookahead.now()")

    #expect(line() == nil)
    rig.resume()

    #expect(line()?.values.map { rig.workflow.text(of: $0) } == ["630", "4.0"])
    #expect(rig.shown("count") == ["35"])
  }

  @Test func `a loop that is left, stopped or kept is no burden for the next line`() throws {
    let rig = try PromptRig(script)

    rig.enter("for i in feed:items() do break end")
    let stopped = rig.begin("for i in feed:items() do lookahead.sleep(0.1) end")
    rig.tell(.interrupted)
    rig.enter("advance = feed:items()")

    #expect(stopped()?.failure?.message == "interrupted")
    #expect(rig.shown("advance().id, advance().id") == ["1", "2"])
    #expect(rig.shown("advance().id") == ["3"])
  }

  @Test func `a global that the script does not declare is refused in it, as in a run`() throws {
    let rig = try PromptRig("local a = 1\nfunction set() b = 2 end\nreturn a")

    #expect(
      rig.failures == [
        "feed.lua:2: 'set' is not declared: write local set (scripts share nothing through globals)"
      ])
    #expect(rig.shown("a") == ["1"])
  }

  @Test func `names that a script declares twice stay its own`() throws {
    let rig = try PromptRig("local x = 1 local function first() return x end local x = 2 function late() end")

    #expect(rig.failures.count == 1)
    #expect(rig.shown("first(), x") == ["1", "nil"])
  }

  @Test func `a broken script is reported, and can be loaded again`() throws {
    let rig = try PromptRig("local a = = 1")

    #expect(rig.failures == ["feed.lua:1: unexpected symbol near '='"])
    rig.enter("mine = 5")
    #expect(rig.reload("local a = 2 return a")?.failure == nil)
    #expect(rig.shown("_, a, mine") == ["2", "2", "5"])
  }

  @Test func `loading again loads modules again`() throws {
    let module = Box("return { version = 1 }")
    let rig = try PromptRig("local m = require 'mod'") { $0.loadModule = { _ in (module.text, "mod.lua") } }

    #expect(rig.shown("m.version") == ["1"])
    module.text = "return { version = 2 }"
    rig.reload("local m = require 'mod'")

    #expect(rig.shown("m.version") == ["2"])
  }

  @Test func `an error of the script has its place`() throws {
    let rig = try PromptRig("local x\n\nx.y = 1")

    #expect(rig.failures == ["feed.lua:3: attempt to index a nil value (global 'x')"])
  }

  @Test func `emitted items are told, since there is no sink`() throws {
    let rig = try PromptRig()

    rig.enter("for i = 1, 3 do lookahead.emit({ id = i }, i == 3 and 'odd' or nil) end")

    #expect(rig.emitted == ["{\"id\":1}", "{\"id\":2}", "odd {\"id\":3}"])
    #expect(rig.world.deliveries.isEmpty)
  }

  @Test func `the text of a function is found where it was written`() throws {
    let rig = try PromptRig(script) {
      $0.loadModule = { _ in ("local function m()\n  return 1\nend\nreturn m", "mod.lua") }
    }
    func source(_ path: String) -> FunctionSource? {
      rig.workflow.value(at: path).flatMap { rig.workflow.source(of: $0) }
    }
    rig.enter("local function mine()\n  return 2\nend")
    rig.enter("m = require 'mod'")

    #expect(source("item")?.name == "feed.lua" && source("item")?.lines == 4...4)
    #expect(source("feed.fetch")?.lines == 5...10)
    #expect(source("mine")?.text == "local function mine()\n  return 2\nend")
    #expect(source("m")?.text == "local function m()\n  return 1\nend")
    rig.workflow.evaluate("function one()\nend", name: "stdin", line: 2) { _ in }
    rig.workflow.evaluate("function two()\nend", name: "stdin", line: 5) { _ in }
    rig.tell(.woke)
    #expect(source("one")?.lines == 2...3 && source("one")?.text == "function one()\nend")
    #expect(source("two")?.lines == 5...6 && source("two")?.text == "function two()\nend")
    #expect(source("print") == nil && source("page") == nil && source("nosuch") == nil)
  }

  @Test func `a value is looked at from all sides`() throws {
    let rig = try PromptRig(script)
    func rows(_ path: String) -> [String: String] {
      guard let value = rig.workflow.value(at: path) else { return [:] }
      return Dictionary(uniqueKeysWithValues: rig.workflow.inspect(value).rows.map { ($0.name, $0.text) })
    }
    rig.enter(
      "do local hidden = 3 function counter() return hidden, page end end t = setmetatable({ 1, 2, a = 3 }, {})"
    )

    #expect(rows("t")["elements"] == "2" && rows("t")["keys"] == "3" && rows("t")["metatable"] == "{}")
    #expect(rows("t")["identity"]?.firstMatch(of: /^table: \d+$/) != nil, "\(rows("t"))")
    #expect(rows("t")["identity"] == rows("t")["identity"] && rows("feed")["identity"] == nil)
    #expect(rows("counter")["place"] == "prompt:1:1" && rows("counter")["upvalue hidden"] == "3")
    #expect(rows("print")["place"] == "built in")
    #expect(rig.workflow.value(at: "feed").map { rig.workflow.inspect($0).type } == "source")
  }
}

private final class Box: @unchecked Sendable {
  var text: String

  init(_ text: String) { self.text = text }
}
