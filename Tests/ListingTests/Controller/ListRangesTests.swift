import Items
import Listing
import Paging
import Testing

/// The data controller and the range controller together, as a list has them.
@Suite struct ListRangesTests {
  /// testInitialRangeBounds and testInitialRangeBoundsCellLayoutModeAlwaysAsync of ASCollectionViewTests
  @Test(arguments: [ProcessingMode.standard, .alwaysAsynchronous])
  func `the first ranges are small`(mode: ProcessingMode) throws {
    var list = List(ListSource(counts: Array(repeating: 10, count: 10)))
    list.data.controller.processingMode = mode
    list.ranges.tuning[.preload, .minimum] = RangeExtent(leading: 2, trailing: 0)

    list.data.accept(try list.data.controller.reloadData(from: list.data.source, completion: 1))
    #expect(list.data.controller.isProcessing)
    list.settle()

    #expect(list.data.completed == [1])
    #expect(!list.data.controller.isProcessing)
    #expect(list.ranges.mode == .minimum)
    #expect(list.ranges.states.preload.count == 3 * list.ranges.states.visible.count)
  }

  /// testItemsInsertedIntoThePreloadRangeGetPreloaded of ASCollectionViewTests
  @Test func `what is inserted into the preload range is preloaded`() throws {
    var list = List(ListSource(counts: [100]))
    list.data.accept(try list.data.controller.reloadData(from: list.data.source))
    list.ranges.setMode(.minimum)
    list.ranges.tuning[.preload, .minimum] = RangeExtent(leading: 1, trailing: 1)
    list.ranges.tuning[.display, .minimum] = .zero
    list.settle()
    let place = ItemPath(item: list.ranges.states.visible.upperBound)
    let first = try #require(list.element(place))
    #expect(list.preloads[first] == 1)

    try list.data.update([]) { _ in }
    list.settle()
    #expect(list.element(place) == first)
    #expect(list.preloads[first] == 1)

    try list.data.update([.deleteItems([place]), .insertItems([place])]) { $0[0][place.item] = "new" }
    list.settle()
    let second = try #require(list.element(place))
    #expect(second != first)
    #expect(list.preloads[second] == 1)

    list.ranges.tuning[.preload, .minimum] = .zero
    try list.data.update([.deleteItems([place]), .insertItems([place])]) { $0[0][place.item] = "newer" }
    list.settle()
    let third = try #require(list.element(place))
    #expect(third != second)
    #expect(list.preloads[third] == nil)
  }

  /// testIssue2252 of ASTableViewTests
  @Test func `reloading all sections over and over while the work goes on is no trouble`() throws {
    var list = List(ListSource(counts: [5, 5, 5]))
    list.data.accept(try list.data.controller.reloadData(from: list.data.source))

    for round in 0..<20 {
      try list.data.update(completion: round, [.reloadSections([0, 1, 2])]) { _ in }
      if !list.data.jobs.isEmpty { list.data.work() }
    }
    list.settle()

    #expect(list.data.completed == Array(0..<20))
    #expect(list.data.shown == list.data.source.sections)
    #expect(list.ranges.states.visible.count == 10)
  }
}

/// A list of items 10 long each, seen through a viewport of 100.
private struct List {
  var data: DataRig
  var ranges = RangeController(lengths: ItemLengths(length: 10), axis: .vertical)
  /// How often each element entered preload.
  var preloads: [ElementID: Int] = [:]

  init(_ source: ListSource) {
    data = DataRig(source)
    ranges.moveViewport(to: Rect(x: 0, y: 0, width: 50, height: 100))
  }

  func element(_ path: ItemPath) -> ElementID? { data.controller.visible[path]?.id }

  /// Does all that waits; the ranges follow what becomes visible.
  mutating func settle() {
    while !data.jobs.isEmpty || !data.applies.isEmpty {
      guard data.jobs.isEmpty else {
        data.work()
        continue
      }
      let old = data.controller.visible
      data.show()
      follow(old)
    }
  }

  private mutating func follow(_ old: ElementMap<ListSource>) {
    let oldIDs = old.sections.flatMap { $0.items.map(\.id) }
    let newIDs = data.controller.visible.sections.flatMap { $0.items.map(\.id) }
    let transitions = ranges.changeItems(
      oldIndex: { oldIDs.firstIndex(of: newIDs[$0]) }, newIndex: { newIDs.firstIndex(of: oldIDs[$0]) }
    ) { $0 = ItemLengths(count: newIDs.count, length: 10) }
    for transition in transitions where transition.callbacks.contains(.didEnterPreload) {
      for index in transition.items { preloads[newIDs[index], default: 0] += 1 }
    }
  }
}
