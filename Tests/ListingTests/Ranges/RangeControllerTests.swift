import Listing
import Paging
import Testing

@Suite struct RangeControllerTests {
  struct Inputs: Decodable {
    let item_height: Double
    let item_count: Int
    let viewport: CaseRect
    let range_mode: String
    let scroll_direction: [String]
    let interface_visible: Bool
  }
  struct Expected: Decodable {
    let visible: [Int]
    let display: [Int]
    let preload: [Int]
  }

  @Test(arguments: cases("RangeMembershipDerived") as [SuiteCase<Inputs, Expected>])
  func `geometry decides who is in a range`(_ example: SuiteCase<Inputs, Expected>) throws {
    let inputs = example.inputs
    var controller = RangeController(
      lengths: ItemLengths(count: inputs.item_count, length: inputs.item_height), axis: .vertical,
      container: inputs.interface_visible ? .inHierarchy : [])
    controller.setMode(try #require(rangeMode(inputs.range_mode)))
    controller.moveViewport(
      to: inputs.viewport.rect, direction: scrollDirections(inputs.scroll_direction))

    _ = controller.update()

    func bounds(_ range: Range<Int>) -> [Int] { [range.lowerBound, range.upperBound - 1] }
    #expect(bounds(controller.states.visible) == example.expected.visible)
    #expect(bounds(controller.states.display) == example.expected.display)
    #expect(bounds(controller.states.preload) == example.expected.preload)
  }

  private func controller(isVisible: Bool = true, isCoalescing: Bool = false) -> RangeController {
    var controller = RangeController(
      lengths: ItemLengths(count: 1000, length: 10), axis: .vertical,
      container: isVisible ? .inHierarchy : [],
      isCoalescing: isCoalescing)
    controller.moveViewport(to: Rect(x: 0, y: 1000, width: 50, height: 100))
    return controller
  }

  @Test func `the first pass is a small one and tells visible items first`() {
    var controller = controller()

    let pass = Array(controller.update())

    #expect(controller.mode == .minimum)
    #expect(pass.map(\.items) == [100..<110, 97..<100, 110..<113, 113..<115, 80..<97, 115..<130])
    #expect(pass.map(\.new.rawValue) == [15, 7, 7, 3, 1, 1])
  }

  @Test func `a pass tells only what changed`() {
    var controller = controller()
    _ = controller.update()

    controller.moveViewport(to: Rect(x: 0, y: 1010, width: 50, height: 100), direction: .down)
    let pass = Array(controller.update())

    #expect(pass.reduce(0) { $0 + $1.items.count } == 7)
    #expect(controller.update(isForced: true).isEmpty)
  }

  @Test func `only a viewport along the axis counts, and the last direction stays`() {
    var controller = controller()
    _ = controller.update()

    controller.moveViewport(to: controller.viewport, direction: .left)
    #expect(!controller.needsUpdate)
    controller.moveViewport(to: controller.viewport, direction: .up)
    controller.moveViewport(to: controller.viewport)

    #expect(controller.direction == .up)
    #expect(controller.needsUpdate)
  }

  @Test func `dragging reaches far`() {
    var controller = controller()
    _ = controller.update()

    controller.beginDragging()
    _ = controller.update()

    #expect(controller.mode == .full)
    #expect(controller.states.preload == 85..<135)
  }

  @Test func `without visible items a pass only takes visibility away and waits`() {
    var controller = controller()
    _ = controller.update()

    controller.moveViewport(to: Rect(x: 0, y: 50_000, width: 50, height: 100))
    let pass = Array(controller.update())

    #expect(pass.flatMap { Array($0.callbacks) } == [.didExitVisible, .stateDidChange])
    #expect(controller.states.display == 97..<113)
    #expect(!controller.isValid)
  }

  @Test func `coalesced changes that cancel out are not told`() {
    var controller = controller(isCoalescing: true)
    let nothing = controller.update()
    let first = controller.commit()

    controller.moveViewport(to: Rect(x: 0, y: 5000, width: 50, height: 100))
    _ = controller.update()
    controller.moveViewport(to: Rect(x: 0, y: 1000, width: 50, height: 100))
    _ = controller.update()

    #expect(nothing.isEmpty && !first.isEmpty)
    #expect(controller.commit().isEmpty)
  }

  @Test func `low memory keeps what is seen and nothing else`() {
    var controller = controller()
    controller.setMode(.lowMemory)

    _ = controller.update()

    #expect(controller.members(in: .lowMemory).display.isEmpty)
    #expect(controller.states.display == 100..<110)
    #expect(controller.states.preload == 100..<110)
  }

  @Test func `the background hides everything and the foreground shows it again`() {
    var controller = controller()
    _ = controller.update()

    let away = Array(controller.handle(.enteredBackground))
    let back = Array(controller.handle(.enteredForeground))

    #expect(away.contains { $0.items == 100..<110 && $0.callbacks.contains(.didExitVisible) })
    #expect(away.allSatisfy { !$0.new.contains(.visible) })
    #expect(back.first?.items == 100..<110)
    #expect(back.first?.new == .inHierarchy)
  }

  @Test func `a container without a window shows nothing and preloads what it would show`() {
    var controller = controller(isVisible: false)
    _ = controller.update()
    #expect(controller.states.visible.isEmpty)
    #expect(controller.states.display == 100..<110)
    #expect(controller.states.preload == 97..<113)

    let pass = Array(controller.enterWindow())
    #expect(pass.first?.new == .inHierarchy)

    controller.leaveWindow()
    #expect(controller.states.visible == 100..<110)
    _ = controller.endTurn()
    #expect(controller.states.visible.isEmpty)
  }

  @Test(arguments: UInt64(1)...40)
  func `what items are told adds up to what they are`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var controller = RangeController(
      lengths: ItemLengths((0..<300).map { _ in Double.random(in: 0...20, using: &random) }),
      axis: .vertical, container: Bool.random(using: &random) ? .inHierarchy : [])
    controller.tuning[.display, .full] = RangeExtent(leading: 3, trailing: 0.1)
    var told = Array(repeating: InterfaceState(), count: 300)

    for _ in 0..<80 {
      let pass = step(&controller, &random)
      var group = 0
      for transition in pass {
        #expect(transition.old != transition.new)
        #expect(rank(transition.new) >= group, "seed \(seed)")
        group = rank(transition.new)
        for index in transition.items {
          #expect(told[index] == transition.old, "seed \(seed)")
          told[index] = transition.new
        }
      }
      #expect(told == told.indices.map { controller.states.state(of: $0) }, "seed \(seed)")
    }
  }

  private func rank(_ state: InterfaceState) -> Int {
    state.contains(.visible) ? 0 : state.contains(.display) ? 1 : state.contains(.preload) ? 2 : 3
  }

  private func step(_ controller: inout RangeController, _ random: inout RandomStream) -> RangePass {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: controller.setMode(RangeMode.allCases.randomElement(using: &random)!)
    case 1: controller.beginDragging()
    case 2: return controller.enterWindow()
    case 3:
      controller.leaveWindow()
      return controller.endTurn()
    case 4: return controller.handle(ApplicationEvent.allCases.randomElement(using: &random)!)
    default:
      let y = Double.random(in: -300...3500, using: &random)
      controller.moveViewport(
        to: Rect(x: 0, y: y, width: 10, height: Double.random(in: 0...120, using: &random)),
        direction: [.up, .down, []].randomElement(using: &random)!)
    }
    return controller.update()
  }
}
