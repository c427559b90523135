import Experiments
import Paging

/// Results of no sense: any number of rows, any names, numbers of all sizes, some of them no numbers.
struct RandomResult {
  private var stream: RandomStream

  init(seed: UInt64) { stream = RandomStream(seed: seed, "result") }

  private static let names = [
    "<script>alert('x')</script>", "a & b", "\"quoted\"", "it's", "ひらがな", "naïve é", "", "tab\there",
    "line\nbreak", "\u{0}\u{1}",
    "]]>", "-->", "</script>", "𝛼β", "{\"json\": 1}", "a,b;c", String(repeating: "long ", count: 30), "&amp;",
    "‮rtl", "🙂",
  ]

  mutating func result() -> LabResult {
    var result = LabResult()
    result.title = name()
    result.sessions = below(50)
    if below(3) == 0 { result.costs.waste = number() }
    result.inputs = (0..<below(4)).map { _ in (name(), name()) }
    let worlds = (0..<1 + below(3)).map { _ in (name(), name(), name()) }
    let policies = (0..<below(12)).map { _ in (name(), parameters()) }
    for world in worlds {
      for (policy, parameters) in policies {
        let setting = LabSetting(
          source: world.0, policy: policy, parameters: parameters, workload: world.1, network: world.2)
        result.rows.append(row(setting))
        if below(4) == 0 { result.timelines.append(timeline(setting)) }
      }
    }
    result.baseline = result.rows.first?.setting.policyTitle ?? name()
    return result
  }

  private mutating func below(_ limit: Int) -> Int { Int(stream.unit() * Double(limit)) }

  private mutating func name() -> String {
    Self.names[below(Self.names.count)] + (below(2) == 0 ? "\(below(9))" : "")
  }

  private mutating func number() -> Double {
    let numbers = [
      0, -0.0, 1, 1e-9, 1e18, -3.5, .infinity, .nan, 0.001, 123.456, -1e-12, Double(below(1000)) / 7,
    ]
    return numbers[below(below(2) == 0 ? 5 : numbers.count)]
  }

  private mutating func parameters() -> [LabParameter] {
    (0..<below(4)).map { LabParameter("p\($0)", [0, 1, 2.5, 10, -1][below(5)]) }
  }

  private mutating func row(_ setting: LabSetting) -> LabRow {
    var row = LabRow(setting: setting)
    row.part = below(4) == 0 ? .train : below(4) == 0 ? .holdout : .all
    for session in 0..<below(20) {
      var score = SessionScore(session: session)
      (score.stall, score.bound, score.cost, score.duration) = (number(), number(), number(), number())
      (score.fetched, score.seen, score.stalls) = (below(500), below(300), below(9))
      row.scores.append(score)
    }
    row.sessions = row.scores.count
    row.isOracle = below(6) == 0
    row.isOnFront = below(3) == 0
    for metric in Metric.allCases where below(6) > 0 {
      var summary = MetricSummary()
      (summary.mean, summary.halfWidth, summary.p95, summary.worst) = (number(), number(), number(), number())
      row.summaries[metric] = summary
      if below(3) > 0 {
        let verdicts: [PairedComparison.Verdict] = [.better, .worse, .notResolved]
        row.comparisons[metric] = PairedComparison(
          mean: number(), low: number(), high: number(), pairs: below(50), verdict: verdicts[below(3)])
      }
    }
    return row
  }

  private mutating func timeline(_ setting: LabSetting) -> SessionTimeline {
    var timeline = SessionTimeline(setting: setting, session: below(5))
    timeline.duration = Double(below(60))
    timeline.seen = below(200)
    for place in 0..<below(40) {
      let first = below(200)
      timeline.viewport.append(.init(time: Double(place), first: first, last: first + below(9)))
      timeline.loaded.append(.init(time: Double(place), items: below(300)))
      let start = Double(place) + stream.unit()
      timeline.fetches.append(
        .init(
          start: start, end: start + stream.unit() * 3, items: first..<first + below(30), outcome: .failed,
          reason: name()))
      timeline.stalls.append(.init(start: start, end: start + stream.unit(), item: first))
    }
    return timeline
  }
}
