import Experiments
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct LabScriptTests {
  private func script(_ text: String) throws -> LabScript {
    try LabScript(text: text, options: WorkflowOptions(scriptName: "near.lua", scriptFolder: "/scripts"))
  }

  private func failure(_ text: String) -> String? {
    do {
      _ = try script(text)
      return nil
    } catch {
      return (error as? LuaError)?.message ?? "\(error)"
    }
  }

  @Test func `a file may return a source, with its own policy`() throws {
    let script = try script(
      """
      local feed = lookahead.source { keys = "page", pageSize = 30 }
      function feed.shouldBatchFetch(view) return view.hint end
      function feed.fetch(context) return { items = {} } end
      return feed
      """)

    #expect(script.sources.map(\.name) == ["near"])
    #expect(script.sources[0].options.pageSize == 30)
    #expect(script.sources[0].policy?.name == "own policy")
    #expect(script.policies.isEmpty && script.experiments.isEmpty)
  }

  @Test func `a source of a script is read by people, as the one without a script is`() throws {
    let script = try script(
      "return lookahead.source { keys = 'page', fetch = function() return { items = {} } end }")

    var options = FeedConfiguration.Options()
    options.keys = .page
    let read = script.sources[0].options
    #expect(read.checksTotal == options.checksTotal)
    #expect(read.releasesPassedItems == options.releasesPassedItems)
    #expect(read.tellsRepeated == options.tellsRepeated && read.tellsPosition == options.tellsPosition)
  }

  @Test func `a policy without a name is called like its file`() throws {
    let script = try script(
      "return lookahead.policy { parameters = { factor = 2 }, shouldBatchFetch = function() return true end }"
    )

    #expect(script.policies.map(\.name) == ["near"])
    #expect(script.policies[0].parameters == ["factor": 2])
  }

  @Test func `a list may hold all that the lab knows`() throws {
    let script = try script(
      """
      return {
        lookahead.policy { name = "a", shouldBatchFetch = function() return true end },
        lookahead.policy { shouldBatchFetch = function() return true end },
        lookahead.workload { kind = "reader" }, lookahead.network { latency = 1 },
        lookahead.experiment { policies = "ramp", sessions = 3 },
      }
      """)

    #expect(script.policies.map(\.name) == ["a", "near.lua:3"])
    #expect(script.workloads == [WorldDescription("reader")])
    #expect(script.networks == [WorldDescription("fixed:1")])
    #expect(script.experiments.map(\.sessions) == [3])
  }

  @Test func `its policies go on deciding when the script is loaded`() throws {
    let policies = try script(
      """
      return lookahead.policy {
        parameters = { limit = 10 },
        shouldBatchFetch = function(view, parameters) return view.itemCount < parameters.limit end,
      }
      """
    ).policies
    var view = PolicyView()
    view.itemCount = 15

    var usual = try policies[0].make([:])
    var turned = try policies[0].make(["limit": 20])

    #expect(!usual.shouldBatchFetch(view).isYes)
    #expect(turned.shouldBatchFetch(view).isYes)
  }

  @Test func `threads that load their own copy come to the same result`() throws {
    let text = """
      local near = lookahead.policy {
        parameters = { distance = 5 },
        shouldBatchFetch = function(view, parameters) return view.remainingItems < parameters.distance end,
      }
      return lookahead.experiment {
        policies = { near, "ramp" }, set = { distance = { 5, 50 } }, sessions = 20, workloads = "fling:items=2000,flings=5",
      }
      """
    let options = WorkflowOptions(scriptName: "near.lua", scriptFolder: "/scripts")
    let experiment = try LabScript(text: text, options: options).experiments[0]
    var threads = LabOptions()
    threads.jobs = 3

    let one = try Lab().run(experiment)
    let many = try Lab(threads).run(experiment) {
      let options = WorkflowOptions(scriptName: "near.lua", scriptFolder: "/scripts")
      return try LabScript(text: text, options: options).experiments[0]
    }

    #expect(one.rows.map(\.setting) == many.rows.map(\.setting))
    #expect(one.rows.map(\.summaries) == many.rows.map(\.summaries))
  }

  @Test func `recordings are read as the caller says, by paths from the script's folder`() throws {
    let options = WorkflowOptions(scriptName: "near.lua", scriptFolder: "/scripts")
    let text = """
      return lookahead.workload { kind = "trace", file = "a/monday.jsonl", viewport = 5 },
        lookahead.network { latency = "measured:/b.json" }
      """

    let script = try LabScript(text: text, options: options) { [WorldFile(name: "as \($0)", contents: "it")] }

    let monday = WorldFile(name: "as /scripts/a/monday.jsonl", contents: "it", place: "a/monday.jsonl")
    #expect(script.workloads == [WorldDescription("trace:a/monday.jsonl,viewport=5", files: [monday])])
    let net = WorldFile(name: "as /b.json", contents: "it", place: "/b.json")
    #expect(script.networks == [WorldDescription("measured:/b.json", files: [net])])
    #expect(throws: LabFailure.self) {
      try LabScript(text: text, options: options) { throw LabFailure(message: "no \($0)") }
    }
    #expect(failure(text) == "near.lua: a/monday.jsonl is a file, and files are not read here")
  }

  @Test(arguments: [
    ("lookahead.experiment {}", "an experiment"), ("{ lookahead.workload {} }", "a workload"),
    ("lookahead.network {}", "a network"),
  ])
  func `a run says that only the lab can use what came`(_ value: String, _ word: String) throws {
    let run = try ScriptRun("return \(value)")

    #expect(
      run.failure == "the script returned \(word), which is for the lab: try `lookahead lab feed.lua`")
    #expect(run.code == "usage")
  }

  @Test(arguments: [
    ("error('no')", "near.lua:1: no"),
    (
      "\nlookahead.sleep(1)\nreturn 1",
      "near.lua:2: lookahead.sleep waits while it is loaded: a script for the lab declares, and waits for nothing"
    ),
    (
      "return lookahead.source { pageSize = 0 }",
      "near.lua:1: lookahead.source: pageSize: expected an integer of at least 1, got 0"
    ),
    (
      "local x = 1",
      "near.lua: the lab cannot use what the script returned (expected a source, a policy, an experiment, a workload, a network or a list of them, got nothing)"
    ),
    (
      "return {}",
      "near.lua: the lab cannot use what the script returned (expected a source, a policy, an experiment, a workload, a network or a list of them, got table)"
    ),
    (
      "return { lookahead.network {}, 3 }",
      "near.lua: the lab cannot use what the script returned (expected a source, a policy, an experiment, a workload, a network or a list of them, got a list whose element 2 is a number)"
    ),
    (
      "return lookahead.experiment { sources = { lookahead.source { name = 'a' }, lookahead.source { name = 'a' } } }",
      "lookahead.experiment: two sources are called 'a': give each a name of its own"
    ),
  ])
  func `a script that is none for the lab says why`(_ text: String, _ message: String) {
    #expect(failure(text) == message)
  }
}
