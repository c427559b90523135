import Paging
import Testing

@Suite struct TimelineTests {
  private var timeline = Timeline<String>()

  @Test mutating func `the earliest event comes first`() {
    timeline.add("late", at: Instant(seconds: 2))
    timeline.add("early", at: Instant(seconds: 1))

    #expect(timeline.next?.event == "early")
    #expect(timeline.removeFirst()?.event == "early")
    #expect(timeline.removeFirst()?.event == "late")
    #expect(timeline.removeFirst() == nil)
  }

  @Test mutating func `events of the same time come in the order in which they were added`() {
    for number in 0..<50 { timeline.add("\(number)", at: Instant(seconds: Double(number % 2))) }
    timeline.removeAll { Int($0)! % 3 == 0 }

    let events = timeline.events.map(\.event)
    var removed: [String] = []
    while let event = timeline.removeFirst()?.event { removed.append(event) }

    let kept = (0..<50).filter { $0 % 3 != 0 }
    #expect(events == (kept.filter { $0 % 2 == 0 } + kept.filter { $0 % 2 == 1 }).map(String.init))
    #expect(removed == events)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `what comes out is what a sorted list would give`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var timeline = Timeline<Int>()
    var model: [(at: Instant, event: Int)] = []

    for event in 0..<500 {
      if random.next() % 3 == 0, let next = timeline.removeFirst() {
        let first = model.indices.min { (model[$0].at, $0) < (model[$1].at, $1) }!
        #expect(next == model.remove(at: first), "seed \(seed)")
      } else {
        let time = Instant(seconds: Double(random.next() % 20))
        timeline.add(event, at: time)
        model.append((time, event))
      }
    }

    #expect(timeline.count == model.count)
  }
}

extension Instant {
  /// So many seconds after zero.
  init(seconds: Double) { self = .zero + .seconds(seconds) }
}
