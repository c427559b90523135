import Paging
import Simulation
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
    ("fling:spede=1", "workload 'fling:spede=1': fling.spede"), ("flong", "workload 'flong': workload"),
  ])
  func `a workload that makes no sense is named`(_ text: String, place: String) throws {
    let experiment = try LabRig.experiment(["leadingScreens"], workload: text, sessions: 1)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == place)
  }

  @Test func `a network on which no page ever comes is refused, since the session would not end`() throws {
    let experiment = try LabRig.experiment(
      ["leadingScreens"], workload: "fling", network: "fixed:0.2,loss=1", sessions: 1)

    let error = #expect(throws: ExperimentError.self) { try Lab().run(experiment) }

    #expect(error?.place == "network 'fixed:0.2,loss=1': loss")
  }
}
