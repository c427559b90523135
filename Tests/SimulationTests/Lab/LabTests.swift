import Experiments
import Paging
import Reports
import Simulation
import Synchronization
import Testing

@Suite struct LabTests {
  @Test func `equal experiments give equal results, on any number of threads`() throws {
    let make = { @Sendable in
      var experiment = try LabRig.experiment(
        ["leadingScreens", "remainingTime"], workload: "fling:flings=5", sessions: 60)
      experiment.sweep = [SweepAxis(name: "seconds", values: [0.5, 2])]
      return experiment
    }

    let alone = try Lab(LabRig.options { $0.timelines = 2 }).run(try make())
    let together = try Lab(LabRig.options(jobs: 3) { $0.timelines = 2 }).run(try make(), open: make)

    #expect(JSONReport(alone).text == JSONReport(together).text)
    #expect(Array(CSVReport(alone)) == Array(CSVReport(together)))
    #expect(HTMLReport(alone).text == HTMLReport(together).text)
    #expect(alone.rows.count == 5)
  }

  @Test func `all policies of a session meet the same reader and the same network`() throws {
    let result = try Lab(LabRig.options()).run(
      LabRig.experiment(["everything", "prefetchDistance(500)"], workload: "fling:flings=5", sessions: 20))

    let scores = result.rows.filter { !$0.isOracle }.map(\.scores)
    for session in 0..<20 {
      #expect(Set(scores.map { $0[session].seen }).count == 1)
      #expect(Set(scores.map { $0[session].startup }).count == 1)
    }
  }

  @Test func `the session with the longest stall has a timeline, and it is the one that was scored`() throws {
    let result = try Lab(LabRig.options { $0.timelines = 1 }).run(
      LabRig.experiment(["onDemand", "leadingScreens"], workload: "fling:flings=5", sessions: 30))

    for row in result.rows where !row.isOracle {
      let worst = try #require(row.scores.max { $0.worstStall < $1.worstStall })
      let own = result.timelines.filter { $0.setting == row.setting && $0.session == worst.session }
      #expect(own.count == 1)
      let waits = own.first?.stalls.map { $0.end - $0.start } ?? []
      #expect(abs(waits.reduce(0, +) - worst.stall) < 1e-6)
    }
  }

  @Test func `another seed is another world`() throws {
    let first = try Lab(LabRig.options()).run(
      LabRig.experiment(["onDemand"], workload: "fling:flings=5", sessions: 5, seed: 1))
    let second = try Lab(LabRig.options()).run(
      LabRig.experiment(["onDemand"], workload: "fling:flings=5", sessions: 5, seed: 2))

    #expect(first.rows[0].scores != second.rows[0].scores)
  }

