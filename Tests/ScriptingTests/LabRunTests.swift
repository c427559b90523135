import Experiments
import Items
import Paging
import Scripting
import Testing

@Suite struct LabRunTests {
  private static let found = """
    {"rows":[{"policy":"ramp","stall":{"mean":1.5}}],"sessions":[{"session":0}],"seed":7}
    """

  @Test func `an experiment reaches the lab as it was declared`() throws {
    let experiment = try experiment(
      """
      title = "two", policies = { "ramp", lookahead.policy.everything() }, sessions = 12, seed = 9007199254740993,
      costs = { stall = 1, memory = 0.5 }, set = { size = 3, factor = { 1, 2.5 } }, baseline = "ramp",
      """)

    #expect(experiment.title == "two")
    #expect(experiment.policies.map(\.name) == ["ramp", "everything"])
    #expect(experiment.sessions == 12)
    #expect(experiment.seed == 9_007_199_254_740_993)
    #expect(experiment.costs == ["stall": 1, "memory": 0.5])
    #expect(
      experiment.sweep == [
        SweepAxis(name: "factor", values: [1, 2.5]), SweepAxis(name: "size", values: [3]),
      ])
    #expect(experiment.baseline == "ramp")
  }

  @Test func `what is left out is the lab's to choose`() throws {
    let experiment = try experiment("policies = 'ramp'")

    #expect(experiment.sources.isEmpty && experiment.workloads.isEmpty && experiment.networks.isEmpty)
    #expect(experiment.sessions == 200)
    #expect(experiment.seed == 1)
    #expect(experiment.baseline == nil)
  }

  @Test func `a source is read as a person reads, and needs no fetch handler`() throws {
    let experiment = try experiment(
      """
      sources = lookahead.source {
        name = "a", keys = "page", pageSize = 50, maxInFlight = 3, maxItems = 200, leadingScreens = 1.5,
        policy = "leadingScreens(3)",
      }
      """)
    let source = try #require(experiment.sources.first)

    #expect(source.name == "a")
    #expect(source.options.keys == .page)
    #expect(source.options.pageSize == 50)
    #expect(source.options.maxInFlight == 3)
    #expect(source.options.maxItems == 200)
    #expect(source.options.leadingScreens == 1.5)
    #expect(!source.options.releasesPassedItems)
    #expect(source.policy?.name == "leadingScreens(3)")
  }

  @Test func `a result has rows, sessions and whatever else the lab says`() throws {
    let lab = LabRecorder()
    lab.found = Self.found

    let run = try ScriptRun(
      """
      local result = lookahead.lab.run(lookahead.experiment { policies = "ramp" })
      print(result, #result.rows, result.rows[1].policy, result.rows[1].stall.mean, result.sessions[1].session, result.seed)
      """, lab: lab)

    #expect(run.outcome == ["result: 1 rows\t1\tramp\t1.5\t0\t7"])
  }

  @Test func `two policies can be compared`() throws {
    let run = try ScriptRun(
      """
      local result = lookahead.lab.run(lookahead.experiment { policies = "ramp" })
      local found = result:compare("a", "b")
      print(found.first, found.second)
      print(pcall(result.compare, result, "a", "a"))
      print(pcall(result.compare, "a", "b"))
      """, lab: LabRecorder())

    #expect(
      run.outcome == [
        "a\tb",
        "false\tfeed.lua:4: result:compare: compare: expected two policies, got a",
        "false\tfeed.lua:5: result:compare: expected a result (write result:compare(…), not result.compare(…))",
      ])
  }

  @Test func `the report is a file that the host writes`() throws {
    let run = try ScriptRun(
      "lookahead.lab.run(lookahead.experiment { policies = 'ramp' }):report('out/r.html')", lab: LabRecorder()
    )

    #expect(run.failure == nil)
    #expect(run.world.calls == [.writeFile(path: "/scripts/out/r.html", contents: Bytes("<html></html>"))])
  }

  @Test func `what the lab refuses is raised at the line, and can be caught`() throws {
    let lab = LabRecorder()
    lab.error = ExperimentError("workload 'a': fling.reverse", expected: "a number from 0 to 1", got: "3")

    let run = try ScriptRun(
      """
      local experiment = lookahead.experiment { policies = "ramp" }
      print(pcall(lookahead.lab.run, experiment))
      lookahead.lab.run(experiment)
      """, lab: lab)

    let message = "lab.run: workload 'a': fling.reverse: expected a number from 0 to 1, got 3"
    #expect(run.outcome == ["false\tfeed.lua:2: " + message, "feed.lua:3: " + message])
  }

  @Test func `a policy cannot run an experiment`() throws {
    let run = try ScriptRun(
      numbers + """
        local experiment = lookahead.experiment { policies = "ramp" }
        local source = numbers(20, { shouldBatchFetch = function() lookahead.lab.run(experiment) end })
        for item in source:items() do end
        """, lab: LabRecorder())

    #expect(run.logged.first?.contains("lab.run waits, which is not possible here") == true)
  }

  @Test(arguments: cases("lab-errors") as [ScriptCase])
  func `a mistake is named at its line`(_ mistake: ScriptCase) throws {
    #expect(try failure(of: "\n" + mistake.script) == "feed.lua:2: " + mistake.message)
  }
}
