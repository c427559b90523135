import Listing
import Paging
import Testing

/// The cases of `ASDisplayNodeTests`. All parts of an item share its state, so where a case looks at a child,
/// a test looks at the item.
///
/// `testThatSubnodeGetsInterfaceStateSetIfRasterized` differs from others only in how a child is drawn, which
/// has no meaning here; what is left of it is part of `every part of an item has the item's state`.
@Suite struct InterfaceTrackerTests {
  struct States: Decodable {
    let states: [UInt8]?
    let range_managed: Bool?
  }
  struct Callbacks: Decodable {
    let did_enter_display: Bool?
    let did_exit_display: Bool?
    let did_enter_preload: Bool?
    let did_exit_preload: Bool?
  }

  @Test(arguments: cases("ASDisplayNodeTests") as [SuiteCase<States, Callbacks>])
  func `entering and leaving a range is told`(_ example: SuiteCase<States, Callbacks>) {
    var tracker = InterfaceTracker(isRangeManaged: example.inputs.range_managed ?? true)
    var called: [InterfaceCallback] = []

    for state in example.inputs.states ?? [] { called += tracker.change(to: InterfaceState(rawValue: state)) }

    let expected = example.expected
    if let isTold = expected.did_enter_display { #expect(called.contains(.didEnterDisplay) == isTold) }
    if let isTold = expected.did_exit_display { #expect(called.contains(.didExitDisplay) == isTold) }
    if let isTold = expected.did_enter_preload { #expect(called.contains(.didEnterPreload) == isTold) }
    if let isTold = expected.did_exit_preload { #expect(called.contains(.didExitPreload) == isTold) }
  }

  /// testInterfaceStateForNonCellNode
  @Test func `what no range controller manages is all or nothing`() {
    var tracker = InterfaceTracker(isRangeManaged: false)
    #expect(tracker.state == [])

    let entered = Array(tracker.enterWindow())
    #expect(tracker.state.rawValue == 15)
    #expect(entered.contains(.didEnterPreload))

    tracker.leaveWindow()
    #expect(tracker.state.rawValue == 15)
    let left = Array(tracker.endTurn())
    #expect(tracker.state == [])
    #expect(!left.contains(.didExitPreload))
  }

  /// testInterfaceStateForCellNode, testThatSubnodeGetsInterfaceStateSetIfRasterized
  @Test func `every part of an item has the item's state`() {
    var tracker = InterfaceTracker(isRangeManaged: true)

    let preloaded = tracker.enter(.preload)
    #expect(tracker.state.rawValue == 2)
    #expect(preloaded.contains(.didEnterPreload))

    _ = tracker.enterWindow()
    #expect(tracker.state.rawValue == 15)
  }

  /// testSetNeedsPreloadImmediateState
  @Test func `preload is told once more only within preload`() {
    var tracker = InterfaceTracker(isRangeManaged: true)
    #expect(tracker.preloadAgain == nil)

    _ = tracker.enter(.preload)

    #expect(tracker.preloadAgain == .didEnterPreload)
  }

  /// testPreloadExitingAndEnteringRange
  @Test func `preload is told each time it is entered`() {
    var tracker = InterfaceTracker(isRangeManaged: true)

    _ = tracker.enter(.preload)
    let left = Array(tracker.exit(.preload))
    let entered = Array(tracker.enter(.preload))

    #expect(left == [.didExitPreload, .stateDidChange])
    #expect(entered == [.didEnterPreload, .stateDidChange])
  }

  @Test func `leaving a window and coming back in one turn is not told`() {
    var tracker = InterfaceTracker(isRangeManaged: true)
    _ = tracker.enterWindow()

    tracker.leaveWindow()
    let entered = Array(tracker.enterWindow())
    let ended = Array(tracker.endTurn())

    #expect(entered.isEmpty && ended.isEmpty)
  }

  @Test func `a managed item that left its window is only no longer visible`() {
    var tracker = InterfaceTracker(isRangeManaged: true)
    _ = tracker.enterWindow()

    tracker.leaveWindow()
    let ended = Array(tracker.endTurn())

    #expect(ended == [.didExitVisible, .stateDidChange])
    #expect(tracker.state == [.measure, .preload, .display])
  }
}