  @Test func `a sweep tries every combination, and each policy with its own parameters only`() throws {
    var experiment = try LabRig.experiment(
      ["leadingScreens", "prefetchDistance"], workload: "fling:flings=3", sessions: 4)
    experiment.sweep = [
      SweepAxis(name: "screens", values: [1, 2]), SweepAxis(name: "items", values: [5, 10, 20]),
    ]

    let result = try Lab(LabRig.options()).run(experiment)

    let titles = result.rows.filter { !$0.isOracle }.map(\.setting.policyTitle)
    #expect(
      Set(titles) == [
        "leadingScreens screens=1", "leadingScreens screens=2", "prefetchDistance items=5",
        "prefetchDistance items=10", "prefetchDistance items=20",
      ])
    #expect(titles.count == 5)
  }

  @Test func `the rows of a sweep come policy by policy, in the order of its values`() throws {
    var experiment = try LabRig.experiment(
      ["leadingScreens", "prefetchDistance"], workload: "fling:flings=3", sessions: 2)
    experiment.sweep = [
      SweepAxis(name: "pageSize", values: [20, 10]), SweepAxis(name: "screens", values: [1, 2]),
    ]

    let result = try Lab(LabRig.options()).run(experiment)

    #expect(
      result.rows.filter { !$0.isOracle }.map(\.setting.policyTitle) == [
        "leadingScreens pageSize=20 screens=1", "leadingScreens pageSize=20 screens=2",
        "leadingScreens pageSize=10 screens=1", "leadingScreens pageSize=10 screens=2",
        "prefetchDistance pageSize=20", "prefetchDistance pageSize=10",
      ])
  }

  @Test func `a baseline is chosen among the policies, whose names may have commas`() throws {
    var experiment = try LabRig.experiment(
      ["anyOf(remainingTime(2), prefetchDistance(3))", "ramp"], workload: "fling:flings=3", sessions: 2)
    experiment.baseline = "oracle"

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.expected == "one of 'anyOf(remainingTime(2), prefetchDistance(3))', 'ramp'")
  }

  @Test func `a jump behind more pages than a session may fetch is told at once`() throws {
    var experiment = try LabRig.experiment(
      ["leadingScreens"], workload: "steady:speed=1,seconds=2,first=9000000,items=100000000", sessions: 2)
    experiment.sweep = [SweepAxis(name: "pageSize", values: [20, 1000])]

    let result = try Lab(LabRig.options()).run(experiment)

    guard case .tooFar(_, 9_000_008, 20)? = try result.row("leadingScreens pageSize=20").failure else {
      Issue.record("\(String(describing: try result.row("leadingScreens pageSize=20").failure))")
      return
    }
    #expect(try result.row("leadingScreens pageSize=1000").sessions == 2)
  }

  @Test(arguments: [Double.nan, .infinity, -1, 1e300])
  func `a cost that makes no number of a session is refused`(cost: Double) throws {
    var experiment = try LabRig.experiment(["leadingScreens"], workload: "fling", sessions: 1)
    experiment.costs = ["waste": cost]

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == "costs.waste")
    #expect(error?.got.contains("-nan") == false)
  }

  @Test func `what a race dropped is on no front, and its row says after how many sessions`() throws {
    let result = try Lab(LabRig.options { $0.race = .stall }).run(
      LabRig.experiment(["onDemand", "leadingScreens"], workload: "fling:flings=10", sessions: 100))

    let loser = try result.row("onDemand")
    #expect(loser.isDropped && !loser.isOnFront)
    #expect(TableReport(result).text.contains("\nonDemand x\(loser.sessions) "))
    #expect(TableReport(result).text.contains("in \(loser.sessions) sessions"))
    #expect(HTMLReport(result).text.contains("dropped after \(loser.sessions) sessions"))
  }

  @Test func `a source's own settings can be swept`() throws {
    var experiment = try LabRig.experiment(["leadingScreens"], workload: "fling:flings=3", sessions: 4)
    experiment.sweep = [SweepAxis(name: "pageSize", values: [10, 50])]

    let result = try Lab(LabRig.options()).run(experiment)

    let small = try result.mean("leadingScreens pageSize=10", .requests)
    #expect(try result.mean("leadingScreens pageSize=50", .requests) < small)
    #expect(result.rows.count { $0.isOracle } == 4)
  }

  @Test func `an unknown parameter is refused with those that there are`() throws {
    var experiment = try LabRig.experiment(["leadingScreens"], workload: "fling", sessions: 4)
    experiment.sweep = [SweepAxis(name: "factor", values: [1])]

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == "--set factor")
    #expect(error?.expected.hasPrefix("one of screens, pageSize") == true)
  }

  @Test func `a policy that asks for nothing stands still, and the others go on`() throws {
    struct Never: FetchPolicy {
      mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(view.itemCount == 0) }
    }
    var experiment = try LabRig.experiment(["leadingScreens"], workload: "fling:flings=5", sessions: 10)
    experiment.policies.append(ExperimentPolicy(name: "never") { _ in Never() })

    let result = try Lab(LabRig.options()).run(experiment)

    guard case .standstill? = try result.row("never").failure else {
      Issue.record("no failure")
      return
    }
    #expect(try result.row("leadingScreens").sessions == 10)
  }

  @Test func `a policy that has failed is not tried in the sessions behind, on any number of threads`() throws
  {
    let make: @Sendable (Calls) throws -> Experiment = { calls in
      var experiment = try LabRig.experiment(["leadingScreens"], workload: "fling:flings=2", sessions: 120)
      let failing = { (after: Int) in
        var failure: String?
        var made = 0
        var policy = ExperimentPolicy(name: "fails after \(after)") { _ in
          calls.add()
          made += 1
          if made > after { failure = "no idea" }
          return LeadingScreens()
        }
        policy.takeFailure = {
          defer { failure = nil }
          return failure
        }
        return policy
      }
      experiment.policies += [failing(0), failing(7)]
      return experiment
    }
    let calls = Calls()

    let alone = try Lab(LabRig.options()).run(try make(calls))

    #expect(calls.count == 9)
    #expect(try alone.row("fails after 0").failure == .policy(session: 0, message: "no idea"))
    #expect(try alone.row("fails after 7").failure == .policy(session: 7, message: "no idea"))
    #expect(try alone.row("leadingScreens").sessions == 120)
    for jobs in [2, 4] {
      let others = Calls()
      let together = try Lab(LabRig.options(jobs: jobs)).run(try make(others)) { try make(others) }
      #expect(others.count < 60)
      #expect(try together.row("fails after 0").failure == .policy(session: 0, message: "no idea"))
      #expect(together.events == alone.events)
    }
  }

  @Test func `where the baseline fails the next policy is compared with`() throws {
    var experiment = try LabRig.experiment(
      ["leadingScreens", "onDemand"], workload: "fling:flings=5", sessions: 20)
    var broken = ExperimentPolicy(name: "broken") { _ in LeadingScreens() }
    broken.takeFailure = { "no idea" }
    experiment.policies.insert(broken, at: 0)

    let result = try Lab(LabRig.options()).run(experiment)

    #expect(result.baseline == "leadingScreens")
    #expect(result.failedBaseline == "broken")
    #expect(try result.row("onDemand").comparisons[.stall] != nil)
    #expect(try result.row("broken").comparisons.isEmpty)
    #expect(
      TableReport(result).text.contains(
        "broken was to be the baseline and failed: compared with leadingScreens instead\n"))
    #expect(JSONReport(result).text.contains("\"failedBaseline\":\"broken\""))
  }

  @Test func `a baseline that does not fail is kept, whatever else fails`() throws {
    var experiment = try LabRig.experiment(["onDemand"], workload: "fling:flings=5", sessions: 5)
    var broken = ExperimentPolicy(name: "broken") { _ in LeadingScreens() }
    broken.takeFailure = { "no idea" }
    experiment.policies.append(broken)

    let result = try Lab(LabRig.options()).run(experiment)

    #expect(result.baseline == "onDemand" && result.failedBaseline == nil)
  }

  @Test func `a race drops what is worse beyond doubt, not before 25 sessions`() throws {
    let result = try Lab(LabRig.options { $0.race = .stall }).run(
      LabRig.experiment(
        ["onDemand", "leadingScreens", "prefetchDistance(40)"], workload: "fling:flings=10", sessions: 100))

    let loser = try result.row("onDemand")
    #expect(loser.isDropped)
    #expect(loser.sessions >= 25 && loser.sessions < 100)
    #expect(try result.row("prefetchDistance(40)").sessions == 100)
  }

  @Test func `sessions that are held back are told apart`() throws {
    let result = try Lab(LabRig.options { $0.holdout = 0.3 }).run(
      LabRig.experiment(["leadingScreens"], workload: "fling:flings=4", sessions: 100))

    let rows = result.rows.filter { $0.setting.policy == "leadingScreens" }
    #expect(rows.map(\.part) == [.all, .train, .holdout])
    #expect(rows[1].sessions + rows[2].sessions == 100)
    #expect((15...45).contains(rows[2].sessions))
  }

  @Test(arguments: [
    ("fling:spede=1", "workload 'fling:spede=1'", "spede"),
    ("fling:spede=fast", "workload 'fling:spede=fast'", "spede"),
    ("flong", "workload 'flong'", "flong"), ("fling:speed=0", "workload 'fling:speed=0': speed", "0"),
    ("fling:viewport=0", "workload 'fling:viewport=0': viewport", "0"),
  ])
  func `a workload that makes no sense is named once`(_ text: String, place: String, got: String) throws {
    let experiment = try LabRig.experiment(["leadingScreens"], workload: text, sessions: 1)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == place)
    #expect(error?.got == got)
  }

  @Test func `a workload's keys are told, those of every kind with them`() throws {
    let experiment = try LabRig.experiment(["leadingScreens"], workload: "steady:spede=1", sessions: 1)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(
      error?.expected
        == "one of speed, seconds, first, items, viewport, platform, patience, patienceSigma, edge, name")
  }

  @Test func `a network on which no page ever comes is refused, since the session would not end`() throws {
    let experiment = try LabRig.experiment(
      ["leadingScreens"], workload: "fling", network: "fixed:0.2,loss=1", sessions: 1)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == "network 'fixed:0.2,loss=1': loss")
  }
}

/// Counts on any thread.
final class Calls: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func add() { number.withLock { $0 += 1 } }
}
