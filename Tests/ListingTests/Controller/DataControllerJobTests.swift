import Items
import Listing
import Paging
import Testing

/// Jobs that are not wanted any more, that fail, or that somebody waits for after all.
@Suite struct DataControllerJobTests {
  @Test func `what goes before it was made is called off, and its set waits for the one that takes it away`()
    throws
  {
    var rig = try DataRig(loaded: ListSource(counts: [1]))
    try rig.update(completion: 1, [.insertItems([ItemPath(item: 1), ItemPath(item: 2)])]) {
      $0[0] += ["a", "b"]
    }
    let first = rig.jobs.map(\.id)

    try rig.update(completion: 2, [.deleteItems([ItemPath(item: 1)])]) { $0[0].remove(at: 1) }

    #expect(rig.cancelled == [first[0]])
    #expect(rig.jobs.map(\.id) == [first[1]])
    rig.work()
    #expect(rig.applies.map(\.changes.count) == [2])
    rig.show()
    #expect(rig.shown == [["0.0", "b"]])
    #expect(rig.completed == [1, 2])
  }

  @Test func `a set that is held is not told before the work of the one that completes it is done`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]), coalesces: false)
    try rig.update(completion: 1, [.insertItems([ItemPath(item: 1)])]) { $0[0].append("a") }

    try rig.update(completion: 2, [.deleteItems([ItemPath(item: 1)]), .insertItems([ItemPath(item: 0)])]) {
      $0[0] = ["new", "0.0"]
    }
    try rig.update(completion: 3, [.insertItems([ItemPath(item: 0)])]) { $0[0].insert("last", at: 0) }

    #expect(rig.applies.isEmpty)
    rig.work()
    #expect(rig.applies.map(\.changes.count) == [2])
    rig.show()
    #expect(rig.shown == [["new", "0.0"]])
    rig.settle()
    #expect(rig.shown == [["last", "new", "0.0"]])
    #expect(rig.completed == [1, 2, 3])
  }

  @Test func `what goes before its set began is never begun`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]))
    try rig.update([.insertItems([ItemPath(item: 1)])]) { $0[0].append("a") }
    try rig.update([.insertItems([ItemPath(item: 2)])]) { $0[0].append("b") }
    try rig.update([.deleteItems([ItemPath(item: 2)])]) { $0[0].removeLast() }

    rig.settle()

    #expect(rig.shown == [["0.0", "a"]])
    #expect(rig.batches.joined().count == 2)
    #expect(rig.cancelled.isEmpty)
  }

  @Test func `a new model that goes before it was adopted is called off, and the old one is not shown alone`()
    throws
  {
    let source = ListSource(counts: [2])
    source.adoptsModels = true
    var rig = try DataRig(loaded: source)
    try rig.update([.reloadItems([ItemPath(item: 0)])]) { $0[0][0] = "changed" }

    try rig.update([.deleteItems([ItemPath(item: 0)])]) { $0[0].removeFirst() }

    #expect(rig.cancelled.count == 1)
    #expect(rig.applies.map(\.changes.count) == [2])
    rig.settle()
    #expect(rig.shown == [["0.1"]])
  }

  @Test func `clearing calls off what is being made`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]))
    try rig.update(completion: 1, [.insertItems([ItemPath(item: 1)])]) { $0[0].append("a") }

    rig.accept(try rig.controller.clear(completion: 2))
    rig.settle()

    #expect(rig.cancelled.count == 1)
    #expect(rig.shown == [])
    #expect(rig.completed == [1, 2])
  }

  @Test func `a job that fails holds nothing up, and is not tried again`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]))
    try rig.update(completion: 1, [.insertItems([ItemPath(item: 0), ItemPath(item: 1)])]) {
      $0[0] = ["a", "b"] + $0[0]
    }

    rig.accept(rig.controller.jobFailed(rig.jobs.removeFirst().id))
    rig.settle()
    let failed = rig.controller.pending.sections[0].items[0].id
    rig.accept(rig.controller.make(failed))

    #expect(rig.shown == [["unmade", "b", "0.0"]])
    #expect(rig.completed == [1])
    #expect(rig.jobs.isEmpty)
  }

  @Test func `a new model that can't be adopted leaves what was made`() throws {
    let source = ListSource(counts: [1])
    source.adoptsModels = true
    var rig = try DataRig(loaded: source)
    try rig.update(completion: 1, [.reloadItems([ItemPath(item: 0)])]) { $0[0][0] = "changed" }

    rig.accept(rig.controller.jobFailed(rig.jobs.removeFirst().id))
    rig.settle()

    #expect(rig.shown == [["0.0"]])
    #expect(rig.completed == [1])
  }

  @Test func `who reads what is being made hurries it, and begins the rest`() throws {
    let source = ListSource(counts: [4])
    var rig = DataRig(source, making: .onDemand)
    rig.accept(try rig.controller.reloadData(from: source))
    rig.settle()
    let ids = rig.controller.pending.sections[0].items.map(\.id)
    rig.accept(rig.controller.make(ids[1]))
    let underWay = rig.jobs[0].id

    rig.accept(rig.controller.make(ids.prefix(3)))

    #expect(rig.hurried == [[underWay]])
    #expect(rig.jobs.map(\.element) == [ids[1], ids[0], ids[2]])
    #expect(rig.synchronous == [true, true])
  }
}
