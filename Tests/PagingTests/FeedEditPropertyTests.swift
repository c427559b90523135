import Items
import TestSupport
import Paging
import Testing

/// Long random lives of a feed: pages, edits, refreshes, drops, failures, in any order.
@Suite struct FeedEditPropertyTests {
  @Test(arguments: 0..<400)
  func `the reader shows what the feed holds, whatever happens`(_ seed: Int) throws {
    var dice = RandomStream(seed: UInt64(seed))
    let source = NumberSource(
      count: Int.random(in: 0...80, using: &dice), keys: KeyKind.allCases[Int(dice.next() % 3)])
    let size = Int.random(in: 1...9, using: &dice)
    let isCapped = Bool.random(using: &dice)
    var rig = try Rig(Hinted()) {
      $0.keys = source.keys
      $0.pageSize = size
      if $0.keys.isCounted { $0.maxInFlight = Int.random(in: 1...4, using: &dice) }
      $0.merge = Bool.random(using: &dice) ? .keep : .replace
      $0.refreshExtent = Bool.random(using: &dice) ? .firstPage : .everything
      $0.prefetchDistance = size
      if isCapped { $0.maxItems = 3 * size + 2 * size }
      $0.retry = .never
      $0.seed = UInt64(seed)
    }

    for step in 0..<120 {
      let anchor = rig.feed.viewport.flatMap { rig.feed.items[$0.firstVisible]?.id }
      let moved = act(&rig, source, &dice)

      let state = "seed \(seed), step \(step)"
      #expect(rig.screen[0] == rig.feed.items.items(), "\(state)")
      #expect(Set(rig.shown).count == rig.shown.count, "\(state)")
      #expect(rig.feed.viewport?.firstVisible ?? 0 >= 0, "\(state)")
      if let anchor, !moved, let place = rig.feed.items.path(of: anchor)?.item {
        #expect(rig.feed.viewport?.firstVisible == place, "\(state): the place is lost")
      }
      guard rig.screen[0] == rig.feed.items.items() else { return }
    }

    rig.send(.retried)
    rig.look(at: 0)
    var rounds = 0
    while !rig.waiting.isEmpty, rounds < 500 {
      rig.answer(from: source)
      rounds += 1
    }
    #expect(rig.feed.isQuiet, "seed \(seed): something is in flight for ever")
  }

  /// Does something; says whether the first visible item may be another one now, since the reader or the item moved.
  private func act(_ rig: inout Rig, _ source: NumberSource, _ dice: inout RandomStream) -> Bool {
    let count = rig.feed.items.count
    func id(_ dice: inout RandomStream) -> ItemID { .integer(Int64.random(in: 0...90, using: &dice)) }
    switch dice.next() % 14 {
    case 0...4 where !rig.waiting.isEmpty:
      rig.answer(Int.random(in: rig.waiting.indices, using: &dice), from: source)
    case 5 where !rig.waiting.isEmpty: rig.fail(isTransient: false)
    case 6: rig.send(.retried)
    case 7: rig.send(.refreshed(Bool.random(using: &dice) ? .start : .anchor))
    case 8: rig.send(Bool.random(using: &dice) ? .cancelled : .memoryShort)
    case 9:
      let new = [Item].numbers([Int.random(in: 0...90, using: &dice)], version: 2)
      rig.send(.edited(.insert(new, Bool.random(using: &dice) ? .start : .after(id(&dice)))))
    case 10: rig.send(.edited(.remove([id(&dice), id(&dice)])))
    case 11: rig.send(.edited(.move([id(&dice), id(&dice)], .before(id(&dice)))))
    case 12: rig.send(.edited(.replace([Item].numbers([Int.random(in: 0...90, using: &dice)], version: 3))))
    default:
      rig.look(at: Int.random(in: 0...max(0, count), using: &dice), length: 3)
      return true
    }
    return false
  }
}
