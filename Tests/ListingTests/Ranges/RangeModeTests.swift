import Listing
import Paging
import Testing

@Suite struct RangeModeTests {
  struct Situation: Decodable {
    let current: String
    let preserve: Bool
    let content_has_been_scrolled: Bool
    let container_visible: Bool
  }
  struct Next: Decodable {
    let mode: String
    let preserve_after: Bool
  }
  struct Depth: Decodable { let depth: Int }
  struct Mode: Decodable { let range_mode: String }
  struct Event: Decodable {
    let event: String
    let container_visible: Bool?
    let container_in_display: Bool?
  }
  struct Answer: Decodable {
    let range_mode: String
    let update_immediately: Bool
  }

  @Test(arguments: cases("RangeModeDerived") as [SuiteCase<Situation, Next>])
  func `the next mode follows upstream's table`(_ example: SuiteCase<Situation, Next>) {
    let inputs = example.inputs

    let next = RangeMode.next(
      after: rangeMode(inputs.current), isPreserved: inputs.preserve,
      hasBeenScrolled: inputs.content_has_been_scrolled, isVisible: inputs.container_visible)

    #expect(next == rangeMode(example.expected.mode), "\(example.case)")
  }

  @Test(arguments: cases("RangeModeDerived") as [SuiteCase<Situation, Next>])
  func `a pass gives the controller that mode and ends its wish`(_ example: SuiteCase<Situation, Next>) {
    let inputs = example.inputs
    var controller = RangeController(
      lengths: ItemLengths(count: 100, length: 10), axis: .vertical,
      container: inputs.container_visible ? .inHierarchy : [])
    controller.moveViewport(to: Rect(x: 0, y: 0, width: 10, height: 50))
    if inputs.content_has_been_scrolled {
      controller.beginDragging()
      _ = controller.update()
    }
    guard let current = rangeMode(inputs.current) else { return }
    controller.setMode(current)
    if !inputs.preserve {
      _ = controller.update()
      if controller.mode != current { return }
    }

    _ = controller.update(isForced: true)

    #expect(controller.mode == rangeMode(example.expected.mode), "\(example.case)")
    let isFree = inputs.content_has_been_scrolled && inputs.container_visible
    _ = controller.update(isForced: true)
    #expect(controller.mode == (isFree ? .full : rangeMode(example.expected.mode)), "the wish is over")
  }

  @Test(arguments: cases("VisibilityDepth") as [SuiteCase<Depth, Mode>])
  func `depth restricts`(_ example: SuiteCase<Depth, Mode>) {
    #expect(RangeMode(visibilityDepth: example.inputs.depth) == rangeMode(example.expected.range_mode))
  }

  @Test(arguments: cases("AppEvents") as [SuiteCase<Event, Answer>])
  func `events of the program restrict at once`(_ example: SuiteCase<Event, Answer>) {
    var state: InterfaceState = [.measure, .preload]
    if example.inputs.container_in_display == true { state.insert(.display) }
    if example.inputs.container_visible == true { state = .inHierarchy }
    var controller = RangeController(
      lengths: ItemLengths(count: 100, length: 10), axis: .vertical, container: state)
    controller.moveViewport(to: Rect(x: 0, y: 0, width: 10, height: 50))
    controller.beginDragging()
    _ = controller.update()

    let pass =
      switch example.inputs.event {
      case "memory_warning": controller.handle(.memoryWarning)
      case "enter_background": controller.handle(.enteredBackground)
      default: controller.handle(.enteredForeground)
      }

    #expect(controller.mode == rangeMode(example.expected.range_mode), "\(example.case)")
    #expect(!controller.needsUpdate && !pass.isEmpty == example.expected.update_immediately)
    if example.inputs.event == "enter_background" { #expect(controller.states.visible.isEmpty) }
  }
}
