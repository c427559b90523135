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
