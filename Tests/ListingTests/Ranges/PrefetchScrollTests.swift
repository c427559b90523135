import Items
import Listing
import Paging
import Testing

/// A list of 10,000 rows with details, scrolled in virtual time: frames of 10 ms, details that take 200 ms.
@Suite struct PrefetchScrollTests {
  @Test(arguments: 0..<20)
  func `rushing past rows costs at most the details of those that stayed near`(_ seed: UInt64) {
    var scroll = Scroll()
    var dice = RandomStream(seed: seed)

    scroll.fling(from: Double.random(in: 400...20_000, using: &dice))

    let fetches = scroll.prefetcher.statistics.fetches
    print(
      "seed \(seed): passed \(scroll.passed) rows, \(scroll.stayed.count) stayed near, \(fetches) fetches, "
        + "\(scroll.prefetcher.statistics.cancelled) taken back, \(scroll.arrived.count) arrived")
    #expect(scroll.arrived.isSubset(of: scroll.stayed), "seed \(seed)")
    #expect(fetches <= scroll.stayed.count, "seed \(seed)")
    #expect(scroll.arrived.isSuperset(of: scroll.visible), "seed \(seed): the rows at rest have details")
  }

  @Test func `a steady rush costs nothing`() {
    var scroll = Scroll()

    while scroll.top < 9_900 { scroll.frame(velocity: 5_000) }

    #expect(scroll.prefetcher.statistics.fetches == 0)
  }

  @Test func `a slow reader has every detail before he sees its row`() {
    var scroll = Scroll()
    for _ in 0..<100 { scroll.frame(velocity: 0) }

    var missing = 0
    for _ in 0..<2_000 {
      scroll.frame(velocity: 10)
      missing += scroll.visible.filter { !scroll.arrived.contains($0) }.count
    }

    #expect(scroll.top > 190)
    #expect(missing == 0)
    #expect(scroll.prefetcher.statistics.cancelled == 0)
  }
}

private struct Scroll {
  var prefetcher: Prefetcher<Int>
  private(set) var top = 0.0
  /// Rows that were within the preload range for as long as a fetch takes, without a break.
  private(set) var stayed: Set<Int> = []
  /// Rows whose details came.
  private(set) var arrived: Set<Int> = []
  private var range = PrefetchRange()
  private var controller = RangeController(lengths: ItemLengths(count: rows, length: 1), axis: .vertical)
  private var since: [Int: Instant] = [:]
  private var under: [(name: PrefetchID, row: Int, at: Instant)] = []
  private var now = Instant.zero

  private static let rows = 10_000
  private static let length = 10.0
  private static let latency = 0.2

  init() {
    var options = PrefetcherOptions()
    options.maxInFlight = 6
    prefetcher = Prefetcher(options: options)
    controller.setMode(.full)
  }

  /// Rows passed.
  var passed: Int { Int(top) }
  /// Rows seen now.
  var visible: Range<Int> { controller.states.visible }

  /// Each frame takes a fiftieth of the speed, until the list rests, and then some.
  mutating func fling(from velocity: Double) {
    var velocity = velocity
    while velocity > 1, top < Double(Self.rows) - 2 * Self.length {
      frame(velocity: velocity)
      velocity *= 0.98
    }
    for _ in 0..<500 { frame(velocity: 0) }
  }

  /// 10 ms go by.
  mutating func frame(velocity: Double) {
    now = now + .milliseconds(10)
    top = min(Double(Self.rows) - Self.length, top + velocity * 0.01)
    while let first = under.first, first.at <= now {
      under.removeFirst()
      arrived.insert(first.row)
      take(prefetcher.answered(first.name, with: first.row, at: now))
    }
    controller.moveViewport(
      to: Rect(x: 0, y: top, width: 1, height: Self.length), direction: velocity == 0 ? [] : .down)
    _ = controller.update()
    let preload = controller.states.preload
    remember(preload)
    let change = range.move(
      to: PrefetchRange.Position(
        visible: visible, preload: preload, velocity: velocity, latency: Self.latency)
    ) { 0..<Self.rows ~= $0 ? .integer(Int64($0)) : nil }
    take(prefetcher.cancelPrefetch(change.cancelled, at: now))
    take(prefetcher.prefetch(change.wanted, at: now))
  }

  private mutating func remember(_ preload: Range<Int>) {
    since = since.filter { preload.contains($0.key) }
    for row in preload {
      let entered = since[row] ?? now
      since[row] = entered
      if (now - entered).inSeconds >= Self.latency { stayed.insert(row) }
    }
  }

  private mutating func take(_ effects: [PrefetchEffect<Int>]) {
    for effect in effects {
      switch effect {
      case .fetch(let name, .integer(let row)):
        under.append((name, Int(row), now + .milliseconds(200)))
      case .fetch(_, .text), .deliver, .fail: Issue.record("nobody reads, and rows have numbers")
      case .cancel(let name): under.removeAll { $0.name == name }
      }
    }
  }
}
