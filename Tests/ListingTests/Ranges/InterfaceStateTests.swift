import Listing
import Paging
import Testing

@Suite struct InterfaceStateTests {
  struct Membership: Decodable {
    let container_visible: Bool
    let range_mode: String
    let in_visible: Bool
    let in_display: Bool
    let in_preload: Bool
  }
  struct State: Decodable { let state: UInt8 }
  struct Change: Decodable {
    let old: UInt8
    let new: UInt8
    let range_managed: Bool
  }
  struct Callbacks: Decodable { let callbacks: [String] }

  @Test(arguments: cases("InterfaceStateDerived") as [SuiteCase<Membership, State>])
  func `membership and the container decide the bits`(_ example: SuiteCase<Membership, State>) throws {
    let inputs = example.inputs
    func range(_ isMember: Bool) -> Range<Int> { isMember ? 0..<1 : 0..<0 }
    let members = ItemRanges(
      visible: range(inputs.in_visible), display: range(inputs.in_display), preload: range(inputs.in_preload),
      measure: 0..<1)

    let states = members.states(
      isContainerVisible: inputs.container_visible, mode: try #require(rangeMode(inputs.range_mode)))

    #expect(states.state(of: 0).rawValue == example.expected.state, "\(example.case)")
  }

  @Test(arguments: cases("InterfaceCallbacksDerived") as [SuiteCase<Change, Callbacks>])
  func `callbacks come in upstream's order`(_ example: SuiteCase<Change, Callbacks>) {
    let old = InterfaceState(rawValue: example.inputs.old)

    let callbacks = old.callbacks(
      to: InterfaceState(rawValue: example.inputs.new), isRangeManaged: example.inputs.range_managed)

    #expect(callbacks.map(\.rawValue) == example.expected.callbacks.map(callbackName), "\(example.case)")
  }
}
