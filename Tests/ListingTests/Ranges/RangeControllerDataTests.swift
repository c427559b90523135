import Items
import Listing
import Paging
import Testing

@Suite struct RangeControllerDataTests {
  private func controller(count: Int = 100, at y: Double = 200) -> RangeController {
    var controller = RangeController(lengths: ItemLengths(count: count, length: 10), axis: .vertical)
    controller.moveViewport(to: Rect(x: 0, y: y, width: 10, height: 100))
    _ = controller.update()
    return controller
  }

  @Test func `items that come before the visible ones move the viewport and tell nobody`() {
    var controller = controller()

    let told = controller.changeItems(by: IndexMap(oldCount: 100, deleted: [], inserted: Array(0..<5))) {
      $0.insert(count: 5, length: 10, at: 0)
    }

    #expect(controller.viewport.y == 250)
    #expect(controller.states.visible == 25..<35)
    #expect(told.allSatisfy { $0.items.upperBound <= 5 || !$0.callbacks.contains(.didEnterPreload) })
  }

  /// testThatDeletedItemsAreMarkedInvisible of ASCollectionViewTests
  @Test func `a deleted item is told that it is no longer visible`() {
    var controller = controller(count: 1, at: 0)

    let told = controller.changeItems(by: IndexMap(oldCount: 1, deleted: [0], inserted: [])) {
      $0.remove(0..<1)
    }

    #expect(told == [RangeTransition(items: 0..<1, old: .inHierarchy, new: [], isRemoval: true)])
    #expect(told[0].callbacks.contains(.didExitVisible))
  }

  /// testAutomaticallyAdjustingContentOffset of ASTableViewTests
  @Test func `rows deleted above keep what is visible in its place`() {
    var controller = controller(at: 20)

    _ = controller.changeItems(by: IndexMap(oldCount: 100, deleted: [0], inserted: [])) { $0.remove(0..<1) }

    #expect(controller.viewport.y == 10)
  }

  @Test func `the viewport never ends past the content`() {
    var controller = controller(at: 900)

    _ = controller.changeItems(by: IndexMap(oldCount: 100, deleted: Array(50..<100), inserted: [])) {
      $0.remove(50..<100)
    }

    #expect(controller.viewport.y == 400)
    #expect(controller.states.visible == 40..<50)
  }

  @Test func `a reload takes everything away and begins anew`() {
    var controller = controller()

    let told = controller.reloadItems(ItemLengths(count: 100, length: 10))

    #expect(told.filter { $0.isRemoval }.allSatisfy { $0.new == [] })
    #expect(told.first?.items == 20..<30)
    #expect(told.first?.old == [])
  }

  @Test(arguments: UInt64(1)...60)
  func `every item knows its state through any edits and moves`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var ids = Array(0..<80)
    var next = 80
    var told: [Int: InterfaceState] = [:]
    var controller = RangeController(lengths: ItemLengths(count: 80, length: 10), axis: .vertical)

    for _ in 0..<50 {
      controller.moveViewport(
        to: Rect(x: 0, y: Double.random(in: 0...900, using: &random), width: 10, height: 60))
      if Bool.random(using: &random) { controller.beginDragging() }
      for transition in controller.update() {
        for index in transition.items { told[ids[index]] = transition.new == [] ? nil : transition.new }
      }
      let old = ids
      ids.removeAll { _ in Int.random(in: 0..<10, using: &random) == 0 }
      if Bool.random(using: &random), ids.count > 1 { ids.swapAt(0, ids.count - 1) }
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        ids.insert(next, at: Int.random(in: 0...ids.count, using: &random))
        next += 1
      }
      let oldPlaces = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
      let newPlaces = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
      let count = ids.count
      let transitions = controller.changeItems(
        oldIndex: { oldPlaces[ids[$0]] }, newIndex: { newPlaces[old[$0]] }
      ) { $0 = ItemLengths(count: count, length: 10) }

      for transition in transitions {
        for index in transition.items {
          let id = transition.isRemoval ? old[index] : ids[index]
          #expect(told[id] ?? [] == transition.old, "seed \(seed)")
          told[id] = transition.new == [] ? nil : transition.new
        }
      }
      #expect(Set(told.keys).isSubset(of: ids), "seed \(seed)")
      for (index, id) in ids.enumerated() {
        #expect(told[id] ?? [] == controller.states.state(of: index), "seed \(seed)")
      }
    }
  }
}
