import Experiments
import JSON

/// The timelines of a report, thinned to fit its size.
struct TimelineSet {
  /// Maximum bytes of the policies' reasons.
  private static let reasonBudget = 20_000

  /// More would be too coarse.
  private static let most = 32

  /// Columns and bars of the picture, from fine to coarse.
  private static let steps = [
    (450, 400), (300, 300), (220, 220), (150, 160), (100, 120), (70, 80), (50, 40), (30, 20),
  ]

  let timelines: [TimelineData]
  /// Omitted timelines.
  let leftOut: Int
  /// Distinct reasons for fetches; the first is empty.
  let reasons: [String]

  /// `budget` is the maximum size as JSON, in bytes.
  init(_ contents: ReportContents, budget: Int) {
    let important = Self.important(contents)
    func rank(_ timeline: SessionTimeline) -> Int {
      important.firstIndex(of: timeline.setting.policyTitle) ?? important.count
    }
    let ordered = contents.result.timelines.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
    let all = ordered.prefix(Self.most).compactMap { timeline -> (SessionTimeline, Int)? in
      let setting = timeline.setting
      let block = contents.blocks.first {
        $0.source == setting.source && $0.workload == setting.workload && $0.network == setting.network
      }
      return block.map { (timeline, $0.number) }
    }
    func data(_ columns: Int, _ bars: Int) -> [TimelineData] {
      all.map {
        TimelineData($0, block: $1, policy: contents.number($0.setting), columns: columns, bars: bars)
      }
    }
    var fitting: [TimelineData] = []
    for (columns, bars) in Self.steps {
      fitting = data(columns, bars)
      if fitting.reduce(0, { $0 + $1.numbers.utf8.count }) <= budget { break }
    }
    var room = budget
    let kept = fitting.prefix { timeline in
      room -= timeline.numbers.utf8.count
      return room >= 0
    }
    timelines = kept.isEmpty ? Array(fitting.prefix(1)) : Array(kept)
    leftOut = ordered.count - timelines.count
    var reasons = [""]
    var known: Set<String> = [""]
    var space = Self.reasonBudget
    for fetch in timelines.flatMap(\.fetches) where known.insert(fetch.reason).inserted {
      space -= fetch.reason.utf8.count + 3
      if space < 0 { break }
      reasons.append(fetch.reason)
    }
    self.reasons = reasons
  }

  /// The titles of the policies that the headline is about; of several worlds, the baseline's.
  static func important(_ contents: ReportContents) -> [String] {
    let finding = Finding(contents)
    let titles = [finding.subject, finding.base].compactMap { $0?.setting.policyTitle }
    return titles.isEmpty ? [contents.result.baseline] : titles
  }

  /// The longest with the same reader, drawn on the same time scale.
  func duration(_ timeline: TimelineData) -> Int {
    let same = timelines.filter { $0.block == timeline.block && $0.session == timeline.session }
    return same.map(\.duration).max() ?? timeline.duration
  }

  /// All of them as a JSON array.
  func write(_ json: inout JSONWriter) {
    let numbers = Dictionary(
      reasons.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    json.array(timelines) { $1.write(&$0, reasons: numbers) }
  }
}

extension TimelineData {
  /// Block, policy, session, duration, items seen; fetches, those wasted, stalls and their time; then points, each as
  /// its difference from the one before.
  func write(_ json: inout JSONWriter, reasons: [String: Int]) {
    json.array { json in
      let numbers = [block, policy, session, duration, seen, fetchCount, wastedCount, stallCount, waited]
      for value in numbers { json.integer(Int64(value)) }
      json.integers(Self.differences(viewport.map { [$0.time, $0.first, $0.last - $0.first] }))
      json.integers(Self.differences(loaded.map { [$0.time, $0.items] }))
      json.integers(
        Self.differences(
          fetches.map { [$0.start, $0.first] },
          beside: fetches.map {
            [$0.end - $0.start, $0.count, $0.outcome, reasons[$0.reason] ?? 0]
          }))
      json.integers(
        Self.differences(stalls.map { [$0.start] }, beside: stalls.map { [$0.end - $0.start, $0.item] }))
    }
  }

  /// As written, without reasons.
  var numbers: String {
    var json = JSONWriter(escaping: .markup)
    write(&json, reasons: [:])
    return json.string
  }

  private static func differences(_ points: [[Int]], beside others: [[Int]]? = nil) -> [Int] {
    var before: [Int] = []
    var flat: [Int] = []
    for (place, point) in points.enumerated() {
      for (part, value) in point.enumerated() { flat.append(before.isEmpty ? value : value - before[part]) }
      if let others { flat += others[place] }
      before = point
    }
    return flat
  }
}
