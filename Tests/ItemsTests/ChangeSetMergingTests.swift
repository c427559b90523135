import Items
import Testing

@Suite struct ChangeSetMergingTests {
  @Test func `appends become one append`() throws {
    let pages = [Item].samples(0..<6)
    var first = ChangeSet()
    first.insert(Array(pages[2..<4]), at: ItemPath(item: 2))
    var second = ChangeSet()
    second.insert(Array(pages[4..<6]), at: ItemPath(item: 4))

    let merged = try first.merged(with: second, counts: [2])

    #expect(merged.insertions == [ChangeSet.Insertion(path: ItemPath(item: 2), items: Array(pages[2...]))])
    #expect(merged.removals.isEmpty && merged.moves.isEmpty && merged.updates.isEmpty)
  }

  @Test func `what came and went leaves no trace`() throws {
    var first = ChangeSet()
    first.insert(.samples([8, 9]), at: ItemPath(item: 1))
    var second = ChangeSet()
    second.remove(1..<3)

    #expect(try first.merged(with: second, counts: [3]).isEmpty)
  }

  @Test func `an item that moved there and back stays`() throws {
    var first = ChangeSet()
    first.moves = [ItemMove(from: ItemPath(item: 0), to: ItemPath(item: 3))]
    var second = ChangeSet()
    second.moves = [ItemMove(from: ItemPath(item: 3), to: ItemPath(item: 0))]

    #expect(try first.merged(with: second, counts: [4]).isEmpty)
  }

  @Test func `of several updates the last counts, and one of a new item goes into it`() throws {
    var first = ChangeSet()
    first.insert([.sample(5)], at: ItemPath(item: 1))
    first.updates = [ChangeSet.Update(path: ItemPath(item: 0), item: .sample(0, version: 2))]
    var second = ChangeSet()
    second.updates = [
      ChangeSet.Update(path: ItemPath(item: 1), item: .sample(5, version: 2)),
      ChangeSet.Update(path: ItemPath(item: 0), item: .sample(0, version: 3)),
    ]

    let merged = try first.merged(with: second, counts: [1])

    #expect(merged.insertedItems == [.sample(5, version: 2)])
    #expect(merged.updates == [ChangeSet.Update(path: ItemPath(item: 0), item: .sample(0, version: 3))])
  }

  @Test func `a reload forgets what was before it and keeps what comes after`() throws {
    var reload = ChangeSet()
    reload.isReload = true
    reload.insert(.samples([1, 2]), at: ItemPath(item: 0))
    var page = ChangeSet()
    page.insert(.samples([3]), at: ItemPath(item: 2))

    let after = try reload.merged(with: page, counts: [7])
    let before = try page.merged(with: reload, counts: [2])

    #expect(after.isReload)
    #expect(after.insertedItems == .samples([1, 2, 3]))
    #expect(before == reload)
  }

  @Test func `animation options are carried through`() throws {
    var first = ChangeSet()
    first.remove(0..<1, animation: 3)
    first.insert(.samples([7]), at: ItemPath(item: 0), animation: 4)
    var second = ChangeSet()
    second.remove(1..<2, animation: 5)

    let merged = try first.merged(with: second, counts: [3])

    #expect(merged.insertions.map(\.animation) == [4])
    #expect(merged.removals.map(\.animation).sorted() == [3, 5])
  }

  @Test func `a set that does not follow the other is refused`() {
    var first = ChangeSet()
    first.remove(0..<2)
    var second = ChangeSet()
    second.remove(1..<2)

    #expect(throws: ChangeSetMismatch(part: .removal, path: ItemPath(item: 1), counts: [1])) {
      try first.merged(with: second, counts: [3])
    }
  }
}
