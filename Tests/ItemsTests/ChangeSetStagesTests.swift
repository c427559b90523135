import Items
import Testing

@Suite struct ChangeSetStagesTests {
  @Test func `a list changes in three stages at most`() throws {
    var changes = ChangeSet()
    changes.remove(0..<1)
    changes.moves = [ItemMove(from: ItemPath(item: 3), to: ItemPath(item: 0))]
    changes.insert(.samples([9]), at: ItemPath(item: 2))
    changes.updates = [ChangeSet.Update(path: ItemPath(item: 1), item: .sample(1, version: 2))]

    let stages = try changes.stages(counts: [4])

    #expect(stages.count == 3)
    #expect(stages[0].updates.map(\.path) == [ItemPath(item: 1)])
    #expect(stages[1].removals.map(\.range) == [0..<1])
    #expect(stages[2].moves == [ItemMove(from: ItemPath(item: 2), to: ItemPath(item: 0))])
    #expect(stages[2].insertions == changes.insertions)
  }

  @Test func `sections come and move before items do, and one that items leave goes last`() throws {
    var changes = ChangeSet()
    changes.sectionRemovals = [SectionPlace(0)]
    changes.sectionInsertions = [ChangeSet.SectionInsertion(section: 0, items: .samples([7]))]
    changes.moves = [ItemMove(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 1, item: 0))]
    var data: [[Item]] = [.samples([1, 2]), .samples([3])]

    let stages = try changes.stages(counts: [2, 1])
    for stage in stages { try stage.apply(to: &data) }

    #expect(data == [.samples([7]), .samples([2, 3])])
    #expect(stages.map { $0.sectionRemovals.map(\.section) } == [[], [], [2]])
  }

  @Test func `a reload is one stage and no change none`() throws {
    var reload = ChangeSet()
    reload.isReload = true

    #expect(try reload.stages(counts: [4]) == [reload])
    #expect(try ChangeSet().stages(counts: [4]).isEmpty)
  }
}
