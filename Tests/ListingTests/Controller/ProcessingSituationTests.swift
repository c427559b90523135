import Listing
import Paging
import Testing

@Suite struct ProcessingSituationTests {
  struct Inputs: Decodable {
    let layout_mode: String
    let includes_reload_data: Bool
    let count_for_async_layout: Int
    let content: [Double]
    let bounds: [Double]
  }
  struct Expected: Decodable { let synchronous: Bool }

  @Test(arguments: cases("SyncProcessingDerived") as [SuiteCase<Inputs, Expected>])
  func `the first rule that applies decides`(_ example: SuiteCase<Inputs, Expected>) {
    let inputs = example.inputs
    let mode: ProcessingMode =
      switch inputs.layout_mode {
      case "always_sync": .alwaysSynchronous
      case "always_async": .alwaysAsynchronous
      default: .standard
      }

    let situation = ProcessingSituation(
      mode: mode, isReload: inputs.includes_reload_data, asynchronousCount: inputs.count_for_async_layout,
      contentSize: Extent(width: inputs.content[0], height: inputs.content[1]),
      bounds: Extent(width: inputs.bounds[0], height: inputs.bounds[1]))

    #expect(situation.isSynchronous == example.expected.synchronous)
  }

  @Test func `many items beyond the viewport are waited for by nobody`() {
    let situation = ProcessingSituation(
      isReload: false, asynchronousCount: 2, contentSize: Extent(width: 100, height: 101),
      bounds: Extent(width: 100, height: 100))

    #expect(!situation.isSynchronous)
  }
}
