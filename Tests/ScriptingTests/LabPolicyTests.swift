import Experiments
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct LabPolicyTests {
  /// Runs the experiment's sessions on the production machine, one after another.
  private func rows(_ policies: String, set: String = "{}", before: String = "") throws -> [LabRow] {
    let lab = LabRecorder()
    var rows: [LabRow] = []
    lab.body = { rows = try Lab().run($0).rows }
    let run = try ScriptRun(
      """
      \(before)
      lookahead.lab.run(lookahead.experiment {
        policies = \(policies), set = \(set), sessions = 3,
        workloads = "steady:speed=6,seconds=20,items=500", networks = "fixed:0.5",
      })
      """, lab: lab)
    if let failure = run.failure { throw LabFailure(message: failure) }
    return rows.filter { !$0.isOracle }
  }

  private static let near = """
    local near = lookahead.policy {
      name = "near", parameters = { distance = 1, note = "kept" },
      shouldBatchFetch = function(view, parameters)
        assert(parameters.note == "kept")
        return view.remainingItems < parameters.distance
      end,
    }
    """

  @Test func `a script's policy does in the lab what a built-in one of the same rule does`() throws {
    let rows = try rows(
      """
      { "remainingTime(2)", function(view) return view.remainingTime < 2 or view.itemCount == 0 end,
        function(view) return view.hint end, "leadingScreens(2)" }
      """)

    #expect(
      rows.map(\.setting.policy) == ["remainingTime(2)", "feed.lua:3", "feed.lua:4", "leadingScreens(2)"])
    #expect(rows.allSatisfy { $0.failure == nil && $0.sessions == 3 })
    #expect(rows[2].summaries == rows[3].summaries)
  }

  @Test func `a sweep turns a script's parameters, inside combinators too`() throws {
    let rows = try rows(
      "{ near, lookahead.policy.anyOf(near, 'onDemand') }", set: "{ distance = { 1, 200 } }",
      before: Self.near)
    let requests = rows.map { $0.summaries[.requests]?.mean ?? 0 }

    #expect(
      rows.map(\.setting.policyTitle) == [
        "near distance=1", "near distance=200", "anyOf(near, onDemand) distance=1",
        "anyOf(near, onDemand) distance=200",
      ])
    #expect(requests[1] > requests[0])
    #expect(requests[3] > requests[2])
  }

  @Test func `policies are known by their names and numbers`() throws {
    let experiment = try experiment(
      """
      policies = {
        near, lookahead.policy.hysteresis(near, 3), lookahead.policy.atMost(2.5, "ramp"), lookahead.policy.leadingScreens(),
        lookahead.policy.notWhile("everything", lookahead.policy { shouldBatchFetch = function() end }), "anyOf(ramp, onDemand)",
      }
      """, before: Self.near)

    #expect(
      experiment.policies.map(\.name) == [
        "near", "hysteresis(near, 3)", "atMost(ramp, 2.5)", "leadingScreens(2)",
        "notWhile(everything, feed.lua:10)", "anyOf(ramp, onDemand)",
      ])
    #expect(
      experiment.policies.map(\.parameters) == [
        ["distance": 1], ["distance": 1], [:], ["screens": 2], [:], [:],
      ])
  }

  @Test func `a sweep turns the number of a built-in policy as on the command line`() throws {
    let rows = try rows(
      "{ 'prefetchDistance', lookahead.policy.prefetchDistance(1) }", set: "{ items = { 1, 300 } }")
    let requests = rows.map { $0.summaries[.requests]?.mean ?? 0 }

    #expect(
      rows.map(\.setting.policyTitle) == [
        "prefetchDistance items=1", "prefetchDistance items=300", "prefetchDistance(1) items=1",
        "prefetchDistance(1) items=300",
      ])
    #expect(requests[0] == requests[2])
    #expect(requests[1] == requests[3])
    #expect(requests[1] > requests[0])
  }

  @Test func `each policy that is made has parameters of its own`() throws {
    let lab = LabRecorder()
    var answers: [Bool] = []
    lab.body = { experiment in
      for values in [[:], [:], ["limit": 2.0]] {
        var policy = try experiment.policies[0].make(values)
        answers += (0..<3).map { _ in policy.shouldBatchFetch(PolicyView()).isYes }
      }
    }

    let run = try ScriptRun(
      """
      local counting = lookahead.policy {
        parameters = { limit = 1, seen = { count = 0 } },
        shouldBatchFetch = function(_, parameters)
          parameters.seen.count = parameters.seen.count + 1
          return parameters.seen.count <= parameters.limit
        end,
      }
      lookahead.lab.run(lookahead.experiment { policies = counting })
      """, lab: lab)

    #expect(run.failure == nil)
    #expect(answers == [true, false, false, true, false, false, true, true, false])
  }

  @Test(arguments: [
    ("return view.nothing", "the policy failed: feed.lua:5: the view has no field 'nothing'", 7),
    ("error('no idea')", "the policy failed: feed.lua:5: no idea", 7),
    ("return 'yes'", "feed.lua:3: the policy answered a string, which is neither a boolean nor a verdict", 6),
    (
      "return { fetch = 'two' }",
      "feed.lua:3: the policy's verdict: fetch: expected a number of pages, got two", 6
    ),
  ])
  func `a policy that fails late has a failed row without numbers, and the others go on`(
    _ body: String, error: String, otherLine: Int
  ) throws {
    let rows = try rows(
      """
      { lookahead.policy { name = "mine", shouldBatchFetch = function(view)
        if view.itemCount < 100 then return view.hint end
        \(body)
      end }, lookahead.policy.anyOf("onDemand", function(view)
        \(body)
      end), "onDemand", "leadingScreens(2)" }
      """)

    #expect(rows[0].failure == .policy(session: 0, message: error))
    #expect(
      rows[1].failure == .policy(session: 0, message: error.replacing(/lua:\d/, with: "lua:\(otherLine)")))
    for row in rows.prefix(2) {
      #expect(row.sessions == 0 && row.summaries.isEmpty && row.scores.isEmpty)
      #expect(row.comparisons.isEmpty && !row.isOnFront)
    }
    #expect(rows.suffix(2).allSatisfy { $0.failure == nil && $0.sessions == 3 })
  }

  @Test func `a policy that fails gives the hint, and its first failure is known`() throws {
    let lab = LabRecorder()
    var verdicts: [Verdict] = []
    var failures: [String?] = []
    lab.body = { experiment in
      for each in experiment.policies + experiment.policies {
        var policy = try each.make([:])
        var view = PolicyView()
        view.hint = true
        verdicts.append(policy.shouldBatchFetch(view))
        verdicts.append(policy.shouldBatchFetch(view))
        failures += [each.takeFailure(), each.takeFailure()]
      }
    }

    let run = try ScriptRun(
      """
      lookahead.lab.run(lookahead.experiment { policies = {
        lookahead.policy { name = "broken", shouldBatchFetch = function(view) return view.nothing end },
        lookahead.policy { name = "endless", shouldBatchFetch = function() while true do end end },
      } })
      """, lab: lab)

    #expect(verdicts.map(\.isYes) == Array(repeating: true, count: 8))
    #expect(verdicts[0].reason.contains("the view has no field 'nothing'"))
    let broken = "the policy failed: feed.lua:2: the view has no field 'nothing'"
    let endless = "the policy failed: feed.lua:3: the policy used up its instruction budget"
    #expect(failures == [broken, nil, endless, nil, broken, nil, endless, nil])
    #expect(run.logged.isEmpty)
    #expect(run.failure == nil)
  }

  @Test func `a stopped script ends its experiment`() throws {
    let lab = LabRecorder()
    var workflow: Workflow?
    var made = 0
    lab.body = { experiment in
      for _ in 0..<5 {
        _ = try experiment.policies[0].make([:])
        made += 1
        workflow?.stopScript()
      }
    }
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/scripts")
    options.lab = lab
    let program = try Workflow(
      text: "pcall(lookahead.lab.run, lookahead.experiment { policies = 'ramp' })", options: options)
    workflow = program

    _ = program.handle(.started, at: .zero)

    #expect(made == 1)
    #expect(program.failure?.kind == .stopped(.interrupted))
  }
}
