import Experiments
import Paging
import Simulation
import Testing

/// What a reader waits for who begins in the middle, jumps, or turns back.
@Suite struct SessionPlanTests {
  private func score(_ policy: String, _ workload: String, contents: String? = nil) throws -> SessionScore {
    var experiment = try LabRig.experiment([policy], workload: workload, network: "fixed:0.3", sessions: 1)
    experiment.workloads = [WorldDescription(workload, contents: contents)]
    let row = try Lab(LabRig.options()).run(experiment).row(policy)
    #expect(row.failure == nil)
    return try #require(row.scores.first)
  }

  @Test(arguments: ["onDemand", "leadingScreens", "remainingTime(0.5)", "everything"])
  func `who begins far away and goes back waits as one whose way was recorded`(policy: String) throws {
    let rows = (0...100).map { "\($0 * 200),\(100 - $0),\(106 - $0)" }
    let trace = (["t_ms,first,last"] + rows).joined(separator: "\n")

    let steady = try score(policy, "steady:speed=-5,first=100,seconds=20,items=300")
    let recorded = try score(policy, "trace:back.csv,items=300", contents: trace)

    #expect(recorded.stall > 0.5 && steady.stall == recorded.stall && steady.bound == recorded.bound)
    #expect(steady.seen == 107 && recorded.seen == 107)
    #expect(steady.hits == recorded.hits && steady.waste == recorded.waste)
  }

  @Test func `who hardly moves waits alike, whichever way it goes`() throws {
    let forward = try score("onDemand", "steady:speed=0.001,first=100,seconds=20")
    let back = try score("onDemand", "steady:speed=-0.001,first=100,seconds=20")

    #expect(back.stall > 0.5 && back.stall == forward.stall && back.bound == forward.bound)
    #expect(back.seen == 8 && forward.seen == 8)
    #expect(back.hits == forward.hits && back.waste == forward.waste)
  }

  /// The third place: its first and its last item, and the last of all that are waited for.
  @Test(arguments: [(1, 8, 7), (0, 8, 7), (0, 6, 7), (1, 9, 9), (4, 8, 8), (90, 96, 96)])
  func `who turns back does not wait for the edge of one more item, but for all that it jumped to`(
    first: Int, last: Int, wanted: Int
  ) throws {
    let trace = try ViewportTrace(points: [
      .init(milliseconds: 0, first: 0, last: 6, velocity: 10),
      .init(milliseconds: 100, first: 1, last: 7, velocity: 10),
      .init(milliseconds: 200, first: first, last: last, velocity: -10),
    ])

    let plan = SessionPlan(session: 0, total: 1000, path: trace.path)

    #expect(plan.steps.count == 3 && plan.lastWanted == wanted)
    #expect(plan.deadline(of: 7) == .zero + .milliseconds(100))
    // Nobody comes to a place by leaving it.
    #expect(plan.steps.last?.viewport.velocity == (wanted > 7 ? 0 : -10))
  }

  @Test(arguments: ["jumper:items=600,dwellItems=0,reverse=1", "steady:speed=-8,first=300,items=600"])
  func `no policy stands still or beats the bound where a reader goes back from a new place`(
    workload: String
  ) throws {
    let experiment = try LabRig.experiment(LabRig.policies, workload: workload, sessions: 20)

    for row in try Lab(LabRig.options()).run(experiment).rows {
      #expect(row.failure == nil, "\(row.setting.policy), seed \(experiment.seed)")
      #expect(row.scores.contains { $0.bound > 1 })
      #expect(row.scores.allSatisfy { $0.stall >= $0.bound - 1e-9 }, "\(row.setting.policy)")
    }
  }
}
