import Experiments

/// One session's timeline in a report: integer milliseconds, and no more points than a picture can show.
struct TimelineData {
  let block: Int
  let policy: Int
  let session: Int
  let duration: Int
  let seen: Int
  let viewport: [(time: Int, first: Int, last: Int)]
  let loaded: [(time: Int, items: Int)]
  let fetches: [(start: Int, end: Int, first: Int, count: Int, outcome: Int, reason: String)]
  let stalls: [(start: Int, end: Int, item: Int)]
  /// Fetches of the session, drawn or not.
  let fetchCount: Int
  /// Those whose items were never seen.
  let wastedCount: Int
  /// Stalls of the session, drawn or not.
  let stallCount: Int
  /// Total milliseconds of all stalls.
  let waited: Int

  /// Keeps at most two points per column of `columns`, the extreme and the last, so that the next starts right, and at
  /// most `bars` fetches and stalls, the longest.
  init(_ timeline: SessionTimeline, block: Int, policy: Int, columns: Int, bars: Int) {
    self.block = block
    self.policy = policy
    session = timeline.session
    duration = max(1, Self.milliseconds(timeline.duration))
    seen = timeline.seen
    let width = max(1, (duration + columns - 1) / max(1, columns))
    let points = timeline.viewport.map {
      (time: Self.milliseconds($0.time), first: $0.first, last: max($0.first, $0.last))
    }
    viewport = Self.thinned(points, width: width, time: \.time, value: \.last)
    let edges = timeline.loaded.map { (time: Self.milliseconds($0.time), items: $0.items) }
    loaded = Self.thinned(edges, width: width, time: \.time, value: \.items)
    fetchCount = timeline.fetches.count
    // Whether a page was wasted is known at the end.
    func outcome(_ fetch: SessionTimeline.FetchBar) -> SessionTimeline.FetchBar.Outcome {
      fetch.outcome == .used && fetch.items.lowerBound >= timeline.seen ? .wasted : fetch.outcome
    }
    wastedCount = timeline.fetches.count { outcome($0) == .wasted }
    stallCount = timeline.stalls.count
    fetches = Self.longest(bars, of: timeline.fetches) { $0.end - $0.start }.map { fetch in
      let start = Self.milliseconds(fetch.start)
      return (
        start, max(start, Self.milliseconds(fetch.end)), fetch.items.lowerBound, fetch.items.count,
        Self.outcomes.firstIndex(of: outcome(fetch)) ?? 0, fetch.reason
      )
    }
    let waits = timeline.stalls.map { stall -> (start: Int, end: Int, item: Int) in
      let start = Self.milliseconds(stall.start)
      return (start, max(start, Self.milliseconds(stall.end)), stall.item)
    }
    waited = waits.reduce(0) { $0 + $1.end - $1.start }
    stalls = Self.longest(bars, of: waits) { Double($0.end - $0.start) }
  }

  /// In the order of their numbers.
  static let outcomes: [SessionTimeline.FetchBar.Outcome] = [
    .used, .wasted, .failed, .cancelled, .unfinished,
  ]

  /// The end of what was visible or held.
  var items: Int { max(seen, viewport.map { $0.last + 1 }.max() ?? 0, loaded.map(\.items).max() ?? 0, 1) }

  /// The longest stall after the start; nil if there is none.
  var longestStall: (start: Int, end: Int, item: Int)? {
    stalls.filter { $0.start > 0 }.reduce(nil) { best, stall in
      if let best, best.end - best.start >= stall.end - stall.start { return best }
      return stall
    }
  }

  /// The session in one sentence.
  var words: String {
    let held = loaded.last?.items ?? 0
    let some = fetchCount > fetches.count ? " (the \(fetches.count) longest are drawn)" : ""
    return "\(stallCount) stall\(stallCount == 1 ? "" : "s"), \(Self.seconds(waited)) s of "
      + "\(Self.seconds(duration)) s; \(fetchCount) fetches\(some), \(wastedCount) of them wasted; "
      + "\(held) items loaded, \(seen) seen."
  }

  /// Milliseconds as seconds: `12.345`.
  static func seconds(_ milliseconds: Int) -> String { ReportNumber.fixed(Double(milliseconds) / 1000, 3) }

  private static func milliseconds(_ seconds: Double) -> Int { max(0, ReportNumber.units(seconds, 3)) }

  private static func thinned<Point>(
    _ points: [Point], width: Int, time: (Point) -> Int, value: (Point) -> Int
  ) -> [Point] {
    var kept: [Point] = []
    var start = 0
    while start < points.count {
      let column = time(points[start]) / width
      var end = start + 1
      while end < points.count, time(points[end]) / width == column { end += 1 }
      let last = points[end - 1]
      let extreme = points[start..<end].indices.max {
        abs(value(points[$0]) - value(last)) < abs(value(points[$1]) - value(last))
      }
      if let extreme, extreme < end - 1, end - start > 1 { kept.append(points[extreme]) }
      kept.append(last)
      start = end
    }
    return kept
  }

  /// In order.
  private static func longest<Bar>(_ limit: Int, of bars: [Bar], _ length: (Bar) -> Double) -> [Bar] {
    guard bars.count > limit else { return bars }
    let order = bars.indices.sorted { one, other in
      let (a, b) = (length(bars[one]), length(bars[other]))
      return a > b || a == b && one < other
    }
    return order.prefix(limit).sorted().map { bars[$0] }
  }
}
