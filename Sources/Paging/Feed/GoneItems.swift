internal import Items

/// Items of which the source says that they are gone and which it did not bring before, each counted once.
struct GoneItems: Sendable, Equatable {
  private var ids: Set<ItemID> = []
  /// In 32 bits, as there may be tens of thousands of feeds.
  private var all: UInt32 = 0
  private var besideItems: UInt32 = 0

  /// How many they are.
  var count: Int { Int(all) }
  /// Those of them that came as ids beside the items of a page, and are no part of what the page has received.
  var listed: Int { Int(besideItems) }

  /// Adds ids; the first of them came beside items.
  mutating func add(_ new: [ItemID], listed first: Int) {
    for (place, id) in new.enumerated() where ids.insert(id).inserted {
      all += 1
      if place < first { besideItems += 1 }
    }
  }

  /// What came before a position.
  mutating func recall(_ position: Position) {
    (all, besideItems) = (UInt32(clamping: position.gone), UInt32(clamping: position.goneListed))
  }

  /// Notes it in a position.
  func note(in position: inout Position) { (position.gone, position.goneListed) = (count, listed) }
}
