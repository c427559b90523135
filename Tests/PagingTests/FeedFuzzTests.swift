import Items
import TestSupport
import Paging
import Testing

@Suite struct FeedFuzzTests {
  @Test(arguments: 0..<300)
  func `whatever happens, the screen shows one run of the source, as the feed holds it`(_ seed: UInt64) throws
  {
    var dice = RandomStream(seed: seed)
    let source = NumberSource(
      count: Int.random(in: 1...300, using: &dice), tellsTotal: Bool.random(using: &dice),
      cap: Bool.random(using: &dice) ? .max : Int.random(in: 1...12, using: &dice))
    var rig = try Rig(Bool.random(using: &dice) ? Everything() : Hinted()) {
      $0.keys = .offset
      $0.pageSize = Int.random(in: 1...12, using: &dice)
      $0.maxInFlight = Int.random(in: 1...5, using: &dice)
      $0.prefetchDistance = 5
      $0.maxItems = Bool.random(using: &dice) ? nil : Int.random(in: 30...60, using: &dice)
      $0.seed = seed
    }

    for step in 0..<400 {
      act(&rig, source, &dice)

      #expect(rig.screen[0] == rig.feed.items.items(), "seed \(seed), step \(step)")
      let shown = rig.shown
      if let first = shown.first {
        #expect(shown == Array(first..<first + shown.count), "seed \(seed), step \(step)")
      }
      let states = [rig.feed.state(of: .append), rig.feed.state(of: .prepend)]
      if states.contains(.exhausted), rig.waiting.isEmpty, rig.feed.totalCount == source.count {
        #expect(shown.last == source.count - 1 || states[0] != .exhausted, "seed \(seed), step \(step)")
      }
    }

    readOn(&rig, source)
    #expect(rig.shown.last == source.count - 1, "seed \(seed)")
    #expect(rig.feed.state(of: .append) == .exhausted, "seed \(seed)")
    readBack(&rig, source)
    #expect(rig.shown.first == 0, "seed \(seed)")
    #expect(rig.feed.state(of: .prepend) == .exhausted, "seed \(seed)")
  }

  /// Goes to the end, answering everything on the way.
  private func readOn(_ rig: inout Rig, _ source: NumberSource) {
    rig.send(.retried)
    for _ in 0..<2_000 where rig.feed.state(of: .append) != .exhausted {
      rig.look(at: max(0, rig.shown.count - 4), length: 4)
      rig.answerAll(from: source)
    }
  }

  private func readBack(_ rig: inout Rig, _ source: NumberSource) {
    for _ in 0..<2_000 where rig.feed.state(of: .prepend) != .exhausted {
      rig.look(at: 0, length: 4)
      rig.answerAll(from: source)
    }
  }

  private func act(_ rig: inout Rig, _ source: NumberSource, _ dice: inout RandomStream) {
    switch Int.random(in: 0..<20, using: &dice) {
    case 0:
      rig.send(
        .refreshed([.start, .anchor, .key(.integer(Int64(source.count / 2)))].randomElement(using: &dice)!))
    case 1: rig.send(.cancelled)
    case 2: rig.send(.retried)
    case 3: rig.send(.memoryShort)
    case 4: rig.sleep()
    case 5..<10:
      let first = Int.random(in: 0...max(0, rig.shown.count), using: &dice)
      rig.look(at: first, length: 4, velocity: Double.random(in: -9...9, using: &dice))
    case 10 where !rig.waiting.isEmpty:
      rig.fail(Int.random(in: 0..<rig.waiting.count, using: &dice), isTransient: Bool.random(using: &dice))
    default:
      if !rig.waiting.isEmpty {
        rig.answer(Int.random(in: 0..<rig.waiting.count, using: &dice), from: source)
      }
    }
  }
}
