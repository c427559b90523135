import Experiments

/// Made-up results of any size; equal arguments give equal ones.
struct DemoResult {
  var policies: [(name: String, parameters: [LabParameter], distance: Int)] = [
    ("leadingScreens", [], 14), ("demand", [], 0), ("remainingTime", [], 24), ("oneScreen", [], 7),
    ("onePage", [], 20),
    ("everything", [], 200), ("threePages", [], 60),
  ]
  var hasOracle = true
  var workloads = ["fling"]
  var networks = ["lognormal"]
  var sources = ["pages of 20"]
  var sessions = 200
  var timelines = 3
  var seed: UInt64 = 1
  var title = "How far ahead?"

  /// The seven policies and the oracle.
  static let usual = DemoResult()

  /// Two parameters in every combination.
  static var sweep: DemoResult {
    var demo = DemoResult()
    demo.title = "A sweep"
    demo.policies = [0.5, 1, 2, 4, 8].flatMap { screens in
      [0, 5, 10, 20].map { extra in
        (
          "screens", [LabParameter("screens", screens), LabParameter("extra", extra)],
          Int(screens * 7 + extra)
        )
      }
    }
    demo.sessions = 60
    demo.timelines = 1
    return demo
  }

  var result: LabResult {
    var result = LabResult()
    result.title = title
    result.seed = seed
    result.sessions = sessions
    result.inputs = [
      ("source pages of 20", "page keys, 2 in flight"), ("workload fling", "flings, 20 to 60 s"),
    ]
    for source in sources {
      for (place, workload) in workloads.enumerated() {
        for (number, network) in networks.enumerated() {
          let median = 0.25 + 0.2 * Double(number)
          add(&result, source, workload, network, seed: seed + UInt64(place), median: median)
        }
      }
    }
    result.events = result.rows.reduce(0) { $0 + $1.scores.reduce(0) { $0 + $1.requests } }
    return result
  }

  private func add(
    _ result: inout LabResult, _ source: String, _ workload: String, _ network: String, seed: UInt64,
    median: Double
  ) {
    var rows: [LabRow] = []
    for policy in policies + (hasOracle ? [("oracle", [], 30)] : []) {
      let setting = LabSetting(
        source: source, policy: policy.name, parameters: policy.parameters, workload: workload,
        network: network)
      var row = LabRow(setting: setting)
      row.isOracle = hasOracle && policy.name == "oracle"
      for session in 0..<sessions {
        var demo = DemoSession(
          setting, distance: policy.distance, seed: seed, session: session, median: median)
        demo.run()
        var score = demo.score
        if row.isOracle { (score.stall, score.stalls, score.fetched) = (score.startup, 1, score.seen + 4) }
        score.cost = score.stall
        row.scores.append(score)
        if session < timelines { result.timelines.append(demo.timeline) }
      }
      rows.append(DemoStatistics.summed(row))
    }
    DemoStatistics.compare(&rows)
    result.baseline = rows.first?.setting.policyTitle ?? ""
    result.rows += rows
  }
}
