import Experiments
import Paging
import Simulation
import Testing

/// The yardstick, over ten thousand random sessions of every kind of reader, network and source.
@Suite struct BoundOverSessionsTests {
  /// A draw of what sessions may be like.
  struct Draw: CustomStringConvertible {
    let seed: UInt64
    let workload: String
    let network: String
    let keys: KeyKind
    let pageSize: Int
    let initialPageSize: Int?
    let width: Int
    let maxItems: Int?

    init(_ seed: UInt64) {
      var dice = RandomStream(seed: seed)
      let kinds = [
        "fling:flings=3", "quitter", "searcher", "jumper:items=600", "skimmer", "reader", "steady",
        "fling:flings=4,patience=0.6,patienceSigma=0.7", "fling:flings=4,edge=stops",
      ]
      let networks = [
        "reference", "fixed:0.3", "exponential:0.4", "uniform:0.05,1.5", "lognormal:0.2,1.2",
        "lognormal:0.3,0.5,loss=0.1,timeout=1", "fixed:0.2,errors=0.2", "fixed:0.1,bandwidth=40000",
        "fixed:0.2,rate=3/1", "lognormal:0.2,1,bandwidth=20000,loss=0.1,timeout=1",
        "exponential:0.3,bandwidth=60000,errors=0.2", "fixed:0.05,bandwidth=8000,rate=5/2",
        "fixed:0.1,bandwidth=30000,sharing=fair", "exponential:0.3,bandwidth=60000,bytesPerDetail=9000",
        "lognormal:0.3,0.5,cache=0.3",
        "exponential:0.2,bandwidth=30000,cache=0.4,sharing=fair,loss=0.1,timeout=1",
        "fixed:0.3,cache=1,rate=1/10", "lognormal:0.2,1,cache=0.5,rate=1/2",
        "fixed:0.1,bandwidth=20000,sharing=fair,rate=1/2",
      ]
      self.seed = seed
      workload = kinds[Int(seed) % kinds.count]
      network = networks[Int(seed) / kinds.count % networks.count]
      keys = KeyKind.allCases[Int(dice.next() % 3)]
      pageSize = Int.random(in: 3...40, using: &dice)
      initialPageSize = Bool.random(using: &dice) ? nil : pageSize * Int.random(in: 1...3, using: &dice)
      width = Int.random(in: 1...5, using: &dice)
      maxItems = Int.random(in: 0...3, using: &dice) == 0 ? pageSize * 12 + 200 : nil
    }

    var description: String {
      "draw \(seed): \(workload), \(network), \(keys) keys, pages of \(pageSize), \(width) in flight"
    }

    func experiment(sessions: Int) throws -> Experiment {
      var experiment = try LabRig.experiment(
        LabRig.policies.dropLast(), workload: workload, network: network, sessions: sessions, seed: seed
      ) {
        $0.keys = keys
        $0.pageSize = pageSize
        $0.initialPageSize = initialPageSize
        $0.maxInFlight = keys.isCounted ? width : nil
        $0.maxItems = maxItems
        $0.knownTotal = keys.isCounted ? 100_000 : nil
        $0.retry = RetryRule(count: 100)
      }
      if seed % 4 == 1 {
        experiment.sources.append(experiment.sources[0])
        experiment.isTogether = true
      }
      return experiment
    }
  }

  /// Of a session that is drawn every step is taken; of any other, those that lead to nothing are skipped.
  @Test(arguments: 0..<171)
  func `a session that is drawn has the score of one that is not`(_ seed: Int) throws {
    let draw = Draw(UInt64(seed))
    let experiment = try draw.experiment(sessions: 3)
    let plain = try Lab(LabRig.options()).run(experiment)
    let drawn = try Lab(LabRig.options { $0.timelines = 3 }).run(experiment)

    for (row, drawnRow) in zip(plain.rows, drawn.rows) {
      #expect(row.scores.count == 3 && row.scores == drawnRow.scores, "\(draw), \(row.setting.policy)")
    }
  }

  /// Packets of a slow radio, each larger than a response: what a response leaves of its last one is the next one's where the
  /// link is shared.
  @Test(arguments: ["fair", "queue"])
  func `no policy beats the bound on a link of large packets`(sharing: String) throws {
    var experiment = try LabRig.experiment(
      LabRig.policies.dropLast(), workload: "fling:flings=3", network: "", sessions: 60
    ) { $0.pageSize = 5 }
    experiment.networks = [
      WorldDescription(
        "mahimahi:slots,latency=0.05,bytesPerItem=110,sharing=\(sharing)",
        contents: (1...40).map { "\($0 * 70 + $0 * $0 % 50)\n" }.joined())
    ]

    let result = try Lab(LabRig.options()).run(experiment)

    for row in result.rows {
      #expect(row.failure == nil)
      #expect(row.scores.allSatisfy { $0.stall >= $0.bound - 1e-9 }, "\(row.setting.policy)")
    }
  }

  /// Pages are requested in their order on any network, also where the later one of two may come first.
  @Test(arguments: ["lognormal:0.35,0.5", "uniform:0.05,1.5"], [2, 5])
  func `a limit that no request meets changes no bound, and the oracle waits no longer`(
    network: String, width: Int
  ) throws {
    func scores(_ network: String) throws -> [SessionScore] {
      let experiment = try LabRig.experiment(
        ["onDemand"], workload: "steady:speed=8,seconds=20,first=300", network: network, sessions: 25
      ) { $0.maxInFlight = width }
      return try Lab(LabRig.options()).run(experiment).row("oracle").scores
    }

    let (free, limited) = (try scores(network), try scores(network + ",rate=100000/1"))

    #expect(free.count == 25 && limited.count == 25)
    for (score, other) in zip(free, limited) {
      #expect(abs(score.bound - other.bound) < 1e-6, "session \(score.session), seed 1")
      #expect(abs(score.regret) < 1e-6, "session \(score.session), seed 1")
    }
  }

  @Test(arguments: 0..<171)
  func `no policy beats the bound, and the oracle meets it where it is exact`(_ seed: Int) throws {
    let draw = Draw(UInt64(seed))
    let result = try Lab(LabRig.options()).run(draw.experiment(sessions: 10))

    for row in result.rows {
      #expect(row.failure == nil, "\(draw), \(row.setting.policy): \(String(describing: row.failure))")
      for score in row.scores {
        #expect(score.stall >= score.bound - 1e-9, "\(draw), \(row.setting.policy): \(score)")
        let meets = row.setting.policy == "oracle" && score.isBoundExact && draw.maxItems == nil
        if meets { #expect(abs(score.regret) < 1e-9, "\(draw): \(score)") }
      }
    }
  }
}
