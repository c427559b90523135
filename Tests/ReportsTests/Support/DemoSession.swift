import Experiments
import Paging

/// A made-up session: a reader who moves and rests, and a feed of pages of 20 that asks when less than `distance` items are
/// left. No machine, only enough of one for plausible pictures.
struct DemoSession {
  private static let step = 0.05
  private static let pageSize = 20
  private let distance: Int
  private var reader: RandomStream
  private let seed: UInt64
  private let session: Int
  private let median: Double

  private var position = 0.0
  private var loaded = 0
  private var waitingSince: Double?
  private var landing: Double?
  private(set) var score: SessionScore
  private(set) var timeline: SessionTimeline

  init(_ setting: LabSetting, distance: Int, seed: UInt64, session: Int, median: Double) {
    self.distance = distance
    self.seed = seed
    self.session = session
    self.median = median
    reader = RandomStream(seed: seed, "reader", session)
    score = SessionScore(session: session)
    timeline = SessionTimeline(setting: setting, session: session)
  }

  /// Reads to the end, waiting where it must.
  mutating func run() {
    let length = 20 + 40 * reader.unit()
    var (time, read, speed, until) = (0.0, 0.0, 0.0, 0.0)
    fetch(at: 0)
    while read < length {
      if let landed = landing, landed <= time { land(at: landed) }
      if loaded < Int(position) + 7 { wait(at: time) } else { move(at: time, &read, &speed, &until) }
      if landing == nil, loaded - Int(position) - 7 < distance { fetch(at: time) }
      time += Self.step
    }
    if waitingSince != nil { resume(at: time) }
    finish(at: time)
  }

  private mutating func move(
    at time: Double, _ read: inout Double, _ speed: inout Double, _ until: inout Double
  ) {
    if waitingSince != nil { resume(at: time) }
    if read >= until {
      speed = reader.unit() < 0.5 ? 0 : 4 + 30 * reader.unit() * reader.unit()
      until = read + 0.4 + 2 * reader.unit()
    }
    position += speed * Self.step
    read += Self.step
    let first = Int(position)
    if timeline.viewport.last?.first != first {
      timeline.viewport.append(.init(time: time, first: first, last: first + 6))
    }
  }

  private mutating func fetch(at time: Double) {
    var network = RandomStream(seed: seed, "latency", session, loaded / Self.pageSize)
    let spread = network.unit() + network.unit() + network.unit() + network.unit()
    let end = time + median * (0.4 + 0.3 * spread) * (network.unit() < 0.05 ? 4 : 1)
    landing = end
    score.requests += 1
    timeline.fetches.append(
      .init(
        start: time, end: end, items: loaded..<loaded + Self.pageSize, outcome: .used,
        reason: "\(max(0, loaded - Int(position) - 7)) items left < \(distance)"))
  }

  private mutating func land(at time: Double) {
    loaded += Self.pageSize
    timeline.loaded.append(.init(time: time, items: loaded))
    landing = nil
  }

  private mutating func wait(at time: Double) { waitingSince = waitingSince ?? time }

  private mutating func resume(at time: Double) {
    guard let since = waitingSince else { return }
    waitingSince = nil
    let length = time - since
    score.stall += length
    if score.stalls == 0 { score.startup = length } else { score.worstStall = max(score.worstStall, length) }
    score.stalls += 1
    timeline.stalls.append(.init(start: since, end: time, item: Int(position) + 6))
  }

  private mutating func finish(at time: Double) {
    score.seen = Int(position) + 7
    score.hits = max(0, score.seen - 7 * score.stalls)
    score.fetched = max(loaded, score.seen)
    score.duration = time
    score.bound = score.startup
    score.heldTime = Double(loaded) * time / 2
    score.cost = score.stall
    timeline.seen = score.seen
    timeline.duration = time
    for place in timeline.fetches.indices {
      if timeline.fetches[place].end > time {
        timeline.fetches[place].end = time
        timeline.fetches[place].outcome = .unfinished
      } else if timeline.fetches[place].items.lowerBound >= score.seen {
        timeline.fetches[place].outcome = .wasted
      }
    }
  }
}
