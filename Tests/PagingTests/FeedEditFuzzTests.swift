import Items
import TestSupport
import Paging
import Testing

/// Items of the caller's own among those of a source: whatever happens to them, the source's are shown as one run.
@Suite struct FeedEditFuzzTests {
  @Test(arguments: 0..<300)
  func `pages come and go as a whole, with what was put among them`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let source = NumberSource(
      count: Int.random(in: 1...200, using: &dice), tellsTotal: Bool.random(using: &dice),
      cap: Bool.random(using: &dice) ? .max : Int.random(in: 1...12, using: &dice))
    let limit = Bool.random(using: &dice) ? nil : Int.random(in: 30...60, using: &dice)
    var rig = try Rig(Bool.random(using: &dice) ? Everything() : Hinted()) {
      $0.keys = .offset
      $0.pageSize = Int.random(in: 1...12, using: &dice)
      $0.maxInFlight = Int.random(in: 1...5, using: &dice)
      $0.prefetchDistance = 5
      $0.maxItems = limit
      $0.refreshExtent = Bool.random(using: &dice) ? .firstPage : .everything
      $0.reloadThreshold = Bool.random(using: &dice) ? nil : 10
      $0.seed = seed
    }

    for step in 0..<300 {
      act(&rig, source, &dice)

      let place = "seed \(seed), step \(step)"
      #expect(rig.screen[0] == rig.feed.items.items(), "\(place)")
      let shown = rig.shown.filter { $0 < 1_000 }
      #expect(Set(rig.shown).count == rig.shown.count, "\(place)")
      if let first = shown.first {
        #expect(shown == Array(first..<first + shown.count), "\(place): \(rig.shown)")
        guard shown == Array(first..<first + shown.count) else { return }
      }
    }

    readOn(&rig, source)
    #expect(rig.shown.last { $0 < 1_000 } == source.count - 1, "seed \(seed)")
    for _ in 0..<2_000 where rig.feed.state(of: .prepend) != .exhausted {
      rig.look(at: 0, length: 4)
      rig.answerAll(from: source)
    }
    #expect(rig.shown.first { $0 < 1_000 } == 0, "seed \(seed)")
    rig.send(.refreshed(.start))
    readOn(&rig, source)
    #expect(rig.feed.isQuiet, "seed \(seed)")
    if limit == nil { #expect(rig.shown == Array(0..<source.count), "seed \(seed)") }
  }

  private func readOn(_ rig: inout Rig, _ source: NumberSource) {
    rig.send(.retried)
    for _ in 0..<2_000 where rig.feed.state(of: .append) != .exhausted {
      rig.look(at: max(0, rig.shown.count - 4), length: 4)
      rig.answerAll(from: source)
    }
  }

  private func act(_ rig: inout Rig, _ source: NumberSource, _ dice: inout RandomStream) {
    switch Int.random(in: 0..<26, using: &dice) {
    case 0: rig.send(.refreshed([.start, .anchor].randomElement(using: &dice)!))
    case 1: rig.send(.cancelled)
    case 2: rig.send(.retried)
    case 3: rig.send(.memoryShort)
    case 4: rig.sleep()
    case 5..<9:
      let first = Int.random(in: 0...max(0, rig.shown.count), using: &dice)
      rig.look(at: first, length: 4, velocity: Double.random(in: -9...9, using: &dice))
    case 9 where !rig.waiting.isEmpty:
      rig.fail(Int.random(in: 0..<rig.waiting.count, using: &dice), isTransient: Bool.random(using: &dice))
    case 10..<13 where !rig.waiting.isEmpty: append(&rig, source, &dice)
    case 13..<19: rig.send(.edited(edit(rig, &dice)))
    default:
      if !rig.waiting.isEmpty {
        rig.answer(Int.random(in: 0..<rig.waiting.count, using: &dice), from: source)
      }
    }
  }

  /// A handler appends the beginning of its page, and fails later or comes with the whole.
  private func append(_ rig: inout Rig, _ source: NumberSource, _ dice: inout RandomStream) {
    let request = rig.waiting[Int.random(in: 0..<rig.waiting.count, using: &dice)]
    let items = Array(source.page(for: request).contents.items.prefix(2))
    if !items.isEmpty { rig.send(.appended(request.id, items, received: 0)) }
  }

  /// Changes the caller's own items, anywhere, and gives the source's another form.
  private func edit(_ rig: Rig, _ dice: inout RandomStream) -> Edit {
    let own = (0..<3).map { _ in Int.random(in: 1_000..<1_020, using: &dice) }
    let beside = ItemID.integer(Int64((rig.shown + own).randomElement(using: &dice)!))
    let placement = [Edit.Placement.start, .end, .before(beside), .after(beside)].randomElement(using: &dice)!
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: return .remove([Item].numbers(own).map(\.id))
    case 1: return .move([Item].numbers(own).map(\.id), placement)
    case 2: return .replace(.numbers(own + rig.shown.suffix(2), version: Int(dice.next() % 9)))
    default: return .insert(.numbers(own), placement)
    }
  }
}
