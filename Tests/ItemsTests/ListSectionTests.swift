import Items
import Testing

@Suite struct ListSectionTests {
  @Test func `an item that went to another section moves`() {
    let changes = difference([("a", [1, 2]), ("b", [3])], [("a", [2]), ("b", [3, 1])])

    #expect(changes.movedItems == [ItemMove(from: ItemPath(item: 0), to: ItemPath(section: 1, item: 1))])
    #expect(changes.deletions.isEmpty && changes.insertions.isEmpty)
  }

  @Test func `items go and come with their sections`() {
    let changes = difference([("a", [1, 2]), ("b", [3])], [("b", [3, 1]), ("c", [2])])

    #expect(changes.sectionDeletions.map(\.section) == [0])
    #expect(changes.sectionInsertions.map(\.section) == [1])
    #expect(changes.insertions.map(\.path) == [ItemPath(section: 0, item: 1)])
    #expect(changes.movedItems.isEmpty)
  }

  @Test func `a moved section takes its items along`() {
    let changes = difference([("a", [1]), ("b", [2]), ("c", [3])], [("b", [2]), ("c", [3]), ("a", [1, 4])])

    #expect(changes.movedSections == [SectionMove(from: 0, to: 2)])
    #expect(changes.insertions.map(\.path) == [ItemPath(section: 2, item: 1)])
    #expect(changes.movedItems.isEmpty)
  }

  @Test func `the same id in two sections is two items`() {
    let changes = difference([("a", [1]), ("b", [1])], [("a", [1, 2]), ("b", [1])])

    #expect(changes.insertions.map(\.path) == [ItemPath(item: 1)])
    #expect(changes.movedItems.isEmpty && changes.deletions.isEmpty)
  }

  @Test func `more changes than the limit are a reload`() {
    #expect(difference([("a", [1]), ("b", [2])], [("a", [3]), ("b", [4])], limit: 3).isReload)
    #expect(!difference([("a", [1]), ("b", [2])], [("a", [3]), ("b", [4])], limit: 4).isReload)
  }

  @Test func `item sets differ by a change set with their items`() throws {
    var old = ItemSet(sectionCount: 2)
    _ = old.append(.samples(0..<4), toSection: 0)
    _ = old.append(.samples(10..<12), toSection: 1)
    var new = ItemSet(sectionCount: 2)
    _ = new.append([.sample(3), .sample(0), .sample(1, version: 2), .sample(7)], toSection: 0)
    _ = new.append(.samples([10, 2, 11]), toSection: 1)

    let changes = new.difference(from: old)
    var data = [old.items(), old.items(ofSection: 1)]
    try changes.apply(to: &data)

    #expect(data == [new.items(), new.items(ofSection: 1)])
    #expect(changes.insertedItems == [.sample(7)])
    #expect(changes.updates.map(\.item) == [.sample(1, version: 2)])
    #expect(changes.moves.count == 2)
    #expect(changes.removals.isEmpty)
  }

  @Test func `a set of which items were released can't be compared`() {
    var old = ItemSet()
    _ = old.append(.samples(0..<4))
    let new = old
    old.release(before: 1)

    #expect(new.difference(from: old).isReload)
    #expect(new.difference(from: old).insertedItems == .samples(0..<4))
    #expect(new.difference(from: new).isEmpty)
  }

  private func difference(
    _ old: [(String, [Int])], _ new: [(String, [Int])], limit: Int? = nil
  ) -> PathChanges {
    new.map { ListSection(id: $0.0, elements: $0.1) }.difference(
      from: old.map { ListSection(id: $0.0, elements: $0.1) }, id: { $0 }, isContentEqual: ==, limit: limit)
  }
}
