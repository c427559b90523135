import Experiments
import Paging
import Simulation
import Testing

/// Details beside pages, several lists at once, readers who leave and flings that die: what a session adds up to.
@Suite struct SessionWorldTests {
  private func rows(_ experiment: Experiment) throws -> LabResult {
    try Lab(LabRig.options()).run(experiment)
  }

  private func experiment(
    _ policies: [String] = ["leadingScreens"], workload: String = "fling:flings=5", network: String,
    sessions: Int = 20
  ) throws -> Experiment {
    try LabRig.experiment(policies, workload: workload, network: network, sessions: sessions)
  }

  @Test func `with one page in flight at a time, a fair link is like any other`() throws {
    func stalls(_ sharing: String) throws -> [Double] {
      var experiment = try experiment(network: "fixed:0.1,bandwidth=30000,sharing=\(sharing)")
      experiment.sources[0].options.maxInFlight = 1
      return try rows(experiment).row("leadingScreens").scores.map(\.stall)
    }

    for (fair, queue) in zip(try stalls("fair"), try stalls("queue")) { #expect(abs(fair - queue) < 1e-6) }
  }

  @Test func `bytes are those of the pages and of the details`() throws {
    let plain = try rows(try experiment(network: "fixed:0.1,bytesPerItem=500"))
    let detailed = try rows(try experiment(network: "fixed:0.1,bytesPerItem=500,bytesPerDetail=0"))

    for (score, other) in zip(
      try plain.row("leadingScreens").scores, try detailed.row("leadingScreens").scores)
    {
      #expect(score.bytes <= Double(score.fetched) * 500 && score.bytes >= Double(score.seen) * 500)
      #expect(score.bytes == other.bytes)
      #expect(score.stall == other.stall)
      #expect(score.late == 0)
      #expect(score.energy > 0)
    }
  }

  @Test func `details that are small are in time, those that are too large are late and make pages wait`()
    throws
  {
    func mean(_ bytes: Int, _ metric: Metric) throws -> Double {
      let slow = "fixed:0.05,bandwidth=100000,bytesPerDetail=\(bytes)"
      return try rows(try experiment(network: slow)).mean("leadingScreens", metric)
    }

    // What comes with the first page is seen at once, and so late.
    #expect(try mean(10, .late) < mean(20_000, .late))
    #expect(try mean(20_000, .late) < mean(400_000, .late))
    #expect(try mean(400_000, .late) > 90)
    #expect(try mean(10, .stall) < mean(400_000, .stall))
  }

  @Test func `lists read at once without a common limit wait as they would alone`() throws {
    var alone = try experiment(network: "fixed:0.4", sessions: 10)
    var both = alone
    both.sources.append(both.sources[0])
    both.sources[1].name = "others"
    both.isTogether = true
    alone.sources[0].name = "alone"

    let together = try rows(both).row("leadingScreens")
    let first = try rows(alone).row("leadingScreens")

    #expect(together.setting.source == "numbers + others")
    for (sum, one) in zip(together.scores, first.scores) {
      #expect(sum.stall > one.stall)
      #expect(sum.bound >= one.bound)
      #expect(sum.seen > one.seen)
    }
    // The other list has a reader of its own.
    #expect(zip(together.scores, first.scores).contains { $0.seen != 2 * $1.seen })
  }

  @Test func `lists read at once slow each other on one link`() throws {
    func stall(_ bandwidth: Int, isTogether: Bool) throws -> Double {
      var experiment = try experiment(network: "fixed:0.1,bandwidth=\(bandwidth),sharing=fair", sessions: 20)
      experiment.sources.append(experiment.sources[0])
      experiment.sources[1].name = "others"
      experiment.isTogether = isTogether
      return try rows(experiment).mean("leadingScreens", .stall)
    }

    // Alone, a list's row has its own stall; together it has that of both.
    #expect(try stall(12_000, isTogether: true) > 2.5 * stall(12_000, isTogether: false))
    #expect(try stall(100_000_000, isTogether: true) < 2.5 * stall(100_000_000, isTogether: false))
  }

  @Test func `nobody waits longer than patience allows, and who has lost it leaves`() throws {
    let slow = "exponential:0.8"
    let patient = try rows(try experiment(["onDemand"], network: slow, sessions: 100)).row("onDemand")
    let hasty = try rows(
      try experiment(["onDemand"], workload: "fling:flings=5,patience=1.5", network: slow, sessions: 100)
    ).row("onDemand")

    #expect(patient.scores.allSatisfy { $0.left == 0 })
    #expect((20...95).contains(hasty.scores.count { $0.left == 1 }))
    for (score, other) in zip(hasty.scores, patient.scores) {
      #expect(max(score.startup, score.worstStall) <= 1.5 + 1e-9)
      #expect((score.left == 1) == (max(score.startup, score.worstStall) > 1.5 - 1e-9))
      #expect(score.left == 1 || score.stall == other.stall)
      #expect(score.seen <= other.seen)
    }
  }

  @Test func `a policy that never asks stands still, however patient its reader`() throws {
    var experiment = try experiment(workload: "fling:flings=5,patience=3", network: "fixed:0.4", sessions: 3)
    experiment.policies = [ExperimentPolicy(name: "never") { _ in Never() }]

    let failure = try #require(try rows(experiment).row("never").failure)

    #expect("\(failure)".contains("stands still"))
  }

  @Test func `a policy that readers leave is not better for their shorter waits, nor may it be best`() throws
  {
    var experiment = try experiment(
      ["onDemand"], workload: "fling:items=500,patience=2", network: "fixed:0.1,bandwidth=20000", sessions: 40
    )
    experiment.sweep = [SweepAxis(name: "pageSize", values: [20, 200])]

    var result = try rows(experiment)
    let (keeps, loses) = (try result.row("onDemand pageSize=20"), try result.row("onDemand pageSize=200"))
    let comparison = try #require(loses.comparisons[.stall])

    #expect(loses.scores.allSatisfy { $0.left == 1 && $0[.hitRate] == 0 && $0.seen == 0 })
    #expect(comparison.mean < -5 && comparison.high < 0)
    #expect(comparison.verdict == .notResolved && comparison.adjustedVerdict == .notResolved)
    #expect(comparison.leaving == 100 && loses.comparisons[.left]?.verdict == .worse)
    #expect(keeps.mayBeBest && !loses.mayBeBest && keeps.isOnFront && !loses.isOnFront)
    // The other way round it is not worse for those that it keeps.
    result.compare(with: "onDemand pageSize=200")
    #expect(try result.row("onDemand pageSize=20").comparisons[.stall]?.verdict == .notResolved)
    // By cost, leaving has the price that it was given.
    experiment.costs = ["stall": 1, "left": 0.001]
    #expect(try rows(experiment).row("onDemand pageSize=200").comparisons[.cost]?.verdict == .better)
  }

  @Test func `hits are a part of what was seen, whoever leaves`() throws {
    let experiment = try experiment(
      ["onDemand", "everything"], workload: "jumper:items=400,patience=8,patienceSigma=0.7",
      network: "uniform:0.1,2", sessions: 40)

    for row in try rows(experiment).rows {
      #expect(row.scores.contains { $0.left == 1 })
      #expect(row.scores.allSatisfy { 0...$0.seen ~= $0.hits })
    }
  }

  @Test func `nothing works for a list whose reader has gone`() throws {
    var experiment = try experiment(workload: "fling:items=300", network: "fixed:8", sessions: 20)
    experiment.sources.append(experiment.sources[0])
    experiment.sources[1].name = "others"
    experiment.isTogether = true

    for score in try rows(experiment).row("leadingScreens").scores {
      // Each request by itself: promoted, at work for eight seconds, and awake after it.
      let most = Double(score.requests) * (0.315 + 8 * 1.28804 + 1.06 * 11.576) + score.bytes / 1e6
      #expect(score.energy <= most)
    }
  }

  @Test func `details that failed come at another attempt`() throws {
    let text = "time,first,last\n" + (0...9).map { "\($0 * 30),\($0),\($0 + 4)\n" }.joined()
    var experiment = try experiment(
      ["everything"], workload: "", network: "fixed:0.1,bytesPerDetail=1000,errors=0.5", sessions: 40)
    experiment.workloads = [WorldDescription("trace:slow.csv", contents: text)]

    let late = try rows(experiment).mean("everything", .late)

    // All five of the start, and of the nine that follow at most the unlucky ones.
    #expect(late < 100 * 5.0 / 14 + 8)
  }

  @Test func `an empty cache changes nothing, whatever is cancelled`() throws {
    func scores(_ cache: String) throws -> [SessionScore] {
      let experiment = try experiment(
        ["everything", "onDemand"], workload: "fling:flings=8",
        network: "fixed:1,bytesPerItem=0,bytesPerDetail=100000\(cache)", sessions: 12)
      return try rows(experiment).rows.flatMap(\.scores)
    }

    for (plain, cached) in zip(try scores(""), try scores(",cache=0")) {
      #expect(plain.late <= cached.late + 3 && cached.late <= plain.late)
      #expect(plain.stall == cached.stall)
    }
  }

  @Test func `no policy has the name of a row of the lab`() throws {
    var experiment = try experiment(network: "fixed:0.4", sessions: 2)
    experiment.policies = [ExperimentPolicy(name: "oracle") { _ in LeadingScreens() }]

    let error = #expect(throws: ExperimentError.self) { try rows(experiment) }

    #expect(error?.place == "policy 'oracle'")
  }

  @Test func `what a source's own policy fails with is taken once`() throws {
    var experiment = try experiment(network: "fixed:0.4", sessions: 2)
    var own = ExperimentPolicy(name: "own") { _ in LeadingScreens() }
    var failure: String? = "line 3"
    own.takeFailure = {
      defer { failure = nil }
      return failure
    }
    experiment.sources[0].policy = own

    let row = try rows(experiment).row("own")

    #expect(row.failure == .policy(session: 0, message: "line 3"))
  }

  private struct Never: FetchPolicy {
    func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(false, reason: "never") }
  }

  @Test func `a fling dies at the edge, and its reader sees less`() throws {
    func row(_ edge: String, _ policy: String) throws -> LabRow {
      let workload = "fling:flings=6,edge=\(edge)"
      return try rows(try experiment(["onDemand", "everything"], workload: workload, network: "fixed:0.5"))
        .row(policy)
    }
    let (stops, resumes) = (try row("stops", "onDemand"), try row("resumes", "onDemand"))

    #expect(zip(stops.scores, resumes.scores).allSatisfy { $0.seen <= $1.seen && $0.duration <= $1.duration })
    let seen = [stops, resumes].map { row in row.scores.reduce(0) { $0 + $1.seen } }
    #expect(seen[0] < seen[1] * 9 / 10)
    // Who is never stopped goes the same way.
    let (never, still) = (try row("stops", "everything"), try row("resumes", "everything"))
    for (score, other) in zip(never.scores, still.scores) where other.stalls == 1 {
      #expect(score.seen == other.seen)
      #expect(score.stall == other.stall)
      #expect(score.duration == other.duration)
    }
  }
}
