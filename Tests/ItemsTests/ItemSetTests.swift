import Items
import TestSupport
import Testing

@Suite struct ItemSetTests {
  @Test func `appending keeps the order and says what was new`() {
    var set = ItemSet()
    _ = set.append(.samples(0..<3))

    let result = set.append(.samples([1, 3, 4]))

    #expect(result.inserted.ids == [3, 4])
    #expect(result.path == ItemPath(item: 3))
    #expect(result.duplicates == 1)
    #expect(set.items().ids == [0, 1, 2, 3, 4])
  }

  @Test func `keep leaves the held form and replace updates it`() {
    var set = ItemSet()
    _ = set.append(.samples(0..<2))

    let kept = set.append([.sample(1, version: 2)], merge: .keep)
    let replaced = set.append([.sample(1, version: 2)], merge: .replace)
    let same = set.append([.sample(1, version: 2)], merge: .replace)

    #expect(kept.updated.isEmpty)
    #expect(replaced.updated == [ChangeSet.Update(path: ItemPath(item: 1), item: .sample(1, version: 2))])
    #expect(same.updated.isEmpty)
    #expect(same.duplicates == 1)
    #expect(set[1] == .sample(1, version: 2))
  }

  @Test func `a duplicate within one page counts once`() {
    var set = ItemSet()

    let result = set.append([.sample(1), .sample(1, version: 2)], merge: .replace)

    #expect(set.items() == [.sample(1, version: 2)])
    #expect(result.inserted.count == 1)
    #expect(result.changeSet.updates.count == 1)
  }

  @Test func `prepending puts a page before all others, in its own order`() {
    var set = ItemSet()
    _ = set.append(.samples(10..<12))

    let result = set.prepend([.sample(8), .sample(10), .sample(9), .sample(8, version: 2)], merge: .replace)

    #expect(set.items().ids == [8, 9, 10, 11])
    #expect(result.inserted == [.sample(8, version: 2), .sample(9)])
    #expect(result.duplicates == 2)
    #expect(set.path(of: .integer(10)) == ItemPath(item: 2))
    #expect(set.path(of: .integer(8)) == ItemPath(item: 0))
  }

  @Test func `an update that comes with a prepended page names the new place`() {
    var set = ItemSet()
    _ = set.append(.samples(10..<12))

    let result = set.prepend([.sample(11, version: 2), .sample(9)], merge: .replace)

    #expect(result.updated.map(\.path) == [ItemPath(item: 2)])
  }

  @Test func `1 and "1" are different ids`() {
    var set = ItemSet()
    _ = set.append([Item(id: .integer(1), bytes: Bytes("a")), Item(id: .text("1"), bytes: Bytes("b"))])

    #expect(set.count == 2)
    #expect(set.path(of: .text("1")) == ItemPath(item: 1))
  }

  @Test func `released items are gone while their ids still count`() {
    var set = ItemSet()
    _ = set.append(.samples(0..<10))

    set.release(before: 6)
    let result = set.append(.samples([2, 7, 10]))

    #expect(result.inserted.ids == [10])
    #expect(set.count == 11)
    #expect(set.releasedCount() == 6)
    #expect(set[5] == nil)
    #expect(set[6] == .sample(6))
    #expect(set.items().ids == [6, 7, 8, 9, 10])
    #expect(set.path(of: .integer(2)) == ItemPath(item: 2))
  }

  @Test func `an update of a released item is told but not kept`() {
    var set = ItemSet()
    _ = set.append(.samples(0..<3))
    set.release(before: 2)

    let result = set.append([.sample(0, version: 2)], merge: .replace)

    #expect(result.updated.map(\.path) == [ItemPath(item: 0)])
    #expect(set[0] == nil)
  }

  @Test func `removed items may come back`() {
    var set = ItemSet()
    _ = set.append(.samples(0..<6))

    set.remove(0..<2)
    set.remove(3..<4)

    #expect(set.items().ids == [2, 3, 4])
    let front = set.prepend(.samples([0, 1]))
    let back = set.append(.samples([5]))

    #expect(front.inserted.ids == [0, 1])
    #expect(back.inserted.ids == [5])
    #expect(set.items().ids == [0, 1, 2, 3, 4, 5])
  }

  @Test func `sections hold their own items`() {
    var set = ItemSet(sectionCount: 2)
    _ = set.append(.samples(0..<2), toSection: 0)
    _ = set.append(.samples(2..<5), toSection: 1)

    #expect(set.count == 5)
    #expect(set.path(of: .integer(3)) == ItemPath(section: 1, item: 1))
    #expect(set[ItemPath(section: 1, item: 2)] == .sample(4))
    #expect(set[ItemPath(section: 2, item: 0)] == nil)
  }

  @Test func `nothing is found in a set that has never had an item, and nothing removed`() {
    var set = ItemSet()
    let removed = set.edit(.remove([.integer(1), .text("a")]))
    set.remove(0..<0)
    set.release(before: 5)

    #expect(removed.changes.isEmpty)
    #expect(removed.unknown == [.integer(1), .text("a")])
    #expect(!set.contains(.integer(1)) && !set.contains(.text("a")))
  }

  @Test func `what is appended after everything was released is held as before`() {
    var set = ItemSet()
    for page in 0..<4 {
      _ = set.append(.samples(page * 10..<page * 10 + 10))
      set.release(before: page * 10 + 10)
    }
    let result = set.append(.samples([39, 40, 7, 41]))

    #expect(result.inserted.ids == [40, 41])
    #expect(result.duplicates == 2)
    #expect(set.items().ids == [40, 41])
    #expect(set.count == 42)
    #expect(set.releasedCount() == 40)
    #expect(set[40]?.id == .integer(40) && set[39] == nil)
  }
}
