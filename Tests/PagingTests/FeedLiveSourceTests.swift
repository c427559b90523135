import Items
import TestSupport
import Paging
import Testing

/// The caller changes the source and tells the feed; answers show the source as it was, or as it is.
@Suite struct FeedLiveSourceTests {
  @Test(arguments: 0..<300)
  func `no answer of yesterday undoes an edit of today`(_ seed: UInt64) throws {
    var life = try Life(seed: seed)

    for step in 0..<150 where life.fault == nil {
      life.act()
      life.check()
      if let fault = life.fault { Issue.record("seed \(seed), step \(step): \(fault)") }
    }
    life.finish()

    #expect(life.rig.feed.isQuiet, "seed \(seed)")
    #expect(life.rig.screen[0] == life.source.items, "seed \(seed)")
  }
}

private struct Life {
  var dice: RandomStream
  var rig: Rig
  var source: LiveSource
  /// What each fetch would have brought when it was begun.
  var asked: [FetchID: Page] = [:]
  var next = 1_000
  var version = 1
  var fault: String?

  init(seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    source = LiveSource(count: Int.random(in: 0...60, using: &dice))
    rig = try Rig(Bool.random(using: &dice) ? Everything() : Hinted()) {
      $0.keys = .cursor
      $0.pageSize = Int.random(in: 1...9, using: &dice)
      $0.merge = Bool.random(using: &dice) ? .keep : .replace
      $0.refreshExtent = Bool.random(using: &dice) ? .firstPage : .everything
      $0.retry = RetryRule(count: 2)
      $0.seed = seed
    }
    self.dice = dice
    rig.look(at: 0, length: 3)
    note()
  }

  mutating func act() {
    let anchor = rig.feed.viewport.flatMap { rig.feed.items[$0.firstVisible]?.id }
    var didMove = false
    switch dice.next() % 16 {
    case 0..<6:
      if let request = rig.waiting.first { answer(request) }
    case 6 where !rig.waiting.isEmpty: rig.fail(isTransient: Bool.random(using: &dice))
    case 7: rig.send(.retried)
    case 8: rig.send(.refreshed(.start))
    case 9: rig.send(.cancelled)
    case 10: rig.sleep()
    case 11...13: edit()
    default:
      didMove = true
      rig.look(at: Int.random(in: 0...rig.shown.count, using: &dice), length: 3)
    }
    note()
    guard let anchor, !didMove, let place = rig.feed.items.path(of: anchor)?.item else { return }
    if rig.feed.viewport?.firstVisible != place { fault = "the place is lost" }
  }

  /// The answer is as old as the fetch, or as new as can be.
  private mutating func answer(_ request: FetchRequest) {
    let old = asked[request.id] ?? source.page(for: request)
    rig.answer(.page(Bool.random(using: &dice) ? old : source.page(for: request)))
  }

  private mutating func note() {
    for request in rig.waiting where asked[request.id] == nil {
      asked[request.id] = source.page(for: request)
    }
  }

  /// Changes the source, and tells the feed; items are put beside those that the reader sees.
  private mutating func edit() {
    version += 1
    let held = rig.feed.items.items().map(\.id)
    let beside = held.randomElement(using: &dice)
    let placement = beside.map { Bool.random(using: &dice) ? Edit.Placement.before($0) : .after($0) }
    let any = source.items.randomElement(using: &dice)?.id ?? .integer(-1)
    var edit = Edit.remove([any])
    switch dice.next() % 4 {
    case 0:
      next += 2
      edit = .insert(.numbers([next, next + 1], version: version), placement ?? .start)
    case 1:
      if case .integer(let number) = any { edit = .replace(.numbers([Int(number)], version: version)) }
    case 2:
      // A first page may come without the item beside, and leave one that moved where it was.
      let isWhole = rig.feed.configuration.options.refreshExtent == .everything
      if let item = held.randomElement(using: &dice), item != beside, let placement, isWhole {
        edit = .move([item], placement)
      }
    default: break
    }
    source.edit(edit)
    rig.send(.edited(edit))
  }

  mutating func check() {
    if rig.screen[0] != rig.feed.items.items() { fault = "the reader shows \(rig.shown)" }
    if Set(rig.shown).count != rig.shown.count { fault = "an item is there twice: \(rig.shown)" }
    let places = Dictionary(uniqueKeysWithValues: source.items.enumerated().map { ($1.id, ($0, $1)) })
    var last = -1
    for item in rig.screen[0] {
      guard let (place, form) = places[item.id] else {
        fault = "\(item.id) was removed, and is shown: \(rig.shown)"
        return
      }
      if form != item { fault = "\(item.id) has an old form" }
      if place < last { fault = "\(item.id) is out of order: \(rig.shown), not \(source.items.ids)" }
      last = place
    }
  }

  /// Reads everything again.
  mutating func finish() {
    rig.send(.refreshed(.start))
    for _ in 0..<500 {
      while let request = rig.waiting.first { rig.answer(.page(source.page(for: request))) }
      rig.look(at: max(0, rig.shown.count - 1))
      if rig.waiting.isEmpty { return }
    }
  }
}
