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
}
