import Items
import Listing
import Paging
import Testing

@Suite struct DataControllerTests {
  private func loaded(_ counts: [Int] = [3], coalesces: Bool = true) throws -> DataRig {
    try DataRig(loaded: ListSource(counts: counts), coalesces: coalesces)
  }

  @Test func `a set is pending at once and visible when the reader has it`() throws {
    var rig = try loaded()

    try rig.update(completion: 1, [.insertItems([ItemPath(item: 0), ItemPath(item: 4)])]) {
      $0[0] = ["a"] + $0[0] + ["b"]
    }
    #expect(rig.newest == [["a", "0.0", "0.1", "0.2", "b"]])
    #expect(rig.controller.isProcessing)

    rig.work(1)
    #expect(rig.applies.isEmpty)
    rig.work()
    #expect(rig.applies.count == 1)
    #expect(rig.shown == [["0.0", "0.1", "0.2"]])
    #expect(rig.completed.isEmpty)

    rig.show()
    #expect(rig.shown == [["a", "0.0", "0.1", "0.2", "b"]])
    #expect(rig.completed == [1])
    #expect(!rig.controller.isProcessing)
  }

  @Test func `the jobs of a set start when those of the set before are done`() throws {
    var rig = try loaded()

    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("a", at: 0) }
    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("b", at: 0) }

    #expect(rig.jobs.count == 1)
    rig.work()
    #expect(rig.jobs.count == 1)
    #expect(rig.applies.count == 1)
  }

  @Test func `sets that are ready while the reader is busy come together`() throws {
    var rig = try loaded()

    for name in ["a", "b", "c"] {
      try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert(name, at: 0) }
      rig.work()
    }
    #expect(rig.applies.map(\.changes.count) == [1])
    rig.show()

    #expect(rig.applies.map(\.changes.count) == [2])
    rig.show()
    #expect(rig.shown == [["c", "b", "a", "0.0", "0.1", "0.2"]])
  }

  @Test func `without coalescing each comes alone`() throws {
    var rig = try loaded(coalesces: false)

    for name in ["a", "b", "c"] {
      try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert(name, at: 0) }
      rig.work()
    }
    rig.show()

    #expect(rig.applies.map(\.changes.count) == [1])
    #expect(rig.shown == [["a", "0.0", "0.1", "0.2"]])
  }

  @Test func `a set that does not add up changes nothing`() throws {
    var rig = try loaded()
    let before = rig.newest

    #expect(throws: UpdateError.self) {
      try rig.update([.insertItems([ItemPath(item: 0)])]) { _ in }
    }
    #expect(rig.newest == before)
    #expect(try rig.controller.oldCounts(from: rig.source) == [3])

    try rig.update([.insertItems([ItemPath(item: 3)])]) { $0[0].append("a") }
    rig.settle()
    #expect(rig.shown == [["0.0", "0.1", "0.2", "a"]])
  }

  @Test func `a source that fails changes nothing`() throws {
    var rig = try loaded()
    rig.source.fails = true

    #expect(throws: ListSource.Failure.self) {
      try rig.update([.insertItems([ItemPath(item: 3)])]) { $0[0].append("a") }
    }
    #expect(rig.newest == [["0.0", "0.1", "0.2"]])
    #expect(!rig.controller.isProcessing)
  }

  @Test func `moves keep elements, sections keep contexts, and split moves do neither`() throws {
    var rig = try loaded([2, 2])
    let ids = rig.controller.visible.sections.map { $0.items.map(\.id) }
    rig.source.generation = 2

    try rig.update([
      .moveSection(from: 1, to: 0),
      .moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 1)),
    ]) {
      $0 = [["1.0", "0.0", "1.1"], ["0.1"]]
    }
    rig.settle()
    #expect(rig.batches.count == 1)
    #expect(rig.shown == [["1.0", "0.0", "1.1"], ["0.1"]])
    #expect(rig.controller.visible.sections[0].items.map(\.id) == [ids[1][0], ids[0][0], ids[1][1]])
    #expect(rig.controller.visible.sections.map(\.context) == [1, 1])

    try rig.update(moves: .split, [.moveSection(from: 0, to: 1)]) { $0.swapAt(0, 1) }
    rig.settle()
    #expect(rig.controller.visible.sections.map(\.context) == [1, 2])
  }

  @Test func `waiting ends when what was submitted before is visible`() throws {
    var rig = try loaded()
    rig.accept(rig.controller.wait(1))
    #expect(rig.resumed == [1])

    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("a", at: 0) }
    rig.accept(rig.controller.wait(3, isBatchOpen: true))
    rig.accept(rig.controller.wait(4))
    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("b", at: 0) }
    #expect(rig.resumed == [1, 3])

    rig.work()
    rig.show()
    #expect(rig.resumed == [1, 3, 4])
  }

  @Test func `clearing comes after what is on its way, and the next load is a first one`() throws {
    var rig = try loaded()
    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("a", at: 0) }

    rig.accept(try rig.controller.clear(completion: 1))
    #expect(rig.controller.pending.sections.isEmpty)
    #expect(!rig.controller.isLoaded)
    rig.settle()
    #expect(rig.controller.visible.sections.isEmpty)
    #expect(rig.completed == [1])

    rig.accept(try rig.controller.loadIfNeeded(from: rig.source))
    rig.settle()
    #expect(rig.shown == rig.source.sections)
  }

  @Test func `answers nobody waits for are ignored`() throws {
    var rig = try loaded()

    rig.accept(rig.controller.jobFinished(JobID(number: 999), product: "?"))
    rig.accept(rig.controller.readerApplied(999))

    #expect(rig.shown == [["0.0", "0.1", "0.2"]])
  }

  @Test func `a few new items are waited for, many are not`() throws {
    var rig = try loaded()
    rig.controller.contentSize = Extent(width: 10, height: 1000)
    rig.controller.bounds = Extent(width: 10, height: 100)
    rig.synchronous = []

    try rig.update([.insertItems([ItemPath(item: 0)])]) { $0[0].insert("a", at: 0) }
    rig.settle()
    try rig.update([.insertItems([ItemPath(item: 0), ItemPath(item: 1)])]) { $0[0] = ["b", "c"] + $0[0] }
    rig.settle()

    #expect(rig.synchronous == [true, false])
  }

  @Test func `places and indices lead to each other`() throws {
    let map = try loaded([2, 0, 3]).controller.visible

    #expect((0..<6).map { map.path(at: $0).map(map.index(of:)) } == [0, 1, 2, 3, 4, nil])
    #expect(map.path(at: 2) == ItemPath(section: 2, item: 0))
    #expect(map.path(of: map[ItemPath(section: 2, item: 1)]!.id) == ItemPath(section: 2, item: 1))
    #expect(map[ItemPath(section: 1, item: 0)] == nil)
  }
}
