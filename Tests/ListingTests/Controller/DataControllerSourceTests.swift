import Items
import Listing
import Paging
import Testing

/// The cases of `ASCollectionModernDataSourceTests`, and who makes elements when.
@Suite struct DataControllerSourceTests {
  struct Operation: Decodable {
    let op: String
    let items: [[Int]]?
    let sections: [Int]?

    var operation: BatchOperation {
      let paths = (items ?? []).map { ItemPath(section: $0[0], item: $0[1]) }
      switch op {
      case "reload_items": return .reloadItems(paths)
      case "insert_items": return .insertItems(paths)
      case "delete_items": return .deleteItems(paths)
      default: return .reloadSections(sections ?? [])
      }
    }
  }
  struct Inputs: Decodable {
    let item_counts: [Int]
    let ops: [Operation]?
    let new_item_counts: [Int]?
    let old_item_accepts_new_model: Bool?
  }
  struct Expected: Decodable {
    let calls: [String]
    let same_item_object_kept: Bool?
  }

  @Test(arguments: cases("ASCollectionModernDataSourceTests") as [SuiteCase<Inputs, Expected>])
  func `the source is asked in upstream's order`(_ example: SuiteCase<Inputs, Expected>) throws {
    let inputs = example.inputs
    let source = ListSource(counts: inputs.item_counts)
    source.adoptsModels = inputs.old_item_accepts_new_model ?? false
    guard let operations = inputs.ops else {
      var rig = DataRig(source)
      rig.accept(try rig.controller.reloadData(from: source))
      #expect(source.takeCalls() == example.expected.calls)
      return
    }
    var rig = try DataRig(loaded: source)
    let before = rig.controller.visible[ItemPath(section: 0, item: 1)]?.id

    try rig.update(operations.map(\.operation)) { data in
      for operation in operations {
        for path in operation.items ?? [] where operation.op == "insert_items" {
          data[path[0]].insert("new", at: path[1])
        }
        for path in operation.items ?? [] where operation.op == "delete_items" {
          data[path[0]].remove(at: path[1])
        }
      }
      if let counts = inputs.new_item_counts { data = zip(data, counts).map { Array($0.prefix($1)) } }
    }
    rig.settle()

    #expect(source.takeCalls() == example.expected.calls, "\(example.case)")
    if example.expected.same_item_object_kept == true {
      #expect(rig.controller.visible[ItemPath(item: 0)]?.id == before)
    }
  }

  @Test func `every factory runs once whoever asks`() throws {
    let source = ListSource(counts: [3])
    var rig = DataRig(source)

    rig.accept(try rig.controller.loadIfNeeded(from: source))
    for element in rig.controller.pending.sections[0].items { rig.accept(rig.controller.make(element.id)) }
    rig.settle()
    rig.accept(try rig.controller.loadIfNeeded(from: source))

    #expect(rig.batches.map(\.count) == [3])
    #expect(rig.shown == [["0.0", "0.1", "0.2"]])
  }

  /// testDispatchApply and testDispatchAsync: each index once. How many threads share the jobs is up to the
  /// host and has no meaning here.
  @Test func `a hundred thousand jobs are each there once`() throws {
    let source = ListSource(counts: [100_000])
    var rig = DataRig(source)

    rig.accept(try rig.controller.reloadData(from: source))

    #expect(Set(rig.jobs.map(\.element)).count == 100_000)
    #expect(Set(rig.jobs.map(\.id)).count == 100_000)
  }

  @Test func `elements on demand are made a batch a turn, each once`() throws {
    let source = ListSource(counts: [6])
    var rig = try DataRig(loaded: source, making: .onDemand)
    let ids = rig.controller.visible.sections[0].items.map(\.id)
    #expect(rig.batches.isEmpty)
    #expect(rig.shown == [Array(repeating: "unmade", count: 6)])

    rig.controller.prepare(ids[1..<4])
    rig.controller.prepare(ids[2..<5])
    rig.accept(rig.controller.make(ids[2]))
    for _ in 0..<4 { rig.accept(rig.controller.turnEnded()) }
    rig.settle()

    #expect(rig.synchronous == [true, false, false])
    #expect(rig.batches.map { $0.map(\.element) } == [[ids[2]], [ids[1]], [ids[3], ids[4]]])
    #expect(rig.shown == [["unmade", "0.1", "0.2", "0.3", "0.4", "unmade"]])
  }

  @Test func `an element that is gone is not made any more`() throws {
    let source = ListSource(counts: [2])
    var rig = try DataRig(loaded: source, making: .onDemand)
    let id = rig.controller.visible.sections[0].items[0].id

    rig.controller.prepare([id])
    try rig.update([.deleteItems([ItemPath(item: 0)])]) { $0[0].removeFirst() }
    rig.settle()
    rig.accept(rig.controller.turnEnded())

    #expect(rig.batches.isEmpty)
  }

  @Test func `an adopted model keeps the element and is worked in before it shows`() throws {
    let source = ListSource(counts: [2])
    source.adoptsModels = true
    var rig = try DataRig(loaded: source)
    let id = rig.controller.visible.sections[0].items[1].id

    try rig.update([.reloadItems([ItemPath(item: 1)])]) { $0[0][1] = "newer" }
    #expect(rig.shown == [["0.0", "0.1"]])
    #expect(rig.newest == [["0.0", "newer"]])
    rig.settle()

    #expect(rig.shown == [["0.0", "newer"]])
    #expect(rig.controller.visible.sections[0].items[1].id == id)
  }

  @Test func `supplementary elements are made anew where items came or went`() throws {
    let source = ListSource(counts: [2, 2, 2])
    source.headers = [1, 1, 1]
    var rig = try DataRig(loaded: source)
    let old = (0..<3).map {
      rig.controller.visible.supplementary("header", at: ItemPath(section: $0, item: 0))?.id
    }

    try rig.update([.deleteSections([0]), .insertItems([ItemPath(section: 1, item: 0)])]) {
      $0.removeFirst()
      $0[1].insert("new", at: 0)
    }
    rig.settle()

    let new = (0..<2).map {
      rig.controller.visible.supplementary("header", at: ItemPath(section: $0, item: 0))?.id
    }
    #expect(new[0] == old[1])
    #expect(new[1] != nil && !old.contains(new[1]))
    #expect(rig.controller.product(of: old[0]!) == nil)
    #expect(rig.controller.product(of: old[2]!) == nil)
    #expect(rig.controller.product(of: new[1]!) == "header 1.0")
  }
}
