import Items
import TestSupport
import Paging
import Testing

/// Every order of a few things that can happen to a feed, with an edit among them.
@Suite struct FeedInterleavingTests {
  /// What can happen; an answer is that of the oldest or of the newest fetch under way.
  enum Happening: CaseIterable {
    case oldest, newest, edit, move, refresh
  }

  /// Each with one id of the source's second page, or with one that the source does not have.
  static let edits: [Edit] = [
    .remove([.integer(5)]), .replace([Item].numbers([5], version: 9)),
    .insert([Item].numbers([77]), .after(.integer(1))), .move([.integer(5)], .start),
    .insert([Item].numbers([5], version: 9), .start),
  ]

  static let settings: [(KeyKind, RefreshExtent, Merge)] = KeyKind.allCases.flatMap { keys in
    RefreshExtent.allCases.flatMap { extent in Merge.allCases.map { (keys, extent, $0) } }
  }

  @Test(arguments: edits, settings.indices)
  func `an edit is right in every order`(_ edit: Edit, _ setting: Int) throws {
    let things: [Happening] = [.oldest, .newest, .oldest, .edit, .move, .refresh]
    for order in Self.permutations(things) {
      var story = try Story(edit, Self.settings[setting])

      for happening in order { story.let(happening) }
      story.settle()

      if let fault = story.fault {
        Issue.record("\(edit) in \(Self.settings[setting]), order \(order): \(fault)")
        return
      }
    }
  }

  private static func permutations(_ things: [Happening]) -> [[Happening]] {
    if things.isEmpty { return [[]] }
    var result: [[Happening]] = []
    for (index, thing) in things.enumerated() where !things[..<index].contains(thing) {
      var rest = things
      rest.remove(at: index)
      result += permutations(rest).map { [thing] + $0 }
    }
    return result
  }
}

/// A feed of twelve items in pages of four, one edit, and what has to be true of it.
private struct Story {
  let edit: Edit
  let merge: Merge
  var rig: Rig
  let source: NumberSource
  /// Fetches started before the edit.
  var startedBefore: Int?
  /// Generations started before the edit.
  var generationBefore = 0
  /// Numbers and generations of the fetches whose page was taken, with their items.
  var taken: [(id: FetchID, items: [Int])] = []
  var wasHeld = false
  var fault: String?

  init(_ edit: Edit, _ setting: (keys: KeyKind, extent: RefreshExtent, merge: Merge)) throws {
    self.edit = edit
    merge = setting.merge
    source = NumberSource(count: 12, keys: setting.keys)
    rig = try Rig(Everything()) {
      $0.keys = setting.keys
      $0.pageSize = 4
      if setting.keys.isCounted { $0.maxInFlight = 2 }
      $0.merge = setting.merge
      $0.refreshExtent = setting.extent
    }
    rig.look(at: 0)
    check()
  }

  mutating func `let`(_ happening: FeedInterleavingTests.Happening) {
    switch happening {
    case .oldest: if !rig.waiting.isEmpty { answer(0) }
    case .newest: if !rig.waiting.isEmpty { answer(rig.waiting.count - 1) }
    case .edit:
      startedBefore = rig.started.count
      generationBefore = rig.feed.generation
      wasHeld = rig.feed.items.contains(.integer(5))
      rig.send(.edited(edit))
    case .move: rig.look(at: 2, length: 2)
    case .refresh: rig.send(.refreshed(.start))
    }
    check()
  }

  /// Answers everything that is still to come.
  mutating func settle() {
    while !rig.waiting.isEmpty, fault == nil {
      answer(0)
      check()
    }
    if fault == nil { fault = wrongEnd }
  }

  private mutating func answer(_ index: Int) {
    let request = rig.waiting[index]
    let page = source.page(for: request)
    taken.append((request.id, page.contents.items.ids))
    rig.answer(index, .page(page))
  }

  private mutating func check() {
    if rig.screen[0] != rig.feed.items.items() { fault = "the reader shows \(rig.shown)" }
    if Set(rig.shown).count != rig.shown.count { fault = "an item is there twice: \(rig.shown)" }
    if let viewport = rig.feed.viewport, viewport.firstVisible < 0 { fault = "the viewport left the list" }
  }

  /// What is not as it has to be when everything has come.
  private var wrongEnd: String? {
    if !rig.feed.isQuiet { return "something is in flight for ever" }
    let newest = taken.last?.id.generation ?? 0
    let isRefreshedSince = newest > generationBefore
    let bringers = taken.filter { $0.items.contains(5) && $0.id.generation == newest }
    let isBroughtSince = bringers.contains { $0.id.number > startedBefore ?? 0 }
    let five = rig.screen[0].first { $0.id == .integer(5) }
    let expected = Set(0..<12)
    let others = Set(rig.shown).subtracting([5, 77])
    if others != expected.subtracting([5]) { return "the others are \(others.sorted())" }
    switch edit {
    case .remove:
      // Nothing was removed where it was not held: a later page may bring it.
      if wasHeld, five != nil, !isBroughtSince { return "5 came back with an older answer" }
      if isBroughtSince, five == nil { return "5 is gone although the source has it since" }
    case .replace:
      guard let five else { return "5 is missing" }
      let isEdited = five.bytes == [Item].numbers([5], version: 9)[0].bytes
      if wasHeld, !isBroughtSince, !isEdited { return "5 was overwritten by an older answer" }
    case .insert(let items, _) where items[0].id == .integer(77):
      let isThere = rig.shown.contains(77)
      if isRefreshedSince == isThere { return "77 is \(isThere ? "still there" : "gone")" }
    case .insert:
      guard let five else { return "5 is missing" }
      let isEdited = five.bytes == [Item].numbers([5], version: 9)[0].bytes
      if !isRefreshedSince, !isBroughtSince, !isEdited { return "5 was overwritten by an older answer" }
    case .move: if five == nil { return "5 is missing" }
    }
    return nil
  }
}
