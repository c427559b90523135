import Paging

/// The pages of a run as bars over its time: those that are fetched now, the last ones, and the slowest ones of all.
struct TelemetryPages: Sendable {
  enum Outcome: Int, Sendable {
    case open, landed, retried, gaveUp, cancelled, thrownAway
  }

  struct Bar: Sendable {
    let source: Int
    let number: Int
    let direction: Direction
    let attempt: Int
    let start: Double
    var end: Double
    var outcome = Outcome.open
    var items = 0
    /// The decision that it followed.
    let reason: Int

    var length: Double { end - start }
  }

  private struct Name: Hashable, Sendable {
    let source: Int
    let id: FetchID
  }

  /// More are counted, and not drawn.
  private static let mostOpen = 2_000
  private static let mostSlow = 60

  private(set) var count = 0
  private(set) var landed = 0
  /// Whether a source is read in several feeds at once: each has a page of the same name.
  private(set) var hasPartitions = false
  private var firsts: [Int: FetchID] = [:]
  private var open: [Name: [Bar]] = [:]
  private var openCount = 0
  private var last = LastOnes<Bar>(400)
  /// Slowest first.
  private var slow: [Bar] = []

  mutating func started(_ request: FetchRequest, of source: Int, reason: Int, at seconds: Double) {
    count += 1
    if let first = firsts[source] {
      hasPartitions = hasPartitions || first == request.id
    } else {
      firsts[source] = request.id
    }
    guard openCount < Self.mostOpen else { return }
    openCount += 1
    let bar = Bar(
      source: source, number: request.id.number, direction: request.direction, attempt: request.attempt,
      start: seconds, end: seconds, reason: reason)
    open[Name(source: source, id: request.id), default: []].append(bar)
  }

  /// Ends the bar of a fetch. Partitions of a source count alike, so that several fetches have the same id: then it is the
  /// one that began as long ago as it took.
  mutating func ended(
    _ id: FetchID, of source: Int, _ outcome: Outcome, items: Int = 0, latency: Double? = nil,
    at seconds: Double
  ) {
    if outcome == .landed { landed += 1 }
    let name = Name(source: source, id: id)
    guard var bars = open.removeValue(forKey: name) else { return }
    var place = 0
    if bars.count > 1, let latency {
      let wanted = seconds - latency
      place = bars.indices.min { abs(bars[$0].start - wanted) < abs(bars[$1].start - wanted) } ?? 0
    }
    var bar = bars.remove(at: place)
    if !bars.isEmpty { open[name] = bars }
    openCount -= 1
    bar.end = seconds
    bar.outcome = outcome
    bar.items = items
    keep(bar)
  }

  private mutating func keep(_ bar: Bar) {
    last.append(bar)
    if slow.count >= Self.mostSlow, let least = slow.last, least.length >= bar.length { return }
    let place = slow.firstIndex { $0.length < bar.length } ?? slow.count
    slow.insert(bar, at: place)
    if slow.count > Self.mostSlow { slow.removeLast() }
  }

  /// What is drawn, in the order in which it began; `now` is the end of those that are open.
  func drawn(at now: Double) -> [Bar] {
    let recent = last.elements
    let since = recent.map(\.start).min() ?? 0
    let old = last.count > last.most ? slow.filter { $0.start < since } : []
    let waiting = open.values.joined().map { bar in
      var bar = bar
      bar.end = max(now, bar.start)
      return bar
    }
    return (old + recent + waiting).sorted { ($0.start, $0.number) < ($1.start, $1.number) }
  }

  /// The open one that began first.
  var oldest: Bar? { open.values.joined().min { $0.start < $1.start } }
}
