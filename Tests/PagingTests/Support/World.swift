import Items
import TestSupport
import Paging

/// A seeded world of one source: answers in any order, after any time, sometimes broken.
struct World {
  var dice: RandomStream
  var rig: Rig
  let source: NumberSource
  let failureRate: Double
  let appendRate: Double
  /// Answers on their way, by time.
  private var answers: [(time: Instant, request: FetchRequest)] = []
  private var seen: Set<FetchID> = []
  private var step = 0

  init(seed: UInt64, policy: any FetchPolicy) throws {
    var dice = RandomStream(seed: seed)
    let keys = KeyKind.allCases[Int(dice.next() % 3)]
    let size = Int.random(in: 1...30, using: &dice)
    source = NumberSource(
      count: Int.random(in: 0...400, using: &dice), keys: keys, tellsTotal: Bool.random(using: &dice),
      cap: Bool.random(using: &dice) ? .max : Int.random(in: 1...30, using: &dice))
    failureRate = Bool.random(using: &dice) ? 0 : 0.3
    appendRate = Bool.random(using: &dice) ? 0 : 0.5
    let isInitialLarge = Bool.random(using: &dice)
    rig = try Rig(policy) {
      $0.keys = keys
      $0.pageSize = size
      if isInitialLarge { $0.initialPageSize = size * 3 }
      if keys.isCounted { $0.maxInFlight = Int.random(in: 1...8, using: &dice) }
      $0.merge = Bool.random(using: &dice) ? .keep : .replace
      $0.retry = RetryRule(count: 1_000)
      $0.deadline = Bool.random(using: &dice) ? nil : .seconds(3)
      $0.seed = seed
    }
    self.dice = dice
  }

  /// The reader wants everything: looks further whenever something was shown. Returns whether it ended.
  mutating func run() -> Bool {
    rig.look(at: 0, length: 5)
    for _ in 0..<50_000 {
      if rig.feed.state(of: .append) == .exhausted { return true }
      launch()
      guard advance() else { return false }
      rig.look(at: max(0, rig.shown.count - 3), length: 5, velocity: Double.random(in: 0...50, using: &dice))
    }
    return false
  }

  private mutating func launch() {
    for request in rig.waiting where seen.insert(request.id).inserted {
      let delay = Duration.milliseconds(Int64(dice.next() % 4_000))
      answers.append((rig.now + delay, request))
    }
  }

  /// Lets the next thing happen; false when nothing is to come.
  private mutating func advance() -> Bool {
    let next = answers.indices.min { answers[$0].time < answers[$1].time }
    if let wake = rig.wakeAt, next.map({ wake < answers[$0].time }) ?? true {
      rig.sleep()
      return true
    }
    guard let next else { return false }
    let (time, request) = answers.remove(at: next)
    rig.now = max(rig.now, time)
    rig.waiting.removeAll { $0.id == request.id }
    if dice.unit() < failureRate {
      let failure = FetchFailure(code: "network", message: "broken", isTransient: true)
      rig.send(.answered(request.id, .failed(failure)))
    } else if dice.unit() < appendRate {
      complete(request)
    } else {
      rig.send(.answered(request.id, .page(source.page(for: request))))
    }
    return true
  }

  /// Answers in two parts, by call.
  private mutating func complete(_ request: FetchRequest) {
    let page = source.page(for: request)
    let items = page.contents.items
    for part in [items.prefix(items.count / 2), items.dropFirst(items.count / 2)] where !part.isEmpty {
      rig.send(.appended(request.id, Array(part), received: part.count))
    }
    let last = items.last.map { $0 == [Item].numbers([source.count - 1])[0] } ?? true
    rig.send(.answered(request.id, .completed(more: !last, nextKey: page.nextKey, total: page.total)))
  }
}
