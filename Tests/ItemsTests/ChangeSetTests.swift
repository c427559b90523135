import Items
import Testing

@Suite struct ChangeSetTests {
  @Test func `removals name old indices, insertions and updates new ones`() throws {
    var changes = ChangeSet()
    changes.remove(0..<2)
    changes.insert(.samples([8, 9]), at: ItemPath(item: 1))
    changes.updates = [ChangeSet.Update(path: ItemPath(item: 0), item: .sample(2, version: 2))]
    var sections: [[Item]] = [.samples(0..<4)]

    try changes.apply(to: &sections)

    #expect(sections == [[.sample(2, version: 2), .sample(8), .sample(9), .sample(3)]])
  }

  @Test func `a reload begins with nothing`() throws {
    var changes = ChangeSet()
    changes.isReload = true
    changes.insert(.samples([5]), at: ItemPath(item: 0))
    var sections: [[Item]] = [.samples(0..<4)]

    try changes.apply(to: &sections)

    #expect(sections == [.samples([5])])
    #expect(changes.insertedItems == .samples([5]))
  }

  @Test func `empty runs are no changes`() {
    var changes = ChangeSet()

    changes.insert([], at: ItemPath(item: 0))
    changes.remove(3..<3)

    #expect(changes.isEmpty)
  }

  @Test func `a change that does not fit leaves everything as it was and says where`() {
    var changes = ChangeSet()
    changes.remove(0..<1)
    changes.insert(.samples([9]), at: ItemPath(item: 4))
    var sections: [[Item]] = [.samples(0..<3)]

    #expect(throws: ChangeSetMismatch(part: .insertion, path: ItemPath(item: 4), counts: [2])) {
      try changes.apply(to: &sections)
    }
    #expect(sections == [.samples(0..<3)])
  }

  @Test func `removals and updates outside are told apart`() {
    var removal = ChangeSet()
    removal.remove(1..<3)
    var update = ChangeSet()
    update.updates = [ChangeSet.Update(path: ItemPath(section: 1, item: 0), item: .sample(0))]
    var sections: [[Item]] = [.samples(0..<2)]

    #expect(throws: ChangeSetMismatch(part: .removal, path: ItemPath(item: 2), counts: [2])) {
      try removal.apply(to: &sections)
    }
    #expect(throws: ChangeSetMismatch(part: .update, path: ItemPath(section: 1, item: 0), counts: [2])) {
      try update.apply(to: &sections)
    }
  }

  @Test func `sections and items move in one change`() throws {
    var changes = ChangeSet()
    changes.sectionMoves = [SectionMove(from: 0, to: 1)]
    changes.moves = [ItemMove(from: ItemPath(section: 1, item: 0), to: ItemPath(section: 1, item: 1))]
    changes.insert(.samples([9]), at: ItemPath(section: 0, item: 0))
    var sections: [[Item]] = [.samples([1, 2]), .samples([3, 4])]

    try changes.apply(to: &sections)

    #expect(sections == [.samples([9, 4]), .samples([1, 3, 2])])
  }

  @Test func `a reload may bring several sections`() throws {
    var changes = ChangeSet()
    changes.isReload = true
    changes.sectionInsertions = [
      ChangeSet.SectionInsertion(section: 0, items: .samples([1])), ChangeSet.SectionInsertion(section: 1),
    ]
    var sections: [[Item]] = [.samples([5])]

    try changes.apply(to: &sections)

    #expect(sections == [.samples([1]), []])
  }

  @Test func `what is taken or filled twice does not fit`() {
    var removal = ChangeSet()
    removal.remove(0..<2)
    removal.moves = [ItemMove(from: ItemPath(item: 1), to: ItemPath(item: 0))]
    var insertion = ChangeSet()
    insertion.insert(.samples([8, 9]), at: ItemPath(item: 0))
    insertion.insert(.samples([7]), at: ItemPath(item: 1))
    var section = ChangeSet()
    section.sectionRemovals = [SectionPlace(0), SectionPlace(0)]
    var place = ChangeSet()
    place.sectionInsertions = [ChangeSet.SectionInsertion(section: 4)]

    #expect(part(removal) == .move)
    #expect(part(insertion) == .insertion)
    #expect(part(section) == .sectionRemoval)
    #expect(part(place) == .sectionInsertion)
  }

  private func part(_ changes: ChangeSet) -> ChangeSetMismatch.Part? {
    var sections: [[Item]] = [.samples(0..<3)]
    do throws(ChangeSetMismatch) {
      try changes.apply(to: &sections)
      return nil
    } catch {
      return error.part
    }
  }
}
